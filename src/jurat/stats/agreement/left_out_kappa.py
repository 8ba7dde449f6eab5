"""Fleiss' kappa with each judge left out: who lowers the agreement of all?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats.agreement.answer_counts import AnswerCounts
from jurat.stats.agreement.fleiss_kappa import fleiss_kappa
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.figures import MOST_ROWS, points_with_intervals
from jurat.stats.kappa import chance_corrected
from jurat.stats.phrases import subject
from jurat.stats.ratings import Array, Ratings, divide_or_nan, summed
from jurat.stats.statistic import Settings, Statistic


class LeftOutKappa(Statistic[Settings]):
    """Kappa of the other judges, for each judge."""

    name = "left-out-kappa"
    asks = "Whose absence would raise the agreement of the others?"
    formula = "Fleiss' kappa without the judge's answers"
    counted = "the items that are left"
    source = "analysis of influence; Hamon et al., section 4.3"
    needs = ("judge",)
    order = 65

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A kappa a judge, the largest first."""
        found = [ratings.firsts for ratings in evaluation.ratings]
        estimates = tuple(e for ratings in found for e in _estimates(ratings))
        yield self.result(evaluation, settings, estimates, headline=_headline(found, estimates))

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """The judges without whom kappa is largest."""
        return points_with_intervals(
            "Fleiss' kappa without each judge",
            estimates[:MOST_ROWS],
            over="judge",
            value="kappa of the others",
            facet="question",
        )


def left_out_kappa(ratings: Ratings) -> tuple[Array, Array]:
    """Fleiss' kappa without each of the `judges`, and the items with two judgments or more.

    Leaving out one of n judgments of an item takes its equal pairs off; all sums are corrected
    judgment by judgment, so that the time does not grow with the number of judges.
    """
    counts, judge, judges = AnswerCounts.of(ratings), ratings.judge_codes, len(ratings.judges)
    item, points = ratings.item_codes, counts.points
    # Which count of the item each answer is part of.
    cell = np.searchsorted(counts.item * points + counts.code, item * points + ratings.codes)
    size, same = counts.size[item], counts.count[cell] - 1
    share = counts.mean_per_pair(counts.equal)
    left = (size - 1) * (size - 2) / 2
    without = np.divide(counts.equal[item] - same, left, out=np.zeros(len(item)), where=left > 0)
    # An item with two judgments has no pairs left without one of them.
    gone = summed(judge, (size == 2).astype(np.float64), judges)
    items = counts.paired.sum() - gone
    change = np.where(size > 1, without - share[item], 0.0)
    observed = divide_or_nan(share.sum() + summed(judge, change, judges), items)
    return chance_corrected(observed, _expected(ratings, counts)), items


def _expected(ratings: Ratings, counts: AnswerCounts) -> Array:
    """Σ (share of answer j)² without each judge, and without items that only one other judged."""
    judge, judges, points = ratings.judge_codes, len(ratings.judges), counts.points
    size = counts.size[ratings.item_codes]
    total = counts.per_point(counts.count * counts.paired[counts.item])
    own = judge * points + ratings.codes
    other = _other_of_two(ratings, counts)
    # Without one of two judgments, the other one leaves the shares as well.
    lost_with = judge[other >= 0] * points + other[other >= 0]
    lost = np.concatenate([own[size > 1], lost_with])
    # Only answers that a judge takes away differ from the totals: few, even on long scales.
    cells, number = np.unique(lost, return_counts=True)
    of, point = np.divmod(cells, points)
    squares = (total**2).sum() + summed(of, number * (number - 2 * total[point]), judges)
    return divide_or_nan(squares, (total.sum() - summed(of, number, judges)) ** 2)


def _other_of_two(ratings: Ratings, counts: AnswerCounts) -> Array:
    """The other answer to an item with two, for each answer; −1 where there are not two."""
    sums = summed(ratings.item_codes, ratings.codes.astype(np.float64), counts.items)
    other = sums[ratings.item_codes] - ratings.codes
    return np.where(counts.size[ratings.item_codes] == 2, other, -1).astype(np.int64)


def _estimates(ratings: Ratings) -> Iterator[Estimate]:
    kappas, items = left_out_kappa(ratings)
    for at in np.argsort(-np.nan_to_num(kappas, nan=-np.inf), kind="stable").tolist():
        reason = "too few judgments are left" if items[at] < 1 else "only one answer is left"
        by = {"judge": ratings.judges[at]}
        yield Estimate.of(kappas[at], items[at], about=ratings, by=by, reason=reason)


def _headline(found: Sequence[Ratings], estimates: Sequence[Estimate]) -> str:
    known = [e for e in estimates if e.value is not None]
    if not known or not found:
        return ""
    best, (kappa, _, _) = known[0], fleiss_kappa(found[0])
    return (
        f"Without judge {best.by['judge']}, kappa ({subject(best)}) would be "
        f"{spoken(best.value)} instead of {spoken(kappa)}; a diagnosis of the judges says more."
    )
