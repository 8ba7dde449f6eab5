"""One coefficient of people's scores and a metric's: of systems, or of groups of segments."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Key
from jurat.stats.agreement.jackknifed import standard_errors, with_error
from jurat.stats.metaeval import kendall
from jurat.stats.metaeval.grouping import Grouped, average, grouped, pearson, spearman
from jurat.stats.metaeval.matched import Matched
from jurat.stats.metaeval.settings import Grouping, MetricSettings
from jurat.stats.metaeval.wording import NO_RATINGS, NO_SEGMENTS
from jurat.stats.ratings import Array
from jurat.stats.spread import Spread, spread

FEWEST = 3
"""Systems, below which their correlation says nothing."""
MOST = 100_000
"""Translations up to which a jackknife is quick."""
ENOUGH = 10
"""Segments from which a jackknife of them says something."""
LOWER = "lower is better"
FEW = f"fewer than {FEWEST} systems have both scores"
FLAT = "people's scores or the metric's do not vary"

Correlation = Callable[[Grouped], Array]
"""From groups to the coefficient of each; NaN where it is undefined."""
Error = Callable[[float, int], float]
"""From a coefficient and n to the squared standard error of its atanh."""


class Coefficient(NamedTuple):
    """A correlation, whether orders matter to it, and how sure it is with n independent pairs."""

    name: str
    of: Correlation
    error: Error
    ordered: bool = True
    """Whether it speaks of better and worse; else scores are taken as they are."""
    pooled: bool = False
    """Whether it is one of all groups together and no mean over groups."""

    def value(self, groups: Grouped) -> float:
        """The coefficient of groups."""
        if self.pooled:
            return float(self.of(groups)[0])
        return average(self.of(groups))


def _kendall(kind: str, groups: Grouped) -> Array:
    return kendall.variant_of(kind, kendall.counts(groups), groups)


def _pooled_kendall(kind: str, groups: Grouped) -> Array:
    gap = kendall.GAP if kind == "wmt20" else 0.0
    return kendall.variant_of(kind, kendall.counts(groups, gap=gap).sum(axis=0)[None])


PEARSON = Coefficient("pearson", pearson, lambda _, n: 1 / (n - 3), ordered=False)
SPEARMAN = Coefficient("spearman", spearman, lambda r, n: (1 + r * r / 2) / (n - 3))


def kendall_of(kind: str) -> Coefficient:
    """A variant of Kendall's τ."""
    pooled = kind in kendall.POOLED
    of = partial(_pooled_kendall if pooled else _kendall, kind)
    return Coefficient("kendall", of, lambda _, n: 0.437 / (n - 4), pooled=pooled)


def scores_of(one: Matched, metric: int, coefficient: Coefficient) -> Array:
    """A metric's scores, turned where the coefficient speaks of better and worse."""
    return np.asarray(one.oriented[metric] if coefficient.ordered else one.scores[metric])


def of_segments(
    one: Matched,
    metric: int,
    coefficient: Coefficient,
    grouping: Grouping,
    settings: MetricSettings,
) -> Estimate:
    """The coefficient of segments' scores, with an interval over segments."""
    by: dict[str, Key] = {
        **one.by,
        "metric": one.metrics[metric],
        "level": "segment",
        "grouping": grouping,
    }
    side = "" if coefficient.ordered or one.signs[metric] > 0 else LOWER
    if one.people.means is None:
        return Estimate(None, 0, by=by, tags=one.tags, reason=NO_RATINGS, side=side)
    scores = scores_of(one, metric, coefficient)
    groups = grouped(one.people.means, scores, grouping)
    if not groups.n:
        return Estimate(None, 0, by=by, tags=one.tags, reason=NO_SEGMENTS, side=side)
    if grouping == "item" and settings.bootstrap and not coefficient.pooled:
        drawn = _over_items(coefficient.of(groups), settings)
        return drawn.estimate(n=groups.n, by=by, tags=one.tags, reason=FLAT, side=side)
    value = coefficient.value(groups)
    known = None if np.isnan(value) else value
    reason = "" if known is not None else FLAT
    made = Estimate(known, groups.n, by=by, tags=one.tags, reason=reason, side=side)
    if not settings.bootstrap or groups.n > MOST or one.segments < ENOUGH:
        return made

    def without(kept: NDArray[np.bool_]) -> list[float]:
        assert one.people.means is not None
        return [coefficient.value(grouped(one.people.means[kept], scores[kept], grouping))]

    (error,) = standard_errors(without, one.segments, seed=settings.seed)
    return with_error(made, float(error), settings)


def _over_items(values: Array, settings: MetricSettings) -> Spread:
    """The mean of segments' coefficients, resampled; undefined ones are left out."""
    there = ~np.isnan(values)
    parts = np.column_stack([np.where(there, values, 0.0), there])
    return spread(parts, lambda t: np.asarray(t[:, 0] / t[:, 1]), settings=settings)


def of_systems(
    one: Matched, metric: int, coefficient: Coefficient, settings: MetricSettings
) -> Estimate:
    """The coefficient of systems' scores."""
    by: dict[str, Key] = {**one.by, "metric": one.metrics[metric], "level": "system"}
    turned = one.signs[metric] < 0
    side = LOWER if turned and not coefficient.ordered else ""
    scores, _ = one.system_scores(metric)
    scores = -scores if turned and coefficient.ordered else scores
    groups = grouped(one.people.system_scores[None], scores[None], "item")
    value = coefficient.value(groups) if groups.n >= FEWEST else float("nan")
    known = None if np.isnan(value) else value
    reason = "" if known is not None else FEW if groups.n < FEWEST else FLAT
    made = Estimate(known, groups.n, by=by, tags=one.tags, reason=reason, side=side)
    if known is None or not settings.bootstrap or abs(known) >= 1:
        return made
    return _closed(made, coefficient.error, settings.confidence)


def _closed(made: Estimate, error: Error, confidence: float) -> Estimate:
    """With both ends by the coefficient's atanh; without where n is too small for its error."""
    if made.value is None or made.n <= 4:
        return made
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * np.sqrt(error(made.value, made.n))
    low, high = (float(np.tanh(np.arctanh(made.value) + side * reach)) for side in (-1, 1))
    return made._replace(low=low, high=high)
