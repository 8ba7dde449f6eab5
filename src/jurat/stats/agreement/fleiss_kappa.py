"""Fleiss' kappa and Scott's pi, agreement beyond what the use of the scale alone would bring about.

Also Fleiss' kappa with each judge left out: who lowers the agreement of all?
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.answer_counts import AnswerCounts
from jurat.stats.agreement.item_bootstrap import (
    ItemStatistic,
    ItemSums,
    expected_agreement,
    values_of,
)
from jurat.stats.agreement.presentation import (
    MOST_ROWS,
    subject,
)
from jurat.stats.evaluation import Evaluation
from jurat.stats.kappa import chance_corrected
from jurat.stats.phrases import percent
from jurat.stats.ratings import Array, Ratings, summed
from jurat.stats.statistic import Settings, Statistic


class FleissKappa(ItemStatistic):
    """Kappa for any number of judges an item, who need not be the same ones."""

    name = "fleiss-kappa"
    gives = ("fleiss-kappa", "fleiss-observed", "fleiss-expected")
    asks = "Do judges agree more than chance would have it?"
    formula = (
        "(Po − Pe) / (1 − Pe); Po = mean over items of Σ n_ij(n_ij − 1) / n_i(n_i − 1), "
        "Pe = Σ (share of answer j)²; items with one judgment leave both"
    )
    source = "Fleiss 1971; Hamon et al., section 4.2"
    order = 20
    counted = "items"
    words = "Beyond chance, judges agree"

    def item_sums(self, counts: AnswerCounts) -> ItemSums:
        """Observed agreement of each item, and the shares of the answers."""
        # Items with one judgment leave the shares too, else chance would come from other answers.
        by_chance = expected_agreement(counts, counts.paired)
        columns = [counts.paired, counts.mean_per_pair(counts.equal)]

        def score(totals: Array) -> Array:
            observed, expected = totals[:, 1] / totals[:, 0], by_chance.of(totals[:, 2:])
            return np.column_stack([chance_corrected(observed, expected), observed, expected])

        return ItemSums(np.column_stack([*columns, by_chance.columns]), score)

    def headline(self, name: str, estimates: Sequence[Estimate]) -> str:
        """Kappa in Landis and Koch's words; its two parts in percent."""
        if name == self.name:
            return super().headline(name, estimates)
        share = next((e.value for e in estimates if e.value is not None), None)
        if share is None:
            return ""
        which = "agree" if name == "fleiss-observed" else "would agree by chance"
        return f"Two judgments of an item {which} in {percent(share)} of cases."


class ScottPi(ItemStatistic):
    """Scott's pi over all pairs of judgments; with two judges it is what Scott defined."""

    name = "scott-pi"
    gives = ("scott-pi",)
    asks = "Do pairs of judgments agree more than the use of the scale explains?"
    formula = (
        "(Po − Pe) / (1 − Pe); Po = share of equal pairs, Pe = Σ (share of answer j)² "
        "over the judgments of all pairs"
    )
    source = "Scott 1955"
    order = 32
    words = "Pairs of judgments agree beyond chance"

    def item_sums(self, counts: AnswerCounts) -> ItemSums:
        """Pairs, equal pairs, and the shares of the answers in them."""
        # A judgment counts as often as it is in a pair.
        by_chance = expected_agreement(counts, np.maximum(counts.size - 1, 0))

        def score(totals: Array) -> Array:
            observed = totals[:, 1] / totals[:, 0]
            return chance_corrected(observed, by_chance.of(totals[:, 2:]))[:, None]

        return ItemSums(np.column_stack([counts.pairs, counts.equal, by_chance.columns]), score)


def fleiss_kappa(ratings: Ratings) -> tuple[float, float, float]:
    """Kappa, observed and expected agreement of the first answers; NaN where undefined."""
    kappa, observed, expected = values_of(FleissKappa(), ratings)
    return float(kappa), float(observed), float(expected)


def scott_pi(ratings: Ratings) -> float:
    """Scott's pi of the first answers; NaN where undefined."""
    return float(values_of(ScottPi(), ratings)[0])


class LeftOutKappa(Statistic[Settings]):
    """Kappa of the other judges, for each judge."""

    name = "left-out-kappa"
    gives = ("left-out-kappa",)
    asks = "Whose absence would raise the agreement of the others?"
    formula = "Fleiss' kappa without the judge's answers; n counts the items that are left"
    source = "analysis of influence; Hamon et al., section 4.3"
    needs = ("judge",)
    order = 65

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
    observed = _quotient(share.sum() + summed(judge, change, judges), items)
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
    return _quotient(squares, (total.sum() - summed(of, number.astype(np.float64), judges)) ** 2)


def _other_of_two(ratings: Ratings, counts: AnswerCounts) -> Array:
    """The other answer to an item with two, for each answer; −1 where there are not two."""
    sums = summed(ratings.item_codes, ratings.codes.astype(np.float64), counts.items)
    other = sums[ratings.item_codes] - ratings.codes
    return np.where(counts.size[ratings.item_codes] == 2, other, -1).astype(np.int64)


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
    known = [e for e in estimates if e.value is not None]
    if not known or not found:
        return ""
    best, (kappa, _, _) = known[0], fleiss_kappa(found[0])
    return (
        f"Without judge {best.by['judge']}, kappa ({subject(best)}) would be "
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
