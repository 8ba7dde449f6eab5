"""Fleiss' kappa with each judge left out: who lowers the agreement of all?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.fleiss_kappa import fleiss_kappa
from jurat.stats.agreement.pictures import MOST_ROWS
from jurat.stats.agreement.tallies import Tallies, summed
from jurat.stats.agreement.wording import of_what
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Ratings
from jurat.stats.statistic import Settings, Statistic


class LeftOutKappa(Statistic[Settings]):
    """Kappa of the other judges, for each judge."""

    name = "left-out-kappa"
    gives = ("left-out-kappa",)
    asks = "Whose absence would raise the agreement of the others?"
    formula = "Fleiss' kappa without the judge's answers; n counts the items that are left"
    source = "analysis of influence; Hamon et al., section 4.3"
    needs = ("judge",)
    place = 65

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A kappa a judge, the largest first."""
        found = [ratings.firsts for ratings in evaluation.ratings]
        estimates = tuple(e for ratings in found for e in _estimates(ratings))
        yield self.result(
            evaluation,
            settings,
            estimates,
            headline=_headline(found, estimates),
            draw=lambda: _draw(estimates),
        )


def left_out_kappa(ratings: Ratings) -> tuple[Array, Array]:
    """Fleiss' kappa without each of the `judges`, and the items with two judgments or more.

    Leaving out one of n judgments of an item takes its equal pairs off; all sums are corrected
    judgment by judgment, so that the time does not grow with the number of judges.
    """
    tallies, judge, judges = Tallies.of(ratings), ratings.judge_codes, len(ratings.judges)
    item, points = ratings.item_codes, tallies.points
    cell = np.searchsorted(tallies.item * points + tallies.code, item * points + ratings.codes)
    size, same = tallies.size[item], tallies.count[cell] - 1
    share = tallies.mean_per_pair(tallies.equal)
    left = (size - 1) * (size - 2) / 2
    without = np.divide(tallies.equal[item] - same, left, out=np.zeros(len(item)), where=left > 0)
    gone = summed(judge, (size == 2).astype(np.float64), judges)
    items = tallies.paired.sum() - gone
    change = np.where(size > 1, without - share[item], 0.0)
    observed = _quotient(share.sum() + summed(judge, change, judges), items)
    return _corrected(observed, _expected(ratings, tallies)), items


def _expected(ratings: Ratings, tallies: Tallies) -> Array:
    """Σ (share of answer j)² without each judge, and without items that only one other judged."""
    judge, judges, points = ratings.judge_codes, len(ratings.judges), tallies.points
    size = tallies.size[ratings.item_codes]
    total = tallies.per_point(tallies.count * tallies.paired[tallies.item])
    own = judge * points + ratings.codes
    other = _other_of_two(ratings, tallies)
    lost_with = judge[other >= 0] * points + other[other >= 0]
    lost = np.concatenate([own[size > 1], lost_with])
    # Only answers that a judge takes away differ from the totals: few, even on long scales.
    cells, number = np.unique(lost, return_counts=True)
    of, point = np.divmod(cells, points)
    squares = (total**2).sum() + summed(of, number * (number - 2 * total[point]), judges)
    return _quotient(squares, (total.sum() - summed(of, number.astype(np.float64), judges)) ** 2)


def _other_of_two(ratings: Ratings, tallies: Tallies) -> Array:
    """The other answer to an item with two, for each answer; −1 where there are not two."""
    sums = summed(ratings.item_codes, ratings.codes.astype(np.float64), tallies.items)
    other = sums[ratings.item_codes] - ratings.codes
    return np.where(tallies.size[ratings.item_codes] == 2, other, -1).astype(np.int64)


def _corrected(observed: Array, expected: Array) -> Array:
    return _quotient(observed - expected, 1 - expected)


def _quotient(above: Array, below: Array) -> Array:
    quotient = np.full(len(above), np.nan)
    np.divide(above, below, out=quotient, where=np.abs(below) > 1e-12)
    return quotient


def _estimates(ratings: Ratings) -> Iterator[Estimate]:
    kappas, items = left_out_kappa(ratings)
    for at in np.argsort(-np.nan_to_num(kappas, nan=-np.inf), kind="stable").tolist():
        known = not np.isnan(kappas[at])
        reason = "too few judgments are left" if items[at] < 1 else "only one answer is left"
        yield Estimate(
            value=float(kappas[at]) if known else None,
            n=int(items[at]),
            by={**ratings.by, "judge": ratings.judges[at]},
            tags=ratings.tags,
            reason="" if known else reason,
        )


def _headline(found: Sequence[Ratings], estimates: Sequence[Estimate]) -> str:
    told = [e for e in estimates if e.value is not None]
    if not told or not found:
        return ""
    best, (kappa, _, _) = told[0], fleiss_kappa(found[0])
    return (
        f"Without judge {best.by['judge']}, kappa ({of_what(best)}) would be "
        f"{spoken(best.value)} instead of {spoken(kappa)}; a diagnosis of the judges says more."
    )


def _draw(estimates: Sequence[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "Fleiss' kappa without each judge",
        estimates[:MOST_ROWS],
        over="judge",
        value="kappa of the others",
        facet="question",
    )
