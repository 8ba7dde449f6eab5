"""Where the time goes: seconds by system, document, judge and length, and by part of the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.phrases import headline_prefix, interval, listed, percent
from jurat.stats.ratings import Array, Codes, coded
from jurat.stats.settings import TimeSettings
from jurat.stats.time.decision_times import (
    NO_TIMES,
    DecisionTimes,
    MeanSeconds,
    TimeStatistic,
    decision_times,
    group_means,
    independent_means,
    infer_mean,
    mean_estimates,
    whose,
)
from jurat.tables.schema import cast_column

# Groups in a figure, the slowest.
MOST_DRAWN = 60


class SecondsByGroup(TimeStatistic):
    """The mean seconds of the decisions within the cap, for every value of one column."""

    key: ClassVar[str]
    """The column, and the key of the estimates."""
    counted: ClassVar[str] = "decisions"
    """What n counts."""

    def groups(
        self, one: DecisionTimes, settings: TimeSettings
    ) -> tuple[Codes, Sequence[str]] | None:
        """The group of each decision and the groups' names; None where they are not known."""
        return one.grouped(self.key) if one.has(self.key) else None

    def means(
        self, one: DecisionTimes, codes: Codes, size: int, settings: TimeSettings
    ) -> MeanSeconds:
        """The mean of each group."""
        return group_means(one, codes, size, settings)

    def results(self, evaluation: Evaluation, settings: TimeSettings) -> Iterator[Result]:
        """Every group of every question and split."""
        short = [one.within(settings.cap) for one in decision_times(evaluation)]
        grouped = [(one, groups) for one in short if (groups := self.groups(one, settings))]
        found = [
            (one, names, self.means(one, codes, len(names), settings))
            for one, (codes, names) in grouped
        ]
        estimates = [
            [means.estimate(one, at, **{self.key: name}) for at, name in enumerate(names)]
            for one, names, means in found
        ]
        everything = [e for of_one in estimates for e in of_one]
        yield self.time_result(
            evaluation,
            settings,
            everything,
            method=f"{self.formula} ({settings.cap:g} s); n counts {self.counted}",
            made=[means.made for _, _, means in found],
            missing=self.no_groups if any(map(len, short)) else NO_TIMES,
            headline=self._headline([one for one, _, _ in found], estimates),
            cap=settings.cap,
        )

    @property
    def no_groups(self) -> str:
        """Why decisions cannot be grouped."""
        return f"needs the column {self.key}"

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """The slowest groups, a point each; seconds for a unit of length have no figure."""
        if name != self.name:
            return {}
        slowest = sorted(estimates, key=lambda e: -(e.value or 0.0))[:MOST_DRAWN]
        return figures.points_with_intervals(
            f"Seconds, by {self.key}",
            figures.labelled(slowest),
            over=self.key,
            value="seconds",
            facet="of",
        )

    def _headline(self, all_times: Sequence[DecisionTimes], estimates: list[list[Estimate]]) -> str:
        """The fastest and the slowest group of the first question that has two."""
        for one, of_one in zip(all_times, estimates, strict=True):
            known = sorted((e for e in of_one if e.value is not None), key=lambda e: e.value or 0.0)
            if len(known) > 1:
                least, most = (f"{e.by[self.key]} ({e.value:.1f} s)" for e in (known[0], known[-1]))
                span = f"from {least} to {most}"
                return f"{headline_prefix(one, all_times)}By {self.key}, mean times range {span}."
        return ""


class SecondsOfDocument(SecondsByGroup):
    """The time of a document is the sum of its decisions; the mean is over judges."""

    name = "seconds-of-document"
    asks = "How long does a document take?"
    formula = "sum of a judge's decisions within the cap on a document, mean over judges"
    source = "TAP-ET, tables 2 and 3, for each document"
    order = 50
    key = "document"
    counted = "judges"

    def means(
        self, one: DecisionTimes, codes: Codes, size: int, settings: TimeSettings
    ) -> MeanSeconds:
        """The mean over judges of what each spent on each document."""
        cells, cell = np.unique(one.judge_codes * size + codes, return_inverse=True)
        spent = np.bincount(cell, weights=one.seconds).astype(np.float64)
        return independent_means(spent, cells % size, size, settings)


class SecondsOfJudge(SecondsByGroup):
    """A judge's own mean; the interval is for that judge and new documents."""

    name = "seconds-of-judge"
    asks = "Who is slow, and who is fast?"
    formula = "mean seconds of a judge's decisions, of those within the cap"
    source = "TAP-ET, tables 2 and 3, for each judge"
    order = 40
    key = "judge"

    def means(
        self, one: DecisionTimes, codes: Codes, size: int, settings: TimeSettings
    ) -> MeanSeconds:
        """The mean of each judge."""
        # a judge is the group here, so that judges cannot be what varies
        return group_means(one, codes, size, settings, new_judges=False)


class SecondsOfSystem(SecondsByGroup):
    """Worse output takes longer to judge, or is given up sooner."""

    name = "seconds-of-system"
    asks = "Do decisions about some systems take longer?"
    formula = "mean seconds of the decisions about a system, of those within the cap"
    source = "TAP-ET, tables 2 and 3, for each system"
    order = 20
    key = "system"


LENGTH_COLUMNS = ("length", "words")
# Different lengths that are told one by one; more are put into four groups.
FEW_LENGTHS = 6


class SecondsOfLength(SecondsByGroup):
    """Times by the length of what is judged: named, counted, or the words of a text."""

    name = "seconds-of-length"
    gives = ("seconds-of-length", "seconds-per-length")
    asks = "How much longer do long items take?"
    formula = "mean seconds of the decisions about items of a length, of those within the cap"
    source = "Guzmán et al. 2015, time by length"
    order = 30
    key = "length"

    def groups(
        self, one: DecisionTimes, settings: TimeSettings
    ) -> tuple[Codes, Sequence[str]] | None:
        """Lengths as they are named, or in four groups with the same number of decisions."""
        if (values := _column(one, settings)) is None:
            return None
        numbers = _numbers(values)
        return coded(values) if numbers is None else _binned(numbers)

    def results(self, evaluation: Evaluation, settings: TimeSettings) -> Iterator[Result]:
        """The means by length, then the seconds for each unit of it."""
        yield from super().results(evaluation, settings)
        short = [one.within(settings.cap) for one in decision_times(evaluation)]
        found = [(one, _per_unit(one, settings)) for one in short]
        estimates = [_estimate(one, made) for one, made in found]
        units = settings.length or " or ".join(LENGTH_COLUMNS)
        yield self.time_result(
            evaluation,
            settings,
            estimates,
            name="seconds-per-length",
            method=f"Σ seconds / Σ {units}, decisions within the cap ({settings.cap:g} s); "
            "n counts decisions",
            made=[made for _, made in found if made],
            headline=_headline(estimates),
            cap=settings.cap,
        )

    @property
    def no_groups(self) -> str:
        """Why decisions cannot be grouped."""
        return f"needs the column {' or '.join(LENGTH_COLUMNS)}, or another one for the length"


def _column(one: DecisionTimes, settings: TimeSettings) -> pl.Series | None:
    """The column that tells lengths; of a text its number of words."""
    names = (settings.length,) if settings.length else LENGTH_COLUMNS
    name = next((name for name in names if one.has(name)), None)
    if name is None:
        return None
    values = one.frame[name]
    # something with a space in it is the text itself, whose words are counted
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
    if len(distinct) > FEW_LENGTHS:
        # inverted_cdf: the end of a group is a length that occurs
        tops = np.unique(np.quantile(known, [0.25, 0.5, 0.75, 1.0], method="inverted_cdf"))
    # NaN sorts behind all: decisions without a length get the last code
    codes = np.minimum(np.searchsorted(tops, numbers), len(tops))
    names = [_span(known, low, high) for low, high in zip([-np.inf, *tops], tops, strict=False)]
    return codes, [*names, *([""] if len(known) < len(numbers) else [])]


def _span(known: Array, low: float, high: float) -> str:
    least = known[known > low].min()
    return f"{high:g}" if least == high else f"{least:g}–{high:g}"


def _per_unit(one: DecisionTimes, settings: TimeSettings) -> Estimates | None:
    if not len(one) or (values := _column(one, settings)) is None:
        return None
    numbers = _numbers(values)
    if numbers is None or not (known := numbers > 0).any():
        return None
    # by totals, not by the mean of ratios: short items would weigh as much as long ones
    rows, length = np.flatnonzero(known), numbers[known]
    # Σ seconds / Σ length is the mean of seconds / length with the lengths as weights
    spent = one.seconds[known]
    found = infer_mean(one, rows, spent / length, settings, weights=length)
    return mean_estimates(one, [found._replace(value=float(spent.sum() / length.sum()))], settings)


def _estimate(one: DecisionTimes, drawn: Estimates | None) -> Estimate:
    if drawn is None:
        reason = "needs lengths in numbers, or a text whose words can be counted"
        return Estimate.of(None, 0, about=one, reason=reason)
    return drawn.estimate(n=len(one), about=one)


def _headline(estimates: Sequence[Estimate]) -> str:
    known = next((e for e in estimates if e.value is not None), None)
    if known is None or known.value is None:
        return ""
    return f"Each unit of length takes {known.value:.2f} s{interval(known)}{whose(known)}."


class SecondsShare(TimeStatistic):
    """Guzmán et al.'s proportions of time on source, reference and translation."""

    name = "seconds-share"
    asks = "Which part of the screen does the time go to?"
    formula = "mean over decisions of a part's seconds / all seconds"
    source = "Guzmán et al. 2015, table of time proportions"
    order = 60

    def results(self, evaluation: Evaluation, settings: TimeSettings) -> Iterator[Result]:
        """Every part of every question and split."""
        found = [(one, _shares(one, settings)) for one in decision_times(evaluation)]
        estimates = [e for one, shares in found for e in _share_estimates(one, shares, settings)]
        yield self.time_result(
            evaluation,
            settings,
            estimates,
            method=f"{self.formula}; n counts decisions",
            made=[shares for _, (shares, _) in found if shares],
            missing="needs columns with the times of parts",
            headline=_share_headline([one for one, _ in found], estimates, len(settings.parts)),
            parts="+".join(settings.parts),
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Bars of the parts, a bar for each question."""
        return figures.bars(
            "Where the time goes",
            figures.rows(figures.labelled(estimates)),
            x=figures.axis("value", "mean share of the time"),
            y=figures.axis("of", "question", "nominal"),
            colour=figures.axis("part", "part", "nominal"),
        )


def _shares(one: DecisionTimes, settings: TimeSettings) -> tuple[Estimates | None, int]:
    """The mean share of each part, and of how many decisions."""
    there = [name for name in settings.parts if one.has(name)]
    # shares of some of the parts would look like shares of all
    if len(there) < max(1, len(settings.parts)):
        return None, 0
    parts = one.frame.select(cast_column(one.frame[n], pl.Float64).alias(n) for n in there)
    share = (
        parts.to_numpy().astype(np.float64)
        / np.where(one.seconds > 0, one.seconds, np.nan)[:, None]
    )
    # a decision without time for one part is left out for all, so that shares add up
    known = ~np.isnan(share).any(axis=1)
    if not known.any():
        return None, 0
    rows = np.flatnonzero(known)
    found = [infer_mean(one, rows, part, settings) for part in share[known].T]
    made = mean_estimates(one, found, settings)
    return replace(made, high=np.minimum(made.high, 1.0)), int(known.sum())


def _share_estimates(
    one: DecisionTimes, found: tuple[Estimates | None, int], settings: TimeSettings
) -> Iterator[Estimate]:
    shares, n = found
    for at, part in enumerate(settings.parts):
        by = {"part": part}
        if shares is None:
            missing = [name for name in settings.parts if not one.has(name)]
            reason = f"needs the column {listed(missing)}" if missing else "no part has a time"
            yield Estimate.of(None, 0, about=one, by=by, reason=reason)
        else:
            yield shares.estimate(at, n=n, about=one, by=by)


def _share_headline(
    all_times: Sequence[DecisionTimes], estimates: list[Estimate], parts: int
) -> str:
    for one, start in zip(all_times, range(0, len(estimates), parts or 1), strict=False):
        known = [e for e in estimates[start : start + parts] if e.value is not None]
        if known:
            most = max(known, key=lambda e: e.value or 0.0)
            share = percent(most.value or 0.0)
            return (
                f"{headline_prefix(one, all_times)}{share} of the time goes to {most.by['part']}."
            )
    return ""
