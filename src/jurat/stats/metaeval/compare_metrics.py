"""Whether one metric is better than another: permutation tests of every two, and clusters.

Metrics can be compared by any of the numbers in `TESTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from jurat.results import Estimate
from jurat.stats.estimates import method_line
from jurat.stats.metaeval.accuracy_with_ties import calibrate, metric_pairs, pair_weights
from jurat.stats.metaeval.correlation import (
    FEW,
    FEWEST,
    PEARSON,
    SPEARMAN,
    Coefficient,
    kendall_of,
)
from jurat.stats.metaeval.matched_scores import (
    NO_RATINGS,
    MatchedScores,
    MetricStatistic,
    ScoreGroups,
    first_question,
    question_prefix,
    score_groups,
)
from jurat.stats.metaeval.permutation_tests import (
    Hits,
    p_of,
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
from jurat.stats.pairwise import (
    PValues,
    cluster_words,
    p_matrix,
    p_words,
    told_apart,
)
from jurat.stats.ratings import Array, summed
from jurat.stats.settings import ComparedBy, MetricSettings
from jurat.stats.statistic import Answer

NOT_ALL = "no translations have scores of all metrics"
RATINGS = f"{NO_RATINGS}: choose consistency or acceq (--compare)"
NAMES = {
    "pearson": "Pearson's r of segments",
    "acceq": "accuracy with calibrated ties",
    "consistency": "consistency with judges",
    "spa": "soft pairwise accuracy",
    "system-pearson": "Pearson's r of systems",
    "system-spearman": "Spearman's ρ of systems",
    "system-kendall": "Kendall's τ_b of systems",
}
SWAPPED = {"acceq": "right or wrong about a pair", "consistency": "right or wrong about a segment"}


class MetricComparison(MetricStatistic):
    """p-values of every two metrics, and clusters of metrics that are not told apart."""

    name = "metric-better-p"
    gives = ("metric-better-p", "metric-cluster")
    asks = "Is one metric really better than another?"
    formula = (
        "one-sided p that metric_a agrees with people no better than metric_b: both metrics' "
        "scores, standardised, are swapped at random; p = (1 + hits) / (1 + permutations)"
    )
    source = "Deutsch, Dror & Roth 2021 (PERM-BOTH); Deutsch et al. 2023; mt-metrics-eval"
    order = 70

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """Both orders of every two metrics, the better one first; then the clusters."""
        rankings = [_MetricRanking.of(data, settings) for data in parts]
        used = tuple(dict.fromkeys(comparison_for(data, settings) for data in parts))
        level = round(1 - settings.confidence, 10)
        swapped = ", ".join(SWAPPED[name] for name in used if name in SWAPPED)
        common = (
            f"compared by {', '.join(NAMES[name] for name in used)}",
            f"swapped: {swapped}" if swapped else "",
            f"{settings.permutations:,} permutations",
        )
        more = ("n counts what is swapped", settings.metric_scores.direction, "not corrected")
        chosen: dict[str, Any] = {
            "compared": "+".join(used),
            "permutations": settings.permutations,
            "seed": settings.seed,
        }
        p = [e for ranking in rankings for e in ranking.p_values()]
        yield Answer(
            p,
            method_line(self.formula, *common, *more),
            headline=_headline(p, level),
            draw=lambda: p_matrix(p, kind="metric"),
            choices=chosen,
        )
        clusters = [e for ranking in rankings for e in ranking.clusters(level)]
        rule = (
            "rank of the cluster: metrics in order, a new cluster where one is worse than "
            f"any of the cluster so far (p ≤ {level:g}); n counts metrics"
        )
        method, headline = method_line(rule, *common), _leading(clusters)
        yield Answer(clusters, method, "metric-cluster", headline, choices=chosen)


class MetricTest(NamedTuple):
    """The value of each metric (higher is better), hits (m × m), and how much was swapped."""

    metrics: Sequence[int]
    values: Array
    hits: Hits
    n: int


def comparison_for(data: MatchedScores, settings: MetricSettings) -> ComparedBy:
    """By what metrics are compared: as asked, else by what the data allow."""
    if settings.compare:
        return settings.compare
    if not data.covered.any():
        return "system-pearson"
    return "consistency" if data.human.means is None else "pearson"


def metric_test(data: MatchedScores, settings: MetricSettings) -> MetricTest | str:
    """Every two metrics that have scores, or why they cannot be tested."""
    name = comparison_for(data, settings)
    # Of whole systems a metric may have scores without those of segments.
    systems = name.startswith("system")
    used = [at for at in range(len(data.metrics)) if _has_scores(data, at, of_systems=systems)]
    if len(used) < 2:
        return "fewer than two metrics have scores to compare"
    return TESTS[name](data, used, settings)


def _has_scores(data: MatchedScores, metric: int, *, of_systems: bool) -> bool:
    given = of_systems and not np.isnan(data.system_scores(metric)[0]).all()
    return given or bool(data.covered[metric])


def _random(settings: MetricSettings) -> dict[str, int]:
    return {"trials": settings.permutations, "seed": settings.seed, "jobs": settings.jobs}


def _complete(data: MatchedScores, used: Sequence[int]) -> Array:
    """People's means where every metric has a score, else NaN: all are tested on the same."""
    assert data.human.means is not None
    missing = np.isnan(data.scores[list(used)]).any(axis=0)
    return np.where(missing, np.nan, data.human.means)


def _by_pearson(
    data: MatchedScores, used: Sequence[int], settings: MetricSettings
) -> MetricTest | str:
    if data.human.means is None:
        return RATINGS
    grouping, means = settings.grouped("none"), _complete(data, used)
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
    if data.human.means is not None:
        human = replace(data.human, means=_complete(data, used))
    else:
        margins = np.stack([data.margins(at, data.human.decisions) for at in used])
        scored = np.asarray(~np.isnan(margins).any(axis=0))
        human = replace(data.human, decisions=data.human.decisions.where(scored))
    shared, grouping = replace(data, human=human), settings.grouped("item")
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
    means = _complete(data, used)
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


class _MetricRanking(NamedTuple):
    """The metrics of one question and split, best first, and p of every two."""

    data: MatchedScores
    metrics: tuple[int, ...]
    p: Array
    n: int
    reason: str = ""

    @classmethod
    def of(cls, data: MatchedScores, settings: MetricSettings) -> _MetricRanking:
        made = metric_test(data, settings)
        if isinstance(made, str):
            return cls(data, (), np.empty((0, 0)), 0, made)
        # A metric without a value comes last.
        order = np.argsort(-np.nan_to_num(made.values, nan=-np.inf), kind="stable")
        p = p_of(made.hits, settings.permutations)[np.ix_(order, order)]
        return cls(data, tuple(made.metrics[at] for at in order), p, made.n)

    def _missing(self) -> Iterator[Estimate]:
        if self.reason:
            yield Estimate(None, 0, by=self.data.by, tags=self.data.tags, reason=self.reason)

    def p_values(self) -> Iterator[Estimate]:
        """The p-values of every two metrics, those with the better one first before the others."""
        yield from self._missing()
        names = [self.data.metrics[metric] for metric in self.metrics]
        tests = PValues(self.p, np.full(self.p.shape, self.n))
        pairs = list(combinations(range(len(names)), 2))
        ordered = [*pairs, *sorted((b, a) for a, b in pairs)]
        by, tags = self.data.by, self.data.tags
        yield from tests.estimates(ordered, names, by=by, tags=tags, kind="metric")

    def clusters(self, level: float) -> Iterator[Estimate]:
        """The cluster of each metric, best first."""
        yield from self._missing()
        for metric, rank in zip(self.metrics, cluster_ranks(self.p, level), strict=True):
            yield self.data.estimate(metric, float(rank), len(self.metrics))


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


def _headline(p: Sequence[Estimate], level: float) -> str:
    """How many pairs are told apart."""
    first = first_question(p)
    if not first:
        return ""
    best = first[0]
    count = told_apart(first, level, kind="metric", inclusive=True)[1]
    next_best = f"{best.by['metric_a']} against {best.by['metric_b']}: {p_words(best.value or 0.0)}"
    return f"{question_prefix(best, p)}{count} (p ≤ {level:g}); {next_best}."


def _leading(clusters: Sequence[Estimate]) -> str:
    first = first_question(clusters)
    if not first:
        return ""
    words = cluster_words({str(e.by["metric"]): e.value or 0.0 for e in first}, kind="metric")
    return f"{question_prefix(first[0], clusters)}{words}."
