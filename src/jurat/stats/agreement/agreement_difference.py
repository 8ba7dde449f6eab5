"""The difference of two agreements: two campaigns, two scales, two files (`--against`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.resampling.jackknife_t import random_groups
from jurat.results import Estimate, Key, Result, spoken
from jurat.stats.agreement.answer_counts import AnswerCounts
from jurat.stats.agreement.fleiss_kappa import FleissKappa, ScottPi
from jurat.stats.agreement.gwet_ac import GwetAC
from jurat.stats.agreement.item_statistic import ItemStatistic, with_intervals
from jurat.stats.agreement.krippendorff_alpha import SCALES, KrippendorffAlpha
from jurat.stats.agreement.new_judges import draws_judges, for_these_judges
from jurat.stats.agreement.percent_agreement import NAgreement
from jurat.stats.estimates import Estimates, common_method, method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import Units, units_of, with_unit_note
from jurat.stats.phrases import interval, subject
from jurat.stats.ratings import Array, Codes, Ratings, coded
from jurat.stats.statistic import Settings, Statistic

# What is compared: its name, the statistic, and which of its values.
COMPARED: tuple[tuple[str, type[ItemStatistic], int], ...] = (
    ("fleiss-kappa", FleissKappa, 0),
    *((f"krippendorff-alpha {scale}", KrippendorffAlpha, at) for at, scale in enumerate(SCALES)),
    ("scott-pi", ScottPi, 0),
    ("gwet-ac none", GwetAC, 0),
    ("n-agreement 0", NAgreement, 0),
)


class AgreementDifference(Statistic[Settings]):
    """How much better judges agree here than in the other table."""

    name = "agreement-difference"
    asks = "Do judges agree better here than there?"
    formula = (
        "agreement here − agreement in --against, with an interval from those of both; units of "
        "both tables let them vary together"
    )
    source = "Zou 2007, interval of a difference of correlations"
    needs = ("judge",)
    order = 13
    over = "statistic"
    counted = "units in both tables together"
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Every coefficient of every question of both; none without a table to compare with."""
        if evaluation.against is None:
            return
        pairs = _matched(evaluation.ratings, evaluation.against.ratings)
        found = [_Difference.of(here.firsts, there.firsts, settings) for here, there in pairs]
        how = common_method(one.found.method for one in found)
        yield self.result(
            evaluation,
            settings,
            [e for one in found for e in one.estimates()],
            how=for_these_judges(how, settings),
            unit=settings.unit,
        )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """Of the first coefficient, and whether chance explains it."""
        first = known[0]
        value = f"{spoken(first.value)}{interval(first)}"
        words = f"{first.by['statistic']} ({subject(first)}) differs by {value}"
        if first.low is None or first.high is None:
            return f"{words}; how far that is chance cannot be told."
        zero = first.low <= 0 <= first.high
        return f"{words}: {'0 lies in the interval' if zero else 'more than chance explains'}."


def _matched(
    here: Sequence[Ratings], there: Sequence[Ratings]
) -> Iterator[tuple[Ratings, Ratings]]:
    """Ratings of the same question and split; those of a single one whatever its name."""
    if len(here) == len(there) == 1:
        yield here[0], there[0]
        return
    known = {(r.question, *r.tags.values()): r for r in there}
    for ratings in here:
        key = (ratings.question, *ratings.tags.values())
        if key in known:
            yield ratings, known[key]


class _Difference(NamedTuple):
    ratings: Ratings
    units: int
    found: Estimates

    @classmethod
    def of(cls, here: Ratings, there: Ratings, settings: Settings) -> _Difference:
        both = [units_of(ratings, settings) for ratings in (here, there)]
        codes, number = _common_units((here, there), both)
        own, other = (_side(ratings, settings) for ratings in (here, there))
        value = own.values - other.values
        if not settings.intervals:
            return cls(here, number, Estimates.without_intervals(value))
        shared = len(np.intersect1d(codes[0], codes[1]))
        alike = np.zeros(len(COMPARED))
        if shared:
            group = random_groups(number)
            moved = [
                _moved(ratings, group[unit], int(group.max(initial=-1)) + 1)
                for ratings, unit in zip((here, there), codes, strict=True)
            ]
            alike = _cosine(*moved)
        low, high = difference_interval(own, other, alike)
        how = (
            f"{settings.confidence:.0%} interval from those of both (Zou 2007) and how leaving out "
            f"a unit moves both, {number:,} {both[0].words}, {shared:,} of them in both tables"
        )
        notes = tuple(
            method_line(*dict.fromkeys(pair)) for pair in zip(own.notes, other.notes, strict=True)
        )
        found = Estimates(values=value, low=low, high=high, method=how, notes=notes)
        return cls(here, number, with_unit_note(found, both[0]))

    def estimates(self) -> Iterator[Estimate]:
        for at, (statistic, _, _) in enumerate(COMPARED):
            by: dict[str, Key] = {"statistic": statistic}
            reason = "it is not defined in both tables"
            yield self.found.estimate(at, n=self.units, about=self.ratings, by=by, reason=reason)


def difference_interval(here: Estimates, there: Estimates, alike: Array) -> tuple[Array, Array]:
    """The ends of the interval of a difference from those of both values and their correlation.

    Zou 2007: the lower end is d − √(a² − 2 r a b + b²) with a how far the one value lies above its
    lower end, b how far the other lies below its upper one, and so the upper end. Few units of one
    side keep so the width that they have alone, and the intervals of coefficients their shape. It
    has no interval where nothing sets the two apart.
    """

    def reach(a: Array, b: Array) -> Array:
        a, b = np.maximum(a, 0.0), np.maximum(b, 0.0)
        return np.asarray(np.sqrt(np.maximum(a**2 - 2 * alike * a * b + b**2, 0.0)))

    difference = here.values - there.values
    low = difference - reach(here.values - here.low, there.high - there.values)
    high = difference + reach(here.high - here.values, there.values - there.low)
    known = alike < 1 - 1e-12
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def _side(ratings: Ratings, settings: Settings) -> Estimates:
    """All compared coefficients of one table, with intervals for these judges."""
    if draws_judges(settings):
        settings = Settings(
            bootstrap=settings.bootstrap,
            confidence=settings.confidence,
            seed=settings.seed,
            unit=settings.unit,
        )
    values, low, high, notes = [], [], [], []
    for _, kind, at in COMPARED:
        own = with_intervals((kind,), ratings, settings)[kind.name].values
        values.append(own.values[at])
        low.append(own.low[at])
        high.append(own.high[at])
        notes.append(own.notes[at] if own.notes else "")
    return Estimates(
        values=np.array(values, dtype=np.float64),
        low=np.array(low, dtype=np.float64),
        high=np.array(high, dtype=np.float64),
        notes=tuple(notes),
    )


def _moved(ratings: Ratings, unit: Codes, number: int) -> Array:
    """How far leaving out each unit moves each coefficient; 0 for units that are not here."""
    counts = AnswerCounts.of(ratings)
    found = []
    for _, kind, at in COMPARED:
        own = kind().item_sums(counts)
        rows = np.column_stack([np.bincount(unit, column, number) for column in own.columns.T])
        total = rows.sum(axis=0)
        with np.errstate(all="ignore"):
            left_out = np.asarray(own.score(total - rows))[:, at]
            found.append(left_out - np.asarray(own.score(total[None]))[0, at])
    return np.asarray(np.nan_to_num(np.column_stack(found)))


def _cosine(one: Array, other: Array) -> Array:
    """How far two columns move together: −1 to 1, and 0 where one does not move."""
    with np.errstate(all="ignore"):
        found = (one * other).sum(axis=0) / np.sqrt((one**2).sum(axis=0) * (other**2).sum(axis=0))
    return np.asarray(np.clip(np.nan_to_num(found), -1.0, 1.0))


def _common_units(ratings: Sequence[Ratings], units: Sequence[Units]) -> tuple[list[Codes], int]:
    """The unit of each item of both tables, the same number for the same document or item."""
    # Documents of one table and items of the other have nothing in common.
    same = units[0].word == units[1].word
    names = [_unit_names(r, u) for r, u in zip(ratings, units, strict=True)]
    told = [name if same else f"{side} {name}" for side in (0, 1) for name in names[side]]
    codes, known = coded(pl.Series(told, dtype=pl.String))
    return list(np.split(codes, [len(names[0])])), len(known)


def _unit_names(ratings: Ratings, units: Units) -> list[str]:
    """The name of each item's unit; an item without a document has its own."""
    if units.are_items:
        return list(ratings.items)
    names = ratings.frame["document"].cast(pl.String).fill_null("").to_list()
    of_item = dict(zip(ratings.item_codes.tolist(), names, strict=True))
    return [of_item[at] or f"item {item}" for at, item in enumerate(ratings.items)]
