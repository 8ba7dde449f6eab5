"""Correlation coefficients of people's scores and a metric's, and their estimates.

Pearson, Spearman and the variants of Kendall's τ, of systems or of groups of segments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate
from jurat.stats import correlation
from jurat.stats.correlation import KendallCounts, kendall_counts, tau_b, tau_c
from jurat.stats.estimates import (
    bootstrap_means,
    jackknife_errors,
    with_normal_interval,
)
from jurat.stats.metaeval.base import NO_RATINGS, NO_SEGMENTS
from jurat.stats.metaeval.human_scores import Mask
from jurat.stats.metaeval.matched_scores import MatchedScores, ScoreGroups, score_groups
from jurat.stats.ratings import Array
from jurat.stats.settings import Grouping, MetricSettings

# Systems, below which their correlation says nothing.
FEWEST = 3
# Translations up to which a jackknife is quick.
MOST = 100_000
# Segments from which a jackknife of them says something.
ENOUGH = 10
LOWER = "lower is better"
FEW = f"fewer than {FEWEST} systems have both scores"
FLAT = "people's scores or the metric's do not vary"

# Variants of τ that count the pairs of all groups together; of the others groups are averaged.
POOLED = ("wmt12", "wmt13", "wmt14", "wmt20")
# Points by which people's scores must differ to count in WMT's relative ranking (2017–2020).
GAP = 25.0
KENDALL_FORMULAS = {
    "b": "τ_b = (C − D) / √((n − metric ties)(n − human ties))",
    "c": "Stuart's τ_c = 2m(C − D) / n²(m − 1), m the fewer different values",
    "23": "τ_eq = (C + tied by both − D − tied by one) / n (Deutsch et al. 2023)",
    "wmt12": "(C − D − metric ties) / (C + D + metric ties), human ties left out (WMT12)",
    "wmt13": "(C − D) / (C + D), ties left out (WMT13)",
    "wmt14": "(C − D) / (C + D + metric ties), human ties left out (WMT14)",
    "wmt20": f"(C − D) / (C + D) over pairs {GAP:g} points apart, metric ties in D (WMT17–20)",
}

# From groups to the coefficient of each; NaN where it is undefined.
Correlation = Callable[[ScoreGroups], Array]
# From a coefficient, n and the confidence to both ends of its interval.
Interval = Callable[[float, int, float], tuple[float, float]]


class Coefficient(NamedTuple):
    """A correlation, and the interval that it has with n independent pairs of values."""

    name: str
    of: Correlation
    interval: Interval
    ordered: bool = True
    """Whether it speaks of better and worse; else scores are taken as they are."""
    pooled: bool = False
    """Whether it is one of all groups together and no mean over groups."""

    def value(self, groups: ScoreGroups) -> float:
        """The coefficient of all groups; NaN where it is undefined."""
        return float(self.of(groups)[0]) if self.pooled else average(self.of(groups))


def pearson(groups: ScoreGroups) -> Array:
    """Pearson's r of each group; NaN where one side does not vary."""
    return correlation.pearson(groups.human, groups.metric)


def spearman(groups: ScoreGroups) -> Array:
    """Spearman's ρ of each group: Pearson's r of mid-ranks."""
    return correlation.spearman(groups.human, groups.metric)


def average(values: Array) -> float:
    """The mean of the groups that have a value; NaN where none has."""
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else float("nan")


PEARSON = Coefficient("pearson", pearson, correlation.fisher_interval, ordered=False)
SPEARMAN = Coefficient("spearman", spearman, correlation.bonett_wright_interval)


def kendall_of(kind: str) -> Coefficient:
    """A variant of Kendall's τ, as `KENDALL_FORMULAS` names it."""
    pooled = kind in POOLED
    of = partial(_pooled_kendall if pooled else _kendall, kind)
    return Coefficient("kendall", of, correlation.fieller_interval, pooled=pooled)


def _kendall(kind: str, groups: ScoreGroups) -> Array:
    return kendall_variant(kind, kendall_counts(*groups), groups)


def _pooled_kendall(kind: str, groups: ScoreGroups) -> Array:
    # WMT's relative ranking ignores pairs that people scored nearly alike.
    gap = GAP if kind == "wmt20" else 0.0
    return kendall_variant(kind, kendall_counts(*groups, gap=gap).sum(axis=0)[None])


def kendall_variant(kind: str, counts: Array, groups: ScoreGroups | None = None) -> Array:
    """A variant of Kendall's τ from `kendall_counts`; NaN where it is undefined.

    τ_c needs the groups themselves, for their number of different values.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        if kind == "c":
            assert groups is not None
            n = (~np.isnan(groups.human)).sum(axis=-1)
            return tau_c(counts, n, np.minimum(*(_different(side) for side in groups)))
        if kind == "b":
            return tau_b(counts)
        return np.asarray(_VARIANTS[kind](KendallCounts(*np.moveaxis(counts, -1, 0))))


def _over_metric_ties(k: KendallCounts, excess: Array) -> Array:
    return np.asarray(excess / (k.concordant + k.discordant + k.tied_y))


# Of the counts, x is people and y the metric.
_VARIANTS: Mapping[str, Callable[[KendallCounts], Array]] = {
    "23": lambda k: (k.concordant + k.tied_both - k.discordant - k.tied_x - k.tied_y) / sum(k),
    "wmt12": lambda k: _over_metric_ties(k, k.concordant - k.discordant - k.tied_y),
    "wmt13": lambda k: (k.concordant - k.discordant) / (k.concordant + k.discordant),
    "wmt14": lambda k: _over_metric_ties(k, k.concordant - k.discordant),
    "wmt20": lambda k: _over_metric_ties(k, k.concordant - k.discordant - k.tied_y),
}


def _different(values: Array) -> Array:
    """How many different values each row has; NaN is sorted last and is none."""
    ordered = np.sort(values, axis=-1)
    new = (ordered[:, 1:] != ordered[:, :-1]) & ~np.isnan(ordered[:, 1:])
    return np.asarray(new.sum(axis=-1) + ~np.isnan(ordered[:, 0]), dtype=np.float64)


def of_segments(
    data: MatchedScores,
    metric: int,
    coefficient: Coefficient,
    grouping: Grouping,
    settings: MetricSettings,
) -> Estimate:
    """The coefficient of segments' scores, with an interval over segments."""
    key = {"level": "segment", "grouping": grouping}
    side = "" if coefficient.ordered or data.signs[metric] > 0 else LOWER
    if data.human.means is None:
        return data.missing(metric, NO_RATINGS, side=side, **key)
    means = data.human.means
    scores = (data.oriented if coefficient.ordered else data.scores)[metric]
    groups = score_groups(means, scores, grouping)
    if not groups.n:
        return data.missing(metric, NO_SEGMENTS, side=side, **key)
    # A mean over segments is resampled quickly; other coefficients are jackknifed.
    if grouping == "item" and settings.bootstrap and not coefficient.pooled:
        drawn = bootstrap_means(coefficient.of(groups), settings=settings)
        by = data.key(metric, **key)
        return drawn.estimate(n=groups.n, by=by, tags=data.tags, reason=FLAT, side=side)
    value = coefficient.value(groups)
    made = data.estimate(metric, value, groups.n, reason=FLAT, side=side, **key)
    if not settings.bootstrap or groups.n > MOST or data.segments < ENOUGH:
        return made

    def without(kept: Mask) -> list[float]:
        return [coefficient.value(score_groups(means[kept], scores[kept], grouping))]

    (error,) = jackknife_errors(without, data.segments, seed=settings.seed)
    return with_normal_interval(made, float(error), settings)


def of_systems(
    data: MatchedScores, metric: int, coefficient: Coefficient, settings: MetricSettings
) -> Estimate:
    """The coefficient of systems' scores, with its interval in closed form."""
    lower = data.signs[metric] < 0
    side = LOWER if lower and not coefficient.ordered else ""
    scores, _ = data.system_scores(metric)
    scores = -scores if lower and coefficient.ordered else scores
    groups = score_groups(data.human.system_scores[None], scores[None], "item")
    value = coefficient.value(groups) if groups.n >= FEWEST else float("nan")
    reason = FEW if groups.n < FEWEST else FLAT
    made = data.estimate(metric, value, groups.n, reason=reason, side=side, level="system")
    # The interval's standard error divides by n − 3 or n − 4, and atanh 1 is infinite.
    if made.value is None or not settings.bootstrap or abs(value) >= 1 or made.n <= 4:
        return made
    low, high = coefficient.interval(value, made.n, settings.confidence)
    return made._replace(low=low, high=high)
