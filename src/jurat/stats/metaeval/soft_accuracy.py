"""Soft pairwise accuracy: whether a metric tells systems apart as confidently as people do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from jurat.resampling.engine import run
from jurat.results import Estimate, spoken
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.metaeval.correlation import FEW_SYSTEMS, average, describe_sources
from jurat.stats.metaeval.matched_scores import NO_RATINGS, NO_SEGMENTS, MatchedScores, score_groups
from jurat.stats.metaeval.metric_statistic import (
    MetricStatistic,
    each_metric,
    highest,
    interval_method,
)
from jurat.stats.metaeval.unit_intervals import intervals_of_left_out, left_out_groups
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
        made = [_soft(data, metric, settings) for data, metric in each_metric(parts)]
        soft, sure = [e for e, _ in made], interval_method([drawn for _, drawn in made], parts)
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
        systems = (1 + math.isqrt(1 + 8 * best.n)) // 2
        few = f"; {systems} systems say little" if systems < FEW_SYSTEMS else ""
        return f"Highest SPA: {best.by['metric']} {spoken(best.value)}{interval(best)}{few}."


def signs(segments: int) -> Array:
    """Random signs, patterns × segments: from the same bits as mt-metrics-eval's."""
    # Fewer segments have the start of the same stream, which is drawn for a power of two of them.
    stream = _sign_stream(1 << max(0, segments - 1).bit_length())
    return stream[: PATTERNS * segments].reshape(PATTERNS, segments)


@lru_cache(maxsize=2)
def _sign_stream(segments: int) -> Array:
    drawn = np.random.default_rng(SEED).random(PATTERNS * segments, dtype=np.float32)
    return np.where(np.rint(drawn) > 0, 1.0, -1.0)


def pairwise_p(scores: Array) -> Array:
    """One-sided p of each pair of systems: that the first is no better (segments × systems).

    p = patterns of signs under which the sum of differences is as great as it is / all patterns.
    Segments that one of the two lacks say nothing about them; NaN where they share none.
    """
    first, second = np.triu_indices(scores.shape[1], 1)
    missing = np.isnan(scores)
    if not missing.any():
        return _p_of_sums(scores, _signed(scores))
    differences = np.nan_to_num(scores[:, first] - scores[:, second])
    observed, tie = differences.sum(axis=0), ALIKE * np.abs(differences).sum(axis=0)
    p = (_signed(differences) >= observed - tie).mean(axis=0)
    shared = (~missing[:, first] & ~missing[:, second]).any(axis=0)
    return np.where(shared, p, np.nan)


def _p_of_sums(scores: Array, sums: Array) -> Array:
    """The same of scores without gaps, from the systems' sums under every pattern of signs."""
    # The signs of the systems' own sums are enough: fewer columns than there are pairs.
    first, second = np.triu_indices(scores.shape[1], 1)
    totals = scores.sum(axis=0)
    # A row a system, since rows are taken much faster than columns.
    rows = np.ascontiguousarray(sums.T)
    difference, observed = rows[first] - rows[second], totals[first] - totals[second]
    tie = ALIKE * np.abs(scores).sum(axis=0).max(initial=0.0)
    return np.asarray((difference >= (observed - tie)[:, None]).mean(axis=1))


def _signed(values: Array) -> Array:
    """Sums under every pattern of signs; `run` keeps BLAS to one thread."""
    arrays = (signs(len(values)), values)
    return run(_product, arrays, rows=PATTERNS, at_once=PATTERNS, seed=SEED, jobs=1)


def _product(_: np.random.Generator, __: int, patterns: Array, values: Array) -> Array:
    return np.asarray(patterns @ values)


class PeopleTests:
    """The p-values of people's scores, which are the same for all metrics that score the same."""

    def __init__(self) -> None:
        self.human: Array | None = None
        self.p: Array = np.empty(0)

    def accuracy(self, human: Array, metric: Array) -> float:
        """SPA from two tables, segments × systems, in both of which higher is better."""
        if self.human is None or not np.array_equal(self.human, human, equal_nan=True):
            self.human, self.p = human, pairwise_p(human)
        with np.errstate(invalid="ignore"):
            return 1 - average(np.abs(self.p - pairwise_p(metric)))


def soft_accuracy(human: Array, metric: Array) -> float:
    """SPA from two tables, segments × systems, in both of which higher is better."""
    return PeopleTests().accuracy(human, metric)


def shared_scores(data: MatchedScores, metric: int) -> tuple[Array, Array]:
    """People's means and a metric's scores where both exist; segments without any are left out."""
    assert data.human.means is not None
    return scored_segments(data.human.means, data.oriented[metric])


def scored_segments(means: Array, oriented: Array) -> tuple[Array, Array]:
    """The two tables where both have a value; segments without any are left out."""
    human, scores = score_groups(means, oriented, "item")
    used = ~np.isnan(human).all(axis=1)
    return human[used], scores[used]


def _soft(data: MatchedScores, metric: int, settings: MetricSettings) -> tuple[Estimate, Estimates]:
    """SPA, and how its interval was computed."""
    reason, value = _soft_value(data, metric)
    if reason:
        return data.missing(metric, reason, level="system"), Estimates.undefined()
    pairs = len(data.systems) * (len(data.systems) - 1) // 2
    drawn = Estimates.without_intervals(np.array([value]))
    if settings.intervals:
        left_out = data.once(_soft_left_out)[:, metric : metric + 1]
        drawn = intervals_of_left_out(
            data, drawn.values, left_out, settings, share=True, corrected=False
        )
    by = data.key(metric, level="system")
    return drawn.estimate(n=pairs, by=by, tags=data.tags), drawn


def _soft_left_out(data: MatchedScores) -> Array:
    """The SPA of every metric without each document or group of them (groups × metrics)."""
    assert data.human.means is not None
    group, means = left_out_groups(data), data.human.means
    number = int(group.max(initial=-1)) + 1
    found = np.empty((number if number > 1 else 0, len(data.metrics)))
    full = not np.isnan(means).any() and not np.isnan(data.scores).any()
    for one in range(len(found)):
        kept = group != one
        if full:
            found[one] = _soft_of_all(means[kept], data.oriented[:, kept])
            continue
        tests = PeopleTests()
        for metric, scores in enumerate(data.oriented):
            human, own = scored_segments(means[kept], scores[kept])
            found[one, metric] = tests.accuracy(human, own) if len(human) else np.nan
    return found


def _soft_of_all(human: Array, metrics: Array) -> list[float]:
    """SPA of metrics × segments × systems without gaps: one product of signs for all of them."""
    tables = [human, *metrics]
    sums = np.hsplit(_signed(np.hstack(tables)), len(tables))
    people, *others = map(_p_of_sums, tables, sums)
    return [1 - average(np.abs(people - own)) for own in others]


def _soft_value(data: MatchedScores, metric: int) -> tuple[str, float]:
    """SPA of a metric, or why it has none."""
    if data.human.means is None:
        return NO_RATINGS, np.nan
    human, scores = shared_scores(data, metric)
    if not len(human):
        return NO_SEGMENTS, np.nan
    if len(data.systems) < 2:
        return "there is a single system", np.nan
    value = soft_accuracy(human, scores)
    return ("no two systems were judged on the same segment" if np.isnan(value) else ""), value


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
