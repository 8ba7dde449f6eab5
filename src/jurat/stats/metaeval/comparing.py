"""Tests of every two metrics, by each of the numbers that metrics can be compared by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from jurat.stats.agreement.tallies import summed
from jurat.stats.metaeval.calibrated_ties import compared
from jurat.stats.metaeval.consistency import verdicts
from jurat.stats.metaeval.grouping import Grouped, average, grouped, pearson
from jurat.stats.metaeval.levels import FEW, FEWEST, PEARSON, SPEARMAN, Coefficient, kendall_of
from jurat.stats.metaeval.matched import Matched
from jurat.stats.metaeval.settings import Compared, MetricSettings
from jurat.stats.metaeval.soft_accuracy import soft_accuracy, superiority
from jurat.stats.metaeval.swapping import (
    Hits,
    pair_hits,
    pearson_hits,
    segment_hits,
    soft_hits,
    system_hits,
)
from jurat.stats.metaeval.tying import calibrate, weights_of
from jurat.stats.metaeval.wording import NO_RATINGS
from jurat.stats.ratings import Array

NOT_ALL = "no translations have scores of all metrics"
RATINGS = f"{NO_RATINGS}: choose consistency or acceq (--compare)"


class Test(NamedTuple):
    """What each metric reaches (higher is better), hits (m × m), and how much was swapped."""

    metrics: tuple[int, ...]
    values: Array
    hits: Hits
    n: int


def way_of(one: Matched, settings: MetricSettings) -> Compared:
    """By what metrics are compared: as asked, else by what there is."""
    if settings.compared:
        return settings.compared
    if not one.covered.any():
        return "system-pearson"
    return "consistency" if one.people.means is None else "pearson"


def tested(one: Matched, settings: MetricSettings) -> Test | str:
    """Every two metrics that have scores, or why they cannot be tested."""
    way = way_of(one, settings)
    of_systems = way.startswith("system")
    used = [at for at in range(len(one.metrics)) if _has_scores(one, at, of_systems=of_systems)]
    if len(used) < 2:
        return "fewer than two metrics have scores to compare"
    return TESTS[way](one, used, settings)


def _has_scores(one: Matched, metric: int, *, of_systems: bool) -> bool:
    given = of_systems and not np.isnan(one.system_scores(metric)[0]).all()
    return given or bool(one.covered[metric])


def _complete(one: Matched, used: Sequence[int]) -> Array:
    """People's means where every metric has a score, else NaN."""
    assert one.people.means is not None
    missing = np.isnan(one.scores[list(used)]).any(axis=0)
    return np.where(missing, np.nan, one.people.means)


def _by_pearson(one: Matched, used: Sequence[int], settings: MetricSettings) -> Test | str:
    if one.people.means is None:
        return RATINGS
    grouping, means = settings.grouped("none"), _complete(one, used)
    groups = [grouped(means, one.oriented[at], grouping) for at in used]
    several = (~np.isnan(groups[0].human)).sum(axis=1) > 1
    if not several.any():
        return NOT_ALL
    human = groups[0].human[several]
    metrics = np.stack([group.metric[several] for group in groups])
    hits = pearson_hits(
        human, metrics, trials=settings.permutations, seed=settings.seed, jobs=settings.jobs
    )
    values = np.array([average(pearson(Grouped(human, own))) for own in metrics])
    return Test(tuple(used), values, hits, int((~np.isnan(human)).sum()))


def _by_acceq(one: Matched, used: Sequence[int], settings: MetricSettings) -> Test | str:
    grouping = settings.grouped("item")
    if one.people.means is not None:
        one = replace(one, people=replace(one.people, means=_complete(one, used)))
    else:
        margins = np.stack([one.margins(at, one.people.decisions) for at in used])
        scored = np.asarray(~np.isnan(margins).any(axis=0))
        kept = one.people.decisions.where(scored)
        one = replace(one, people=replace(one.people, decisions=kept))
    pairs = [compared(one, at, grouping) for at in used]
    if reason := next((pair for pair in pairs if isinstance(pair, str)), ""):
        return reason
    found = [pair for pair in pairs if not isinstance(pair, str)]
    if not len(found[0].human):
        return "no pairs have scores of all metrics"
    made = [calibrate(pair) for pair in found]
    right = np.stack([p.right(m.epsilon) for p, m in zip(found, made, strict=True)])
    weight = weights_of(found[0].group)
    hits = pair_hits(
        right, weight, trials=settings.permutations, seed=settings.seed, jobs=settings.jobs
    )
    return Test(tuple(used), np.array([m.accuracy for m in made]), hits, right.shape[1])


def _by_consistency(one: Matched, used: Sequence[int], settings: MetricSettings) -> Test | str:
    kinds = np.stack([verdicts(one, at) for at in used])
    counted = ((kinds >= 0) & (kinds != 3)).all(axis=0)
    if not counted.any():
        return "no decisions have scores of all metrics"
    half = 0.5 if settings.metric_ties == "half" else 0.0
    right = (kinds == 0) + half * (kinds == 2)
    segment = one.people.decisions.segment[counted]
    sums = np.stack(
        [summed(segment, row[counted].astype(np.float64), one.segments) for row in right]
    )
    hits = segment_hits(sums, trials=settings.permutations, seed=settings.seed)
    return Test(tuple(used), right[:, counted].mean(axis=1), hits, len(np.unique(segment)))


def _by_soft_accuracy(one: Matched, used: Sequence[int], settings: MetricSettings) -> Test | str:
    if one.people.means is None:
        return RATINGS
    means = _complete(one, used)
    whole = ~np.isnan(means).any(axis=1)
    if not whole.any() or len(one.systems) < 2:
        return "no segment has judgments and all metrics' scores of every system"
    human, metrics = means[whole], one.oriented[list(used)][:, whole]
    sure = superiority(human)
    hits = soft_hits(sure, metrics, trials=settings.permutations, seed=settings.seed)
    values = np.array([soft_accuracy(human, scores) for scores in metrics])
    return Test(tuple(used), values, hits, human.size)


def _by_systems(
    coefficient: Coefficient, one: Matched, used: Sequence[int], settings: MetricSettings
) -> Test | str:
    scores = np.stack([one.signs[at] * one.system_scores(at)[0] for at in used])
    human = one.people.system_scores
    there = ~np.isnan(human) & ~np.isnan(scores).any(axis=0)
    if there.sum() < FEWEST:
        return FEW
    human, scores = human[there], scores[:, there]
    values = coefficient.of(Grouped(np.broadcast_to(human, scores.shape), scores))
    hits = system_hits(
        human, scores, coefficient.of, trials=settings.permutations, seed=settings.seed
    )
    return Test(tuple(used), values, hits, len(human))


TESTS: Mapping[str, Callable[[Matched, Sequence[int], MetricSettings], Test | str]] = {
    "pearson": _by_pearson,
    "acceq": _by_acceq,
    "consistency": _by_consistency,
    "spa": _by_soft_accuracy,
    "system-pearson": partial(_by_systems, PEARSON),
    "system-spearman": partial(_by_systems, SPEARMAN),
    "system-kendall": partial(_by_systems, kendall_of("b")),
}
