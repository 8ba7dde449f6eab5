"""Pairwise difference Pearson: whether differences within a segment go with people's.

Pearson's r over the differences of every two systems of a segment, of all segments together: what
a metric says of easy and hard segments has no part in it, and large differences weigh most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, spoken
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.metaeval.matched_scores import NO_PAIRS, NO_RATINGS, MatchedScores, score_groups
from jurat.stats.metaeval.metric_statistic import (
    MetricStatistic,
    each_metric,
    highest,
    interval_method,
)
from jurat.stats.metaeval.unit_intervals import sum_intervals
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array
from jurat.stats.settings import MetricSettings
from jurat.stats.statistic import Answer


class MetricDifferencePearson(MetricStatistic):
    """PDP of each metric."""

    name = "metric-pdp"
    gives = ("metric-pdp",)
    asks = "Do the metric's differences between translations of a segment go with people's?"
    formula = (
        "PDP: Pearson's r of people's and the metric's differences of every two systems of a "
        "segment, all segments together; each pair in both orders, so that the order of systems "
        "has no part in it"
    )
    source = "DiIanni & Deutsch 2025"
    order = 52
    points = ("Pairwise difference Pearson", "PDP")

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """A coefficient for each metric."""
        made = [_of_metric(data, metric, settings) for data, metric in each_metric(parts)]
        drawn = interval_method([spread for _, spread in made], parts)
        more = ("n counts pairs", settings.metric_scores.direction, drawn)
        yield Answer([e for e, _ in made], method_line(self.formula, *more))

    def finding(self, name: str, first: Sequence[Estimate]) -> str:
        """The metric with the highest coefficient."""
        best = highest(first)
        return f"Highest PDP: {best.by['metric']} {spoken(best.value)}{interval(best)}."


def _of_metric(
    data: MatchedScores, metric: int, settings: MetricSettings
) -> tuple[Estimate, Estimates]:
    if data.human.means is None:
        return data.missing(metric, NO_RATINGS, level="segment"), Estimates.undefined()
    groups = score_groups(data.human.means, data.oriented[metric], "item")
    pairs = int(groups.pairs.sum())
    if not pairs:
        return data.missing(metric, NO_PAIRS, level="segment"), Estimates.undefined()
    sums = difference_sums(data.human.means, data.oriented[metric])
    drawn = sum_intervals(data, sums, difference_pearson, settings)
    reason = "people's scores or the metric's are the same within every segment"
    by = data.key(metric, level="segment")
    return drawn.estimate(n=pairs, by=by, tags=data.tags, reason=reason), drawn


def difference_sums(means: Array, scores: Array) -> Array:
    """Σ of products and squares of the differences of each segment's pairs (segments × 3).

    Σ over pairs of (xᵢ − xⱼ)(yᵢ − yⱼ) is n Σ(x − x̄)(y − ȳ) of the segment's n systems, so that no
    pair need be made.
    """
    human, metric = score_groups(means, scores, "item")
    there = ~np.isnan(human)
    n = there.sum(axis=1, keepdims=True)
    x, y = (_centred(side, there, n) for side in (human, metric))
    return np.asarray(n * np.stack([(a * b).sum(axis=1) for a, b in ((x, y), (x, x), (y, y))], 1))


def _centred(values: Array, there: Array, n: Array) -> Array:
    known = np.where(there, values, 0.0)
    return np.where(there, known - known.sum(axis=1, keepdims=True) / np.maximum(n, 1), 0.0)


def difference_pearson(totals: Array) -> Array:
    """PDP from totals of `difference_sums` (rows × 3); NaN where one of the two has none."""
    products, of_x, of_y = np.moveaxis(totals, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = products / np.sqrt(of_x * of_y)
    return np.asarray(np.where((of_x > 0) & (of_y > 0), np.clip(r, -1, 1), np.nan))
