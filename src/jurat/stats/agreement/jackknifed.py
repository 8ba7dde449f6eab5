"""Intervals for what has no sums to be resampled: leave a twentieth of the items out in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate
from jurat.stats.agreement.paired import quantile
from jurat.stats.ratings import Array
from jurat.stats.statistic import Settings

GROUPS = 20
HOW = "normal interval from a jackknife that leaves out a twentieth of the items in turn"


def standard_errors(
    values: Callable[[NDArray[np.bool_]], Sequence[float]], items: int, *, seed: int
) -> Array:
    """The jackknife's standard errors of values of some of the items; NaN where undefined.

    SE² = (g − 1)/g Σ(θ(i) − θ(·))² over g groups of items that are put together at random.
    """
    number = min(GROUPS, items)
    if number < 2:
        return np.full(len(values(np.ones(items, dtype=np.bool_))), np.nan)
    group = np.random.default_rng(seed).permutation(np.arange(items) % number)
    found = np.array([values(group != one) for one in range(number)])
    squares = (found - found.mean(axis=0)) ** 2
    return np.asarray(np.sqrt((number - 1) / number * squares.sum(axis=0)))


def with_error(estimate: Estimate, error: float, settings: Settings, most: float = 1.0) -> Estimate:
    """The estimate with its normal interval, as far as a coefficient can go."""
    if estimate.value is None or not np.isfinite(error):
        return estimate
    half = quantile(settings) * error
    low, high = estimate.value - half, estimate.value + half
    return estimate._replace(low=max(low, -most), high=min(high, most))
