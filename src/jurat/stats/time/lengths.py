"""How the length of an item changes the time of a decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from jurat.results import Estimate, Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes, coded
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.time.grouped import GroupedSeconds
from jurat.stats.time.timing import NO_TIMES, Times, Timing, times
from jurat.stats.words import interval
from jurat.tables.columns import cast_column

COLUMNS = ("length", "words")
FEW = 6
"""Different lengths that are told one by one; more are put into four groups."""


class SecondsOfLength(GroupedSeconds):
    """Times by the length of what is judged: named, counted, or the words of a text."""

    name = "seconds-of-length"
    gives = ("seconds-of-length", "seconds-per-length")
    asks = "How much longer do long items take?"
    formula = "mean seconds of the decisions about items of a length, of those within the cap"
    source = "Guzmán et al. 2015, time by length"
    place = 30
    key = "length"

    def groups(self, one: Times, settings: Timing) -> tuple[Codes, Sequence[str]] | None:
        """Lengths as they are named, or in four groups with the same number of decisions."""
        if (values := _column(one, settings)) is None:
            return None
        numbers = _numbers(values)
        return coded(values) if numbers is None else _binned(numbers)

    def results(self, evaluation: Evaluation, settings: Timing) -> Iterator[Result]:
        """The means by length, then the seconds for each unit of it."""
        yield from super().results(evaluation, settings)
        short = [one.within(settings.cap) for one in times(evaluation)]
        found = [(one, _per_unit(one, settings)) for one in short]
        estimates = [_estimate(one, drawn) for one, drawn in found]
        drawn = first_method([one for _, one in found if one])
        yield self.result(
            evaluation,
            settings,
            estimates or [Estimate(value=None, n=0, reason=NO_TIMES)],
            name="seconds-per-length",
            method=told(
                f"Σ seconds / Σ {settings.length or ' or '.join(COLUMNS)}, decisions within the "
                f"cap ({settings.cap:g} s); n counts decisions",
                drawn.replace("clusters", "judges"),
            ),
            headline=_headline(estimates),
            cap=settings.cap,
        )

    def _reason(self, short: Sequence[Times]) -> str:
        if not any(len(one) for one in short):
            return NO_TIMES
        return f"needs the column {' or '.join(COLUMNS)}, or another one for the length"


def _column(one: Times, settings: Timing) -> pl.Series | None:
    """The column that tells lengths; of a text its number of words."""
    names = (settings.length,) if settings.length else COLUMNS
    name = next((name for name in names if one.has(name)), None)
    if name is None:
        return None
    values = one.frame[name]
    if values.dtype == pl.String and values.str.contains(r"\S\s+\S").any():
        return values.str.count_matches(r"\S+")
    return values


def _numbers(values: pl.Series) -> Array | None:
    """The lengths as numbers, NaN where one is missing; None where they are names."""
    numbers = cast_column(values, pl.Float64)
    if numbers.null_count() > values.null_count():
        return None
    return numbers.fill_null(float("nan")).to_numpy().astype(np.float64)


def _binned(numbers: Array) -> tuple[Codes, list[str]]:
    """The group of each number, from the shortest to the longest; those without one come last."""
    known = numbers[~np.isnan(numbers)]
    distinct = np.unique(known)
    tops = distinct
    if len(distinct) > FEW:
        tops = np.unique(np.quantile(known, [0.25, 0.5, 0.75, 1.0], method="inverted_cdf"))
    codes = np.minimum(np.searchsorted(tops, numbers), len(tops))
    names = [_span(known, low, high) for low, high in zip([-np.inf, *tops], tops, strict=False)]
    return codes, [*names, *([""] if len(known) < len(numbers) else [])]


def _span(known: Array, low: float, high: float) -> str:
    least = known[known > low].min()
    return f"{high:g}" if least == high else f"{least:g}–{high:g}"


def _per_unit(one: Times, settings: Timing) -> Spread | None:
    if not len(one) or (values := _column(one, settings)) is None:
        return None
    numbers = _numbers(values)
    if numbers is None or not (known := numbers > 0).any():
        return None
    columns = np.column_stack([one.seconds, numbers])[known]
    judges = one.judge_codes[known] if one.judge_codes.any() else None
    return spread(columns, lambda t: t[:, 0] / t[:, 1], settings=settings, clusters=judges)


def _estimate(one: Times, drawn: Spread | None) -> Estimate:
    if drawn is None:
        reason = "needs lengths in numbers, or a text whose words can be counted"
        return Estimate(value=None, n=0, by=one.by, tags=one.tags, reason=reason)
    return drawn.estimate(n=len(one), by=one.by, tags=one.tags)


def _headline(estimates: Sequence[Estimate]) -> str:
    known = next((e for e in estimates if e.value is not None), None)
    if known is None or known.value is None:
        return ""
    return f"Each unit of length takes {known.value:.2f} s{interval(known)}."
