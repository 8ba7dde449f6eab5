"""The difference of two agreements: two campaigns, two scales, two files (`--against`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.resampling.jackknife_t import random_groups
from jurat.results import Estimate, Key, Result, spoken
from jurat.stats.agreement.answer_counts import AnswerCounts
from jurat.stats.agreement.item_statistic import ItemStatistic
from jurat.stats.agreement.kappas import FleissKappa, GwetAC, ScottPi
from jurat.stats.agreement.krippendorff_alpha import SCALES, KrippendorffAlpha
from jurat.stats.agreement.new_judges import for_these_judges
from jurat.stats.agreement.percent_agreement import NAgreement
from jurat.stats.estimates import Estimates, common_method, jackknife_estimates
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.phrases import interval, subject
from jurat.stats.ratings import Array, Codes, Ratings, coded
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.units import Units, units_of, with_unit_note

_Values = Callable[[Array], Array]
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
        "agreement here − agreement in --against; a unit of both tables is left out of both at once"
    )
    source = "delete-one jackknife of a difference (Arvesen 1969)"
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
        group = random_groups(number)
        sides = [
            _side(ratings, group[unit], int(group.max(initial=-1)) + 1)
            for ratings, unit in zip((here, there), codes, strict=True)
        ]
        width = sides[0][0].shape[1]

        def score(totals: Array) -> Array:
            return np.asarray(sides[0][1](totals[:, :width]) - sides[1][1](totals[:, width:]))

        shared = len(np.intersect1d(codes[0], codes[1]))
        how = f"{both[0].words}, {shared:,} of them in both tables"
        found = jackknife_estimates(
            np.hstack([rows for rows, _ in sides]),
            score,
            settings=settings,
            scale="identity",
            sizes=np.bincount(np.concatenate([group[unit] for unit in codes])),
            words=how,
        )
        return cls(here, number, with_unit_note(found, both[0]))

    def estimates(self) -> Iterator[Estimate]:
        for at, (statistic, _, _) in enumerate(COMPARED):
            by: dict[str, Key] = {"statistic": statistic}
            reason = "it is not defined in both tables"
            yield self.found.estimate(at, n=self.units, about=self.ratings, by=by, reason=reason)


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


def _side(ratings: Ratings, unit: Codes, number: int) -> tuple[Array, _Values]:
    """The columns of all compared coefficients by unit, and their values from the totals."""
    counts = AnswerCounts.of(ratings)
    sums = [kind().item_sums(counts) for _, kind, _ in COMPARED]
    ends = np.cumsum([own.columns.shape[1] for own in sums])
    columns = np.hstack([own.columns for own in sums])
    rows = np.column_stack([np.bincount(unit, column, number) for column in columns.T])

    def values(totals: Array) -> Array:
        split = np.split(totals, ends[:-1], axis=1)
        return np.column_stack(
            [
                np.asarray(own.score(part))[:, at]
                for own, part, (_, _, at) in zip(sums, split, COMPARED, strict=True)
            ]
        )

    return np.asarray(rows, dtype=np.float64), values
