"""Soft pairwise accuracy: whether a metric tells systems apart as confidently as people do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from jurat.resampling.engine import run
from jurat.results import Estimate, spoken
from jurat.stats.estimates import JACKKNIFED, jackknife_errors, method_line, with_normal_interval
from jurat.stats.metaeval.correlation import ENOUGH, average, describe_sources
from jurat.stats.metaeval.human_scores import Mask
from jurat.stats.metaeval.matched_scores import (
    NO_RATINGS,
    NO_SEGMENTS,
    MatchedScores,
    MetricStatistic,
    each_metric,
    highest,
    score_groups,
)
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array
from jurat.stats.settings import MetricSettings
from jurat.stats.statistic import Answer

# The patterns of signs are part of the definition: those of mt-metrics-eval, from its seed.
PATTERNS, SEED = 1000, 4
# Sums that differ by no more than this share of their size are equal but for rounding.
ALIKE = 1e-10


class MetricSoftAccuracy(MetricStatistic):
    """SPA, and the plain pairwise accuracy of systems."""

    name = "metric-spa"
    gives = ("metric-spa", "metric-accuracy")
    asks = "Does the metric tell systems apart, and as surely as people do?"
    formula = (
        "SPA = 1 − mean |p_people − p_metric| over pairs of systems; p: one-sided paired "
        f"permutation test of segments' scores, {PATTERNS:,} patterns of signs (mt-metrics-eval's)"
    )
    source = "Thompson et al. 2024; Kocmi et al. 2021; mt-metrics-eval"
    order = 60
    points = ("Soft pairwise accuracy", "SPA")

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """Both for each metric."""
        soft = [_soft(data, metric, settings) for data, metric in each_metric(parts)]
        with_ends = any(e.low is not None for e in soft)
        sure = JACKKNIFED.replace("items", "segments") if with_ends else ""
        direction = settings.metric_scores.direction
        yield Answer(soft, method_line(self.formula, "n counts pairs of systems", direction, sure))
        method = (
            "pairs of systems that people and the metric order alike or both tie, over all "
            f"pairs; {describe_sources(parts)}; n counts pairs"
        )
        plain = [_plain(data, metric) for data, metric in each_metric(parts)]
        yield Answer(plain, method_line(method, direction), "metric-accuracy")

    def finding(self, name: str, first: Sequence[Estimate]) -> str:
        """The metric with the highest SPA."""
        if name != "metric-spa":
            return ""
        best = highest(first)
        words = f"{best.by['metric']} tells systems apart most as people do"
        return f"{words}: SPA {spoken(best.value)}{interval(best)}."


@lru_cache(maxsize=4)
def signs(segments: int) -> Array:
    """Random signs, patterns × segments: from the same bits as mt-metrics-eval's."""
    drawn = np.random.default_rng(SEED).random((PATTERNS, segments), dtype=np.float32)
    return np.where(np.rint(drawn) > 0, 1.0, -1.0)


def pairwise_p(scores: Array) -> Array:
    """One-sided p of each pair of systems: that the first is no better (segments × systems).

    p = patterns of signs under which the sum of differences is as great as it is / all patterns.
    Segments that one of the two lacks say nothing about them; NaN where they share none.
    """
    first, second = np.triu_indices(scores.shape[1], 1)
    missing = np.isnan(scores)
    if not missing.any():
        # The signs of the systems' own sums are enough: fewer columns than there are pairs.
        sums, totals = _signed(scores), scores.sum(axis=0)
        difference, observed = sums[:, first] - sums[:, second], totals[first] - totals[second]
        tie = ALIKE * np.abs(scores).sum(axis=0).max(initial=0.0)
        return np.asarray((difference >= observed - tie).mean(axis=0))
    differences = np.nan_to_num(scores[:, first] - scores[:, second])
    observed, tie = differences.sum(axis=0), ALIKE * np.abs(differences).sum(axis=0)
    p = (_signed(differences) >= observed - tie).mean(axis=0)
    shared = (~missing[:, first] & ~missing[:, second]).any(axis=0)
    return np.where(shared, p, np.nan)


def _signed(values: Array) -> Array:
    """Sums under every pattern of signs; `run` keeps BLAS to one thread."""
    arrays = (signs(len(values)), values)
    return run(_product, arrays, rows=PATTERNS, at_once=PATTERNS, seed=SEED, jobs=1)


def _product(_: np.random.Generator, __: int, patterns: Array, values: Array) -> Array:
    return np.asarray(patterns @ values)


def soft_accuracy(human: Array, metric: Array) -> float:
    """SPA from two tables, segments × systems, in both of which higher is better."""
    with np.errstate(invalid="ignore"):
        return 1 - average(np.abs(pairwise_p(human) - pairwise_p(metric)))


def shared_scores(data: MatchedScores, metric: int) -> tuple[Array, Array]:
    """People's means and a metric's scores where both exist; segments without any are left out."""
    assert data.human.means is not None
    human, scores = score_groups(data.human.means, data.oriented[metric], "item")
    used = ~np.isnan(human).all(axis=1)
    return human[used], scores[used]


def _soft(data: MatchedScores, metric: int, settings: MetricSettings) -> Estimate:
    if data.human.means is None:
        return data.missing(metric, NO_RATINGS, level="system")
    human, scores = shared_scores(data, metric)
    pairs = len(data.systems) * (len(data.systems) - 1) // 2
    if not len(human) or not pairs:
        reason = "there is a single system" if len(human) else NO_SEGMENTS
        return data.missing(metric, reason, level="system")
    value = soft_accuracy(human, scores)
    if np.isnan(value):
        reason = "no two systems were judged on the same segment"
        return data.missing(metric, reason, level="system")
    made = data.estimate(metric, value, pairs, level="system")
    # A jackknife repeats the permutation tests twenty times; a bootstrap would a thousand times.
    if not settings.bootstrap or len(human) < ENOUGH:
        return made

    def without(kept: Mask) -> list[float]:
        return [soft_accuracy(human[kept], scores[kept])]

    (error,) = jackknife_errors(without, len(human), seed=settings.seed)
    found = with_normal_interval(made, float(error), settings)
    return found if found.low is None else found._replace(low=max(0.0, found.low))


def accuracy(human: Array, metric: Array) -> tuple[float, int]:
    """The share of pairs of systems of which both say the same, and how many pairs there are."""
    there = ~np.isnan(human) & ~np.isnan(metric)
    first, second = np.triu_indices(int(there.sum()), 1)
    one, other = (np.sign(s[there][first] - s[there][second]) for s in (human, metric))
    return (float((one == other).mean()), len(first)) if len(first) else (float("nan"), 0)


def _plain(data: MatchedScores, metric: int) -> Estimate:
    scores = data.signs[metric] * data.system_scores(metric)[0]
    value, pairs = accuracy(data.human.system_scores, scores)
    reason = "fewer than two systems have both scores"
    return data.estimate(metric, value, pairs, reason=reason, level="system")
