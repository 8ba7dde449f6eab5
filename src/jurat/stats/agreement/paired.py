"""Means over all pairs of judges who share items, with intervals that know they share them."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from jurat.results import Estimate, Key
from jurat.stats.kappa import JudgePairs, mean_error
from jurat.stats.ratings import Array, Ratings
from jurat.stats.statistic import Settings

UNSHARED = "no two judges judged the same item"
HOW = "normal interval from the influence of each item (infinitesimal jackknife over items)"


def judge_pairs(ratings: Ratings) -> JudgePairs:
    """The pairs of judges of some first answers, found once."""
    return ratings.once(JudgePairs.of)


def mean_over_pairs(
    ratings: Ratings,
    values: Array,
    influences: Array | None,
    *,
    settings: Settings,
    by: dict[str, Key],
    reason: str,
) -> Estimate:
    """The mean over the pairs that have a value; n counts these."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        why = reason if len(values) else UNSHARED
        return Estimate(value=None, n=0, by=by, tags=ratings.tags, reason=why)
    value = float(defined.mean())
    low, high = None, None
    if settings.bootstrap and influences is not None:
        pairs = judge_pairs(ratings)
        half = quantile(settings) * mean_error(pairs, influences)
        if np.isfinite(half) and np.ptp(pairs.item):
            low, high = max(value - half, -1.0), min(value + half, 1.0)
    return Estimate(value=value, n=len(defined), by=by, tags=ratings.tags, low=low, high=high)


def quantile(settings: Settings) -> float:
    """How many standard errors an interval reaches to either side."""
    return NormalDist().inv_cdf((1 + settings.confidence) / 2)
