"""mt-metrics-eval's test of two metrics: PERM-BOTH (Deutsch, Dror & Roth 2021).

One-sided, of segments that are taken as independent, and not corrected for many pairs: where two
metrics are equally good, one of both is called better in more than 5 % of cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from jurat.stats.metaeval.accuracy_with_ties import calibrate, metric_pairs, pair_weights
from jurat.stats.metaeval.comparison_criterion import (
    NOT_ALL,
    RATINGS,
    TOO_FEW,
    comparison_for,
    complete_means,
    decisions_of_all,
    scored_metrics,
)
from jurat.stats.metaeval.correlation import (
    FEW,
    FEWEST,
    PEARSON,
    SPEARMAN,
    Coefficient,
    kendall_of,
)
from jurat.stats.metaeval.matched_scores import MatchedScores, ScoreGroups, score_groups
from jurat.stats.metaeval.permutation_tests import (
    Hits,
    pair_hits,
    pearson_hits,
    segment_hits,
    soft_hits,
    system_hits,
)
from jurat.stats.metaeval.segment_ranking import (
    HUMAN_TIE,
    UNSCORED,
    consistent_and_counted,
    verdicts,
)
from jurat.stats.metaeval.soft_accuracy import pairwise_p, soft_accuracy
from jurat.stats.ratings import Array, summed
from jurat.stats.settings import MetricSettings

SWAPPED = {"acceq": "right or wrong about a pair", "consistency": "right or wrong about a segment"}


class MetricTest(NamedTuple):
    """The value of each metric (higher is better), hits (m × m), and how much was swapped."""

    metrics: Sequence[int]
    values: Array
    hits: Hits
    n: int


def permutation_test(data: MatchedScores, settings: MetricSettings) -> MetricTest | str:
    """Every two metrics that have scores, or why they cannot be tested."""
    name = comparison_for(data, settings)
    used = scored_metrics(data, name)
    if len(used) < 2:
        return TOO_FEW
    if name not in TESTS:
        return f"perm-both does not compare by {name}"
    return TESTS[name](data, used, settings)


def _random(settings: MetricSettings) -> dict[str, int]:
    return {"trials": settings.permutations, "seed": settings.seed, "jobs": settings.jobs}


def _by_pearson(
    data: MatchedScores, used: Sequence[int], settings: MetricSettings
) -> MetricTest | str:
    if data.human.means is None:
        return RATINGS
    grouping, means = settings.grouped("none"), complete_means(data, used)
    groups = [score_groups(means, data.oriented[at], grouping) for at in used]
    # A group of one translation has no correlation.
    several = (~np.isnan(groups[0].human)).sum(axis=1) > 1
    if not several.any():
        return NOT_ALL
    human = groups[0].human[several]
    metrics = np.stack([group.metric[several] for group in groups])
    hits = pearson_hits(human, metrics, **_random(settings))
    values = np.array([PEARSON.value(ScoreGroups(human, own)) for own in metrics])
    return MetricTest(used, values, hits, int((~np.isnan(human)).sum()))


def _by_acceq(
    data: MatchedScores, used: Sequence[int], settings: MetricSettings
) -> MetricTest | str:
    shared, grouping = decisions_of_all(data, used), settings.grouped("item")
    pairs = [metric_pairs(shared, at, grouping) for at in used]
    found = [pair for pair in pairs if not isinstance(pair, str)]
    if reasons := [pair for pair in pairs if isinstance(pair, str)]:
        return reasons[0]
    if not len(found[0].human):
        return "no pairs have scores of all metrics"
    # Each metric with its own best ε; that is not calibrated anew when answers are swapped.
    made = [calibrate(pair) for pair in found]
    correct = np.stack([p.correct(m.epsilon) for p, m in zip(found, made, strict=True)])
    hits = pair_hits(correct, pair_weights(found[0].group), **_random(settings))
    return MetricTest(used, np.array([m.accuracy for m in made]), hits, correct.shape[1])


def _by_consistency(
    data: MatchedScores, used: Sequence[int], settings: MetricSettings
) -> MetricTest | str:
    found = np.stack([verdicts(data, at) for at in used])
    counted = ((found != UNSCORED) & (found != HUMAN_TIE)).all(axis=0)
    if not counted.any():
        return "no decisions have scores of all metrics"
    consistent = consistent_and_counted(found[:, counted], settings)[0]
    segment = data.human.decisions.segment[counted]
    sums = np.stack([summed(segment, row, data.segments) for row in consistent])
    hits = segment_hits(sums, trials=settings.permutations, seed=settings.seed)
    return MetricTest(used, consistent.mean(axis=1), hits, len(np.unique(segment)))


def _by_soft_accuracy(
    data: MatchedScores, used: Sequence[int], settings: MetricSettings
) -> MetricTest | str:
    if data.human.means is None:
        return RATINGS
    means = complete_means(data, used)
    # The permutation of signs needs every system on a segment.
    whole = ~np.isnan(means).any(axis=1)
    if not whole.any() or len(data.systems) < 2:
        return "no segment has judgments and all metrics' scores of every system"
    human, metrics = means[whole], data.oriented[list(used)][:, whole]
    hits = soft_hits(pairwise_p(human), metrics, trials=settings.permutations, seed=settings.seed)
    values = np.array([soft_accuracy(human, scores) for scores in metrics])
    return MetricTest(used, values, hits, human.size)


def _by_systems(
    coefficient: Coefficient, data: MatchedScores, used: Sequence[int], settings: MetricSettings
) -> MetricTest | str:
    scores = np.stack([data.signs[at] * data.system_scores(at)[0] for at in used])
    human = data.human.system_scores
    there = ~np.isnan(human) & ~np.isnan(scores).any(axis=0)
    if there.sum() < FEWEST:
        return FEW
    human, scores = human[there], scores[:, there]
    # Each metric is a group of one row, so that one call gives all coefficients.
    values = coefficient.of(ScoreGroups(np.broadcast_to(human, scores.shape), scores))
    random = {"trials": settings.permutations, "seed": settings.seed}
    hits = system_hits(human, scores, coefficient.of, **random)
    return MetricTest(used, values, hits, len(human))


TESTS: Mapping[str, Callable[[MatchedScores, Sequence[int], MetricSettings], MetricTest | str]] = {
    "pearson": _by_pearson,
    "acceq": _by_acceq,
    "consistency": _by_consistency,
    "spa": _by_soft_accuracy,
    "system-pearson": partial(_by_systems, PEARSON),
    "system-spearman": partial(_by_systems, SPEARMAN),
    "system-kendall": partial(_by_systems, kendall_of("b")),
}
