"""Which metric is better than which, and which of them cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.against import AgainstPeople
from jurat.stats.metaeval.comparing import tested, way_of
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.settings import MetricSettings, choices
from jurat.stats.metaeval.swapping import p_of
from jurat.stats.metaeval.wording import of_first, place_of
from jurat.stats.ratings import Array
from jurat.stats.spread import told
from jurat.stats.statistic import Settings
from jurat.stats.words import listed

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


class MetricBetter(AgainstPeople):
    """p-values of every two metrics, and clusters of metrics that are not told apart."""

    name = "metric-better-p"
    gives = ("metric-better-p", "metric-cluster")
    asks = "Is one metric really better than another?"
    formula = (
        "one-sided p that metric_a agrees with people no better than metric_b: both metrics' "
        "scores, standardised, are swapped at random; p = (1 + hits) / (1 + permutations)"
    )
    source = "Deutsch, Dror & Roth 2021 (PERM-BOTH); Deutsch et al. 2023; mt-metrics-eval"
    place = 70

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Both orders of every two metrics, the better one first."""
        asked = choices(settings)
        parts = matched(evaluation, asked)
        found = [_Ranked.of(one, asked) for one in parts]
        ways = tuple(dict.fromkeys(way_of(one, asked) for one in parts))
        chances = [e for ranked in found for e in ranked.chances()]
        level = round(1 - asked.confidence, 10)
        swapped = ", ".join(SWAPPED[way] for way in ways if way in SWAPPED)
        common = (
            f"compared by {', '.join(NAMES[way] for way in ways)}",
            f"swapped: {swapped}" if swapped else "",
            f"{asked.permutations:,} permutations",
            "n counts what is swapped",
            asked.scored.direction,
            "not corrected",
        )
        yield self.answer(
            evaluation,
            asked,
            chances,
            method=told(self.formula, *common),
            headline=_headline(chances, level),
            draw=lambda: _draw(chances),
            **_told(asked, ways),
        )
        clusters = [e for ranked in found for e in ranked.clusters(level)]
        yield self.answer(
            evaluation,
            asked,
            clusters,
            name="metric-cluster",
            method=told(
                "rank of the cluster: metrics in order, a new cluster where one is worse than "
                f"any of the cluster so far (p ≤ {level:g}); n counts metrics",
                *common[:3],
            ),
            headline=_leading(clusters),
            **_told(asked, ways),
        )


def _told(settings: MetricSettings, ways: Sequence[str]) -> dict[str, Any]:
    return {
        "compared": "+".join(ways),
        "permutations": settings.permutations,
        "seed": settings.seed,
    }


class _Ranked(NamedTuple):
    """The metrics of one question and split, best first, and p of every two."""

    one: Matched
    metrics: tuple[str, ...]
    values: Array
    p: Array
    n: int
    reason: str = ""

    @classmethod
    def of(cls, one: Matched, settings: MetricSettings) -> _Ranked:
        made = tested(one, settings)
        if isinstance(made, str):
            return cls(one, (), np.empty(0), np.empty((0, 0)), 0, made)
        order = np.argsort(-np.nan_to_num(made.values, nan=-np.inf), kind="stable")
        p = p_of(made.hits, settings.permutations)[np.ix_(order, order)]
        names = tuple(one.metrics[made.metrics[at]] for at in order)
        return cls(one, names, made.values[order], p, made.n)

    def chances(self) -> Iterator[Estimate]:
        """The p-values of every two metrics, those with the better one first before the others."""
        if self.reason:
            yield Estimate(None, 0, by=self.one.by, tags=self.one.tags, reason=self.reason)
        size = len(self.metrics)
        ordered = [(a, b) for a in range(size) for b in range(size) if a != b]
        for a, b in sorted(ordered, key=lambda pair: pair[0] > pair[1]):
            by = {**self.one.by, "metric_a": self.metrics[a], "metric_b": self.metrics[b]}
            yield Estimate(float(self.p[a, b]), self.n, by=by, tags=self.one.tags)

    def clusters(self, level: float) -> Iterator[Estimate]:
        """The cluster of each metric, best first."""
        if self.reason:
            yield Estimate(None, 0, by=self.one.by, tags=self.one.tags, reason=self.reason)
        for metric, rank in zip(self.metrics, ranks(self.p, level), strict=True):
            by = {**self.one.by, "metric": metric}
            yield Estimate(float(rank), len(self.metrics), by=by, tags=self.one.tags)


def ranks(p: Array, level: float = 0.05) -> list[int]:
    """The cluster of each metric, best first: a new one where any of the last is surely better."""
    found: list[int] = []
    start, rank = 0, 1
    for at in range(len(p)):
        if (p[start:at, at] <= level).any():
            rank, start = rank + 1, at
        found.append(rank)
    return found


def _headline(chances: Sequence[Estimate], level: float) -> str:
    """How many pairs are told apart."""
    told_of = of_first(chances)
    if not told_of:
        return ""
    forward = told_of[: len(told_of) // 2]
    sure = sum((e.value or 0.0) <= level for e in forward)
    best, next_to_it = forward[0].by["metric_a"], forward[0]
    start = place_of(forward[0], chances)
    count = f"{sure} of {len(forward)} pairs of metrics can be told apart (p ≤ {level:g})"
    beside = f"{best} beside {next_to_it.by['metric_b']}: p = {next_to_it.value:.3f}"
    return f"{start}{count}; {beside}."


def _leading(clusters: Sequence[Estimate]) -> str:
    told_of = of_first(clusters)
    if not told_of:
        return ""
    first = [str(e.by["metric"]) for e in told_of if e.value == 1]
    verb = "is" if len(first) == 1 else "are"
    count = int(max(e.value or 0.0 for e in told_of))
    words = (
        f"{len(told_of)} metrics fall into {count} clusters; {listed(first)} {verb} in the first"
    )
    return f"{place_of(told_of[0], clusters)}{words}."


def _draw(chances: Sequence[Estimate]) -> Figure:
    return figures.heat(
        "Is metric a better than metric b? (p)",
        figures.rows(chances),
        x=figures.axis("metric_b", "metric b", "nominal", sort=None),
        y=figures.axis("metric_a", "metric a", "nominal", sort=None),
        colour=figures.axis("value", "p"),
    )
