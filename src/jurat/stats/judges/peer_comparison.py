"""Each judge's mean, and its difference and distance to the others on the same items.

These are Hamon et al.'s ways of finding judges who stand out, and what other signals compare with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.figures import ranked_judges_figure
from jurat.stats.judges.judge_ratings import JudgeIntervals, judge_intervals, true_ratings
from jurat.stats.judges.judge_statistic import (
    OutlierFlags,
    Signal,
    SignalValues,
    all_estimates,
    flag_above,
    flag_outside,
    limit_lines,
    sides,
)
from jurat.stats.judges.peer_tests import (
    PeerTest,
    distance_excess,
    excess_over_others,
    exchange_test,
    pair_distance_test,
    peer_test,
    unit_name,
)
from jurat.stats.ratings import Array, Codes, Ratings, divide_or_nan, summed
from jurat.stats.settings import JudgeSettings

WORDS = "the answers are words; folding makes numbers of them"
ALONE = "nobody else judged the same items"
# The columns of a comparison's intervals.
MEAN, DIFFERENCE, OTHERS, DISTANCE = range(4)


@dataclass(frozen=True, kw_only=True, eq=False)
class PeerComparison:
    """Every judge's values of one question and split, in the columns MEAN to DISTANCE.

    They come from each judge's first judgment of an item, and the others' of the same item.
    """

    ratings: Ratings
    intervals: JudgeIntervals
    shared: Codes
    """How many items of each judge others judged too."""

    @property
    def judges(self) -> list[str]:
        """Who judged, sorted."""
        return self.ratings.judges

    @cached_property
    def counts(self) -> Codes:
        """How many items each judge judged."""
        return np.bincount(self.ratings.judge_codes, minlength=len(self.judges))

    def values(self, at: int) -> Array:
        """One of the values of every judge; words have no mean, only a distance."""
        nothing = self.ratings.nominal and at != DISTANCE
        return np.full(len(self.judges), np.nan) if nothing else self.intervals.values[:, at]

    def signal(self, at: int, flags: OutlierFlags, side: tuple[str, ...] = ()) -> SignalValues:
        """One of the values of every judge, with the outliers by it."""
        values, known = self.values(at), self.intervals.column(at)
        low, high = (np.where(np.isnan(values), np.nan, end) for end in (known.low, known.high))
        # a t interval knows no limits, and a distance cannot lie below 0
        low = np.maximum(low, 0.0) if at == DISTANCE else low
        return SignalValues.of(
            self.ratings,
            replace(known, values=values, low=low, high=high),
            self.counts if at == MEAN else self.shared,
            flags,
            reason=WORDS if self.ratings.nominal and at != DISTANCE else ALONE,
            side=side,
        )

    def difference_test(self, unit: str) -> PeerTest | None:
        """The test of the differences from the others; None for words."""
        if self.ratings.nominal:
            return None
        excess = excess_over_others(self.ratings.values, self.ratings)
        return peer_test(excess, self.ratings, unit=unit)

    def distance_test(self, unit: str) -> PeerTest:
        """The test of the distances, of items with three answers or, without any, of pairs.

        Without each judge's mean difference from the others, or a strict judge would be found a
        second time; p is at least that without the median difference, since with skewed scores one
        large error moves the mean, and with it all answers of a judge.
        """
        means, medians = self.values(DIFFERENCE), self._median_differences()
        found, robust = (self._distance_test(self._without(s), unit) for s in (means, medians))
        return found._replace(p=np.maximum(found.p, robust.p))

    def _distance_test(self, values: Array, unit: str) -> PeerTest:
        apart = distance_sums(self.ratings, values)
        excess = distance_excess(apart, self.ratings)
        # rounding leaves tiny distances where there are none
        apart = np.where(apart < 1e-9 * max(1.0, float(apart.max(initial=0.0))), 0.0, apart)
        if np.isnan(excess).all():
            return pair_distance_test(apart, self.ratings, unit=unit)
        return exchange_test(excess, self.ratings, unit=unit)

    def _without(self, severity: Array) -> Array:
        """The scores without what each judge adds to all of them."""
        return self.ratings.values - np.nan_to_num(severity)[self.ratings.judge_codes]

    def _median_differences(self) -> Array:
        """The median over a judge's answers of their difference from the others' mean."""
        if self.ratings.nominal:
            return self.values(DIFFERENCE)
        excess = excess_over_others(self.ratings.values, self.ratings)
        known = ~np.isnan(excess)
        judge = self.ratings.judge_codes[known]
        ends = np.cumsum(np.bincount(judge, minlength=len(self.judges)))[:-1]
        own = np.split(excess[known][np.argsort(judge, kind="stable")], ends)
        return np.array([np.median(each) if len(each) else 0.0 for each in own])

    def two_sided(self, at: int, settings: JudgeSettings) -> SignalValues:
        """The same, with outliers on both sides: strict judges and lenient ones."""
        values = self.values(at)
        flags = flag_outside(values, settings.k)
        return self.signal(at, flags, sides(values, flags.found, settings))

    def others(self) -> SignalValues:
        """The others' mean on the items of each judge, by which nobody is an outlier."""
        return self.signal(OTHERS, OutlierFlags.undefined(len(self.judges)))


def peer_comparisons(evaluation: Evaluation, settings: JudgeSettings) -> list[PeerComparison]:
    """A comparison for each question and split."""
    return [peer_comparison(ratings, settings) for ratings in true_ratings(evaluation, settings)]


def peer_comparison(ratings: Ratings, settings: JudgeSettings) -> PeerComparison:
    """Each judge's mean, difference and distance to the others, of first judgments; made once."""
    return ratings.firsts.once(_peer_comparison, settings)


def _peer_comparison(ratings: Ratings, settings: JudgeSettings) -> PeerComparison:
    # only items that others judged too can be compared; the mean is over all of them
    others = others_count(ratings) > 0
    own = ratings.values
    columns = [
        np.ones(len(ratings)),
        own,
        others,
        *(np.where(others, part, 0.0) for part in (own, others_mean(ratings), distance(ratings))),
    ]
    return PeerComparison(
        ratings=ratings,
        intervals=judge_intervals(np.column_stack(columns), ratings, _scores, settings),
        shared=np.bincount(ratings.judge_codes[others], minlength=len(ratings.judges)),
    )


def _scores(totals: Array) -> Array:
    """Mean, difference, others' mean and distance, in the order of the columns above."""
    count, own, shared, own_shared, others, apart = totals.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.column_stack(
            [own / count, (own_shared - others) / shared, others / shared, apart / shared]
        )


def others_count(ratings: Ratings) -> Codes:
    """How many other judgments the item of each judgment has."""
    return np.bincount(ratings.item_codes)[ratings.item_codes] - 1


def others_mean(ratings: Ratings) -> Array:
    """The mean of the other judgments of each judgment's item; NaN where there are none."""
    values, items = ratings.values, ratings.item_codes
    total = summed(items, values)[items]
    return divide_or_nan(total - values, others_count(ratings))


def distance(ratings: Ratings) -> Array:
    """The mean of |own − other| over the others of each judgment's item; words differ by 1."""
    return divide_or_nan(distance_sums(ratings), others_count(ratings))


def distance_sums(ratings: Ratings, values: Array | None = None) -> Array:
    """The sum of |own − other| over the others of each judgment's item; words differ by 1.

    Of the scores, or of other `values` in their place.
    """
    if ratings.nominal:
        return _differing(ratings)
    return _distances(ratings, ratings.values if values is None else values)


def _differing(ratings: Ratings) -> Array:
    """How many of the others gave another word."""
    cells = ratings.item_codes * len(ratings.points) + ratings.codes
    # same counts the own answer, too, and so does others_count + 1
    _, which, same = np.unique(cells, return_inverse=True, return_counts=True)
    return np.asarray(others_count(ratings) + 1 - same[which], dtype=np.float64)


def _distances(ratings: Ratings, values: Array) -> Array:
    """Σ|own − other| over an item's other judgments, from its sorted values and their sums.

    For the value in place r of n, r others lie below and n − 1 − r above.
    """
    # all pairs of an item with a thousand judgments would be a million; sorting is n log n
    items = ratings.item_codes
    order = np.lexsort((values, items))
    held, size = values[order], np.bincount(items)
    start = np.concatenate([[0], np.cumsum(size)[:-1]])[items[order]]
    place, many = np.arange(len(order)) - start, size[items[order]]
    sums = np.concatenate([[0.0], np.cumsum(held - held.mean())])
    below = sums[start + place] - sums[start]
    above = sums[start + many] - sums[start + place + 1]
    centred = held - held.mean()
    apart = np.empty(len(order))
    apart[order] = centred * place - below + above - centred * (many - 1 - place)
    return apart


class PeerDifference(Signal):
    """Hamon et al.'s first way, second reading: the difference to the others."""

    name = "judge-difference"
    gives = ("judge-difference", "judge-others-mean")
    way = "difference"
    asks = "Who scores the same items lower or higher than the others do?"
    formula = "mean over items of own score − mean of the others' scores of the item"
    rule = "outside mean ± {k} SD (ddof 1) of the judges' differences"
    source = "Hamon et al., section 3.3, figures 2 and 3"
    order = 32
    counted = "items that others judged too"

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues:
        """The difference of every judge."""
        peers = peer_comparison(ratings, settings)
        found = peers.two_sided(DIFFERENCE, settings)
        test = peers.difference_test(settings.unit)
        known = test and test.intervals(settings, unit_name(peers.ratings, settings.unit))
        return replace(found, test=test, estimated=known or found.estimated)

    def results(self, evaluation: Evaluation, settings: JudgeSettings) -> Iterator[Result]:
        """The difference of every judge, and the others' mean on their items."""
        yield from super().results(evaluation, settings)
        yield self.signal_result(
            evaluation,
            settings,
            [peers.others() for peers in peer_comparisons(evaluation, settings)],
            name="judge-others-mean",
            formula="mean over the judge's items of the mean of the others' scores of the item",
        )


class JudgeMean(Signal):
    """Hamon et al.'s first way: a judge's mean score among the means of all judges."""

    name = "judge-mean"
    gives = ("judge-mean", "overall-mean")
    way = "score"
    asks = "Who scores lower or higher than the other judges?"
    formula = "mean of the judge's scores, their first of each item"
    rule = "outside mean ± {k} SD (ddof 1) of the judges' means"
    source = "Hamon et al., section 3.3, figures 2 and 3"
    order = 30

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues:
        """The mean of every judge."""
        return peer_comparison(ratings, settings).two_sided(MEAN, settings)

    def results(self, evaluation: Evaluation, settings: JudgeSettings) -> Iterator[Result]:
        """The mean of every judge, drawn with that of the others; the mean of all judgments."""
        found, peers = self.values(evaluation, settings), peer_comparisons(evaluation, settings)
        yield self.signal_result(
            evaluation,
            settings,
            found,
            draw=lambda: ranked_judges_figure(
                "Mean score by judge, and of the others' judgments of the same items",
                all_estimates(found),
                value="judge",
                title_y="mean score",
                lines=limit_lines(found, settings),
                other=all_estimates([one.others() for one in peers]),
                other_name="others",
            ),
        )
        yield self.result(
            evaluation,
            settings,
            [mean_score(one.ratings) for one in peers],
            name="overall-mean",
            method="mean of all judgments, a judge's first of each item; n counts judgments",
            **settings.choices(),
        )


def mean_score(ratings: Ratings, **by: str) -> Estimate:
    """The mean of some ratings; missing where they are words."""
    mean = np.nan if ratings.nominal else ratings.values.mean()
    return Estimate.of(mean, len(ratings), about=ratings, by=by, reason=WORDS)


class PeerDistance(Signal):
    """Hamon et al.'s second way, which they call mean agreement."""

    name = "judge-distance"
    way = "distance"
    doubts = True
    asks = "Who is far from the others on the same items?"
    formula = "mean over items of the mean |own − other| over the others of the item"
    rule = "above mean + {k} SD (ddof 1) of the judges' distances; side by the difference"
    source = "Hamon et al., section 3.3, figures 4 and 5"
    order = 34
    counted = "items that others judged too"

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues:
        """The distance of every judge."""
        peers = peer_comparison(ratings, settings)
        flags = flag_above(peers.values(DISTANCE), settings.k)
        side = sides(peers.values(DIFFERENCE), flags.found, settings)
        return replace(peers.signal(DISTANCE, flags, side), test=peers.distance_test(settings.unit))
