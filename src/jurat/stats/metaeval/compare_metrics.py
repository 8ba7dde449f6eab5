"""Whether one metric is better than another: tests of every two, and clusters.

Metrics can be compared by any of the numbers in `NAMES`: by the jackknife over documents, or as
mt-metrics-eval does (`--method perm-both`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from jurat.resampling import adjust
from jurat.resampling.jackknife_t import UNVARIED
from jurat.results import Estimate
from jurat.stats.estimates import method_line
from jurat.stats.metaeval.comparison_criterion import NAMES, comparison_for
from jurat.stats.metaeval.jackknife_comparison import jackknife_test
from jurat.stats.metaeval.matched_scores import MatchedScores
from jurat.stats.metaeval.metric_statistic import MetricStatistic, first_question, question_prefix
from jurat.stats.metaeval.perm_both import SWAPPED, MetricTest, permutation_test
from jurat.stats.metaeval.permutation_tests import p_of
from jurat.stats.metaeval.unit_intervals import CoefficientTests
from jurat.stats.pairwise import (
    PValues,
    cluster_words,
    correction_words,
    p_matrix,
    p_words,
    pair_keys,
    told_apart,
)
from jurat.stats.ratings import Array
from jurat.stats.settings import PERM_BOTH, MetricSettings
from jurat.stats.statistic import Answer
from jurat.stats.systems.ranks_and_clusters import clusters

RULES = {
    PERM_BOTH: "a new cluster where one is worse than any of the cluster so far (p ≤ {:g})",
    "": "a line where every metric above is better than every one below (p < {:g}, corrected)",
}
FORMULAS = {
    PERM_BOTH: (
        "PERM-BOTH as in mt-metrics-eval: one-sided p that metric_a agrees with people no better "
        "than metric_b; both metrics' scores, standardised, are swapped at random, segments taken "
        "as independent; p = (1 + hits) / (1 + permutations)"
    ),
    "": (
        "p that metric_a agrees with people no better than metric_b, doubled, since either might "
        "have been the better one: jackknife of the difference of their coefficients on Fisher's "
        "scale, corrected for bias, with t"
    ),
}


class MetricComparison(MetricStatistic):
    """p-values and differences of every two metrics, and clusters of those not told apart."""

    name = "metric-better-p"
    gives = ("metric-better-p", "metric-better-difference", "metric-cluster")
    asks = "Is one metric really better than another?"
    formula = FORMULAS[""]
    source = (
        "Arvesen 1969; Holm 1979; perm-both: Deutsch, Dror & Roth 2021; Deutsch et al. 2023; "
        "mt-metrics-eval"
    )
    order = 70

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """Both orders of every two metrics, the better one first; differences; clusters."""
        rankings = [_MetricRanking.of(data, settings) for data in parts]
        level = round(1 - settings.confidence, 10)
        chosen, common = _choices(parts, settings), _common(parts, settings)
        p = [e for ranking in rankings for e in ranking.p_values()]
        corrected = "not corrected" if settings.method else correction_words("holm")
        counted = "n counts what is swapped" if settings.method else "n counts what is left out"
        direction = settings.metric_scores.direction
        yield Answer(
            p,
            method_line(FORMULAS[settings.method], *common, counted, direction, corrected),
            headline=_headline(p, level, settings),
            draw=lambda: p_matrix(p, kind="metric"),
            choices=chosen,
        )
        apart = [e for ranking in rankings for e in ranking.differences(settings)]
        scales = {r.tests.scale for r in rankings if r.tests}
        scale = "atanh of their coefficients" if scales == {"atanh"} else "their coefficients"
        method = method_line(
            f"difference of two metrics: {scale} (of shares s: 2s − 1), the better one first",
            *common,
            next((r.tests.method for r in rankings if r.tests), ""),
            "not corrected: an interval without 0 is a p below its level before correction",
        )
        yield Answer(apart, method, "metric-better-difference", choices=chosen)
        found = [e for ranking in rankings for e in ranking.clusters(level)]
        rule = f"rank of the cluster: metrics in order, {RULES[settings.method].format(level)}"
        method = method_line(rule, "n counts metrics", *common)
        yield Answer(found, method, "metric-cluster", _leading(found), choices=chosen)


def _choices(parts: Sequence[MatchedScores], settings: MetricSettings) -> dict[str, Any]:
    used = dict.fromkeys(comparison_for(data, settings) for data in parts)
    drawn = {"permutations": settings.permutations, "seed": settings.seed}
    chosen: dict[str, Any] = {"compared": "+".join(used)}
    return {**chosen, "test": PERM_BOTH, **drawn} if settings.method else chosen


def _common(parts: Sequence[MatchedScores], settings: MetricSettings) -> tuple[str, ...]:
    """What every method line says: by what metrics are compared, and over what."""
    used = tuple(dict.fromkeys(comparison_for(data, settings) for data in parts))
    by = f"compared by {', '.join(NAMES[name] for name in used)}"
    if settings.method:
        swapped = ", ".join(SWAPPED[name] for name in used if name in SWAPPED)
        more = f"swapped: {swapped}" if swapped else ""
        return by, more, f"{settings.permutations:,} permutations"
    if not parts or all(name.startswith("system") for name in used):
        return by, "over systems, of which few say little"
    units = parts[0].units
    return by, f"over {units.words}", units.note


class _MetricRanking(NamedTuple):
    """The metrics of one question and split, best first, and p of every two."""

    data: MatchedScores
    metrics: tuple[int, ...]
    p: Array
    n: int
    reason: str = ""
    tests: CoefficientTests | None = None
    """The differences, where they were tested by the jackknife; in the order of `places`."""
    places: tuple[int, ...] = ()

    @classmethod
    def of(cls, data: MatchedScores, settings: MetricSettings) -> _MetricRanking:
        made = (permutation_test if settings.method else jackknife_test)(data, settings)
        if isinstance(made, str):
            return cls(data, (), np.empty((0, 0)), 0, made)
        # A metric without a value comes last.
        order = np.argsort(-np.nan_to_num(made.values, nan=-np.inf), kind="stable")
        metrics = tuple(made.metrics[at] for at in order)
        if isinstance(made, MetricTest):
            p = p_of(made.hits, settings.permutations)[np.ix_(order, order)]
            return cls(data, metrics, p, made.n)
        p = _directed(made.tests)[np.ix_(order, order)]
        return cls(data, metrics, p, made.tests.n, "", made.tests, tuple(order.tolist()))

    def _missing(self) -> Iterator[Estimate]:
        if self.reason:
            yield Estimate(None, 0, by=self.data.by, tags=self.data.tags, reason=self.reason)

    @property
    def _names(self) -> list[str]:
        return [self.data.metrics[metric] for metric in self.metrics]

    def p_values(self) -> Iterator[Estimate]:
        """The p-values of every two metrics, those with the better one first before the others."""
        yield from self._missing()
        reason = (self.tests.reason if self.tests else "") or UNVARIED
        tests = PValues(self.p, np.full(self.p.shape, self.n), reason)
        pairs = list(combinations(range(len(self.metrics)), 2))
        ordered = [*pairs, *sorted((b, a) for a, b in pairs)]
        by, tags = self.data.by, self.data.tags
        yield from tests.estimates(ordered, self._names, by=by, tags=tags, kind="metric")

    def differences(self, settings: MetricSettings) -> Iterator[Estimate]:
        """The difference of every two metrics with its interval, the better one first."""
        yield from self._missing()
        if self.tests is None:
            if not self.reason:
                reason = f"{PERM_BOTH} gives p-values alone"
                yield Estimate(None, 0, by=self.data.by, tags=self.data.tags, reason=reason)
            return
        ends = (self.tests.low, self.tests.high) if settings.intervals else (None, None)
        for (a, first), (b, second) in combinations(zip(self.places, self._names, strict=True), 2):
            low, high = (None if end is None else end[a, b] for end in ends)
            by = pair_keys(first, second, "metric")
            value = self.tests.difference[a, b]
            yield Estimate.of(value, self.n, about=self.data, by=by, low=low, high=high)

    def clusters(self, level: float) -> Iterator[Estimate]:
        """The cluster of each metric, best first."""
        yield from self._missing()
        ranks: Sequence[int] = cluster_ranks(self.p, level)
        if self.tests is not None:
            # Metrics stand best first: their places are scores enough.
            places = np.arange(len(self.p), dtype=np.float64)
            ranks = clusters(-places, np.nan_to_num(self.p, nan=1.0) < level).tolist()
        for metric, rank in zip(self.metrics, ranks, strict=True):
            yield self.data.estimate(metric, float(rank), len(self.metrics))


def _directed(tests: CoefficientTests) -> Array:
    """Holm's p of the row's metric being the better one; 1 where it is not the better one."""
    upper = np.triu_indices(len(tests.p), 1)
    p = np.full(tests.p.shape, np.nan)
    p[upper] = adjust(tests.p[upper], "holm")
    both = np.where(np.isnan(p), p.T, p)
    better = tests.difference > 0
    return np.asarray(np.where(np.isnan(both) | better, both, 1.0))


def cluster_ranks(p: Array, level: float = 0.05) -> list[int]:
    """The cluster of each metric, best first.

    A new cluster begins where a metric of the current one is significantly better.
    """
    found: list[int] = []
    start, rank = 0, 1
    for at in range(len(p)):
        if (p[start:at, at] <= level).any():
            rank, start = rank + 1, at
        found.append(rank)
    return found


def _headline(p: Sequence[Estimate], level: float, settings: MetricSettings) -> str:
    """How many pairs are told apart."""
    first = first_question(p)
    if not first:
        return ""
    best, one_sided = first[0], bool(settings.method)
    count = told_apart(first, level, kind="metric", inclusive=one_sided)[1]
    rule = f"one-sided p ≤ {level:g}, not corrected" if one_sided else f"p < {level:g}, corrected"
    next_best = f"{best.by['metric_a']} against {best.by['metric_b']}: {p_words(best.value or 0.0)}"
    return f"{question_prefix(best, p)}{count} ({rule}); {next_best}."


def _leading(found: Sequence[Estimate]) -> str:
    first = first_question(found)
    if not first:
        return ""
    prefix = question_prefix(first[0], found)
    if len(first) > 1 and all(e.value == 1 for e in first):
        return f"{prefix}No line can be drawn between {len(first)} metrics."
    words = cluster_words({str(e.by["metric"]): e.value or 0.0 for e in first}, kind="metric")
    return f"{prefix}{words}."
