"""Numbers of a metric without each of the systems, from one pass over all of them.

Most of what is compared stays the same where a system is left out: pairs of the other systems are
sorted once, and what a system takes away from sums and ranks is taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from jurat.stats.correlation import mid_ranks, pearson
from jurat.stats.metaeval.accuracy_with_ties import sorted_pairs
from jurat.stats.metaeval.correlation import average, default_grouping, kendall_of, segment_value
from jurat.stats.metaeval.difference_threshold import thresholds_of_sums
from jurat.stats.metaeval.human_scores import Mask
from jurat.stats.metaeval.matched_scores import MatchedScores, score_groups
from jurat.stats.metaeval.segment_ranking import (
    SegmentRho,
    consistent_and_counted,
    judge_tables,
    judge_values,
    rho_sums,
    spearman_sums,
    verdicts,
)
from jurat.stats.metaeval.soft_accuracy import pairwise_p, shared_scores
from jurat.stats.ratings import Array, summed
from jurat.stats.settings import MetricSettings

# Members of a group beyond which its pairs are not counted again for each system.
LONG = 1000
NAN = float("nan")


class LeftOut(NamedTuple):
    """A number of all systems, and without each of them; NaN where it is undefined."""

    whole: float
    each: Sequence[float]


# None where the number has to be computed system by system.
AtOnce = Callable[[MatchedScores, int, MetricSettings], LeftOut | None]


def _threshold_at_once(data: MatchedScores, metric: int, _: MetricSettings) -> LeftOut:
    votes, margin = data.human.decisions.pairs, data.margins(metric)
    # Sorted once, since what is left without a system is sorted, too.
    order = np.flatnonzero(~np.isnan(margin) & (margin != 0))
    order = order[np.argsort(np.abs(margin[order]), kind="stable")]
    size, agrees = np.abs(margin[order]), votes.majority_agrees(margin)[order]
    first, second = votes.first[order], votes.second[order]
    last = np.append(np.flatnonzero(size[1:] != size[:-1]), len(size) - 1)
    excess = agrees - 0.5

    def threshold(kept: Mask | bool) -> float:
        # Sizes that only pairs of the system have add nothing, and are no threshold.
        sums = np.cumsum(np.where(kept, excess, 0.0))[last]
        return float(thresholds_of_sums(sums[None], size[last], NAN)[0])

    if not len(size):
        return LeftOut(NAN, [NAN] * len(data.systems))
    each = ((first != at) & (second != at) for at in range(len(data.systems)))
    return LeftOut(threshold(True), [threshold(kept) for kept in each])


def _consistency_at_once(data: MatchedScores, metric: int, settings: MetricSettings) -> LeftOut:
    rows, systems = data.human.decisions, len(data.systems)
    judges = max(1, len(data.human.judges))
    sums = []
    for part in consistent_and_counted(verdicts(data, metric), settings):
        # Halves and ones: what a system's decisions take away is exactly what is then missing.
        own = sum(
            summed(rows.judge * systems + side, part, judges * systems).reshape(judges, -1)
            for side in (rows.first, rows.second)
        )
        whole = summed(rows.judge, part, judges)
        sums.append(np.column_stack([whole, whole[:, None] - own]).T)
    whole, *each = judge_values(np.hstack(sums))[:, -1]
    return LeftOut(whole, each)


def _spearman_at_once(data: MatchedScores, metric: int, settings: MetricSettings) -> LeftOut | None:
    # Of preferences, a judge's scores are wins less losses, which change without a system.
    if data.human.means is None:
        return None
    rows = data.once(judge_tables)
    human, scores = rows.scores, data.oriented[metric][rows.segment]
    missing = np.isnan(human) | np.isnan(scores)
    sides = [np.where(missing, np.nan, side) for side in (human, scores)]
    ranks = [mid_ranks(side) for side in sides]
    each = []
    for at in range(len(data.systems)):
        kept = np.arange(len(data.systems)) != at
        left = [_ranks_without(at, *both)[:, kept] for both in zip(sides, ranks, strict=True)]
        several = (~missing[:, kept]).sum(axis=1) > 1
        rho = SegmentRho(rows.segment, rows.judge, pearson(*left), several)
        each.append(float(rho_sums(data, rho, settings).values[-1]))
    whole = spearman_sums(data, metric, settings).values[-1]
    return LeftOut(float(whole), each)


def _ranks_without(at: int, values: Array, ranks: Array) -> Array:
    """Mid-ranks of each row without the value in one place: those above it move down by one."""
    gone = values[:, at : at + 1]
    return np.asarray(ranks - (values > gone) - 0.5 * (values == gone))


def _kendall_at_once(data: MatchedScores, metric: int, settings: MetricSettings) -> LeftOut | None:
    coefficient = kendall_of(settings.kendall or "b")
    grouping = default_grouping(coefficient, settings)
    if data.human.means is None or grouping != "none" or not coefficient.left_out:
        return None
    groups = score_groups(data.human.means, data.oriented[metric], grouping)
    system = np.tile(np.arange(len(data.systems)), data.segments)
    each = coefficient.left_out(groups.human[0], groups.metric[0], system)
    return LeftOut(segment_value(data, metric, coefficient, grouping), list(each))


def _accuracy_at_once(data: MatchedScores, metric: int, settings: MetricSettings) -> LeftOut | None:
    if data.human.means is None or settings.grouped("item") != "item" or len(data.systems) > LONG:
        return None
    pairs = sorted_pairs(data, metric)
    first, second = pairs.members
    kept = ((first != at) & (second != at) for at in range(len(data.systems)))
    whole = pairs.accuracy(np.ones(len(first), dtype=np.bool_))
    return LeftOut(whole, [pairs.accuracy(own) for own in kept])


def _soft_at_once(data: MatchedScores, metric: int, _: MetricSettings) -> LeftOut | None:
    if data.human.means is None:
        return None
    human, scores = shared_scores(data, metric)
    # Without gaps the test of two systems is about these two alone.
    if not len(human) or np.isnan(human).any():
        return None
    apart = np.abs(pairwise_p(human) - pairwise_p(scores))
    first, second = np.triu_indices(len(data.systems), 1)
    kept = ((first != at) & (second != at) for at in range(len(data.systems)))
    return LeftOut(1 - average(apart), [1 - average(apart[own]) for own in kept])


AT_ONCE: Mapping[str, AtOnce] = {
    "threshold": _threshold_at_once,
    "consistency": _consistency_at_once,
    "spearman": _spearman_at_once,
    "kendall": _kendall_at_once,
    "acceq": _accuracy_at_once,
    "spa": _soft_at_once,
}
