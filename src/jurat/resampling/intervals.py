"""Confidence intervals from replicates, for many values at once.

Undefined values are NaN and left out; an end is NaN where there is no interval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.resampling.arguments import Array

NORMAL = NormalDist()


class Interval(NamedTuple):
    """The lower and the upper end, of the shape of what was estimated."""

    low: Array
    high: Array


@dataclass(frozen=True)
class Replicates:
    """Replicates × values, the estimates, and how to get them with each cluster left out."""

    replicates: Array
    estimate: Array
    left_out: Callable[[], Array]


def percentile(sampled: Replicates, confidence: float) -> Interval:
    """The middle part of the replicates."""
    tail = np.full(len(sampled.estimate), (1 - confidence) / 2)
    return Interval(quantile(sampled.replicates, tail), quantile(sampled.replicates, 1 - tail))


def basic(sampled: Replicates, confidence: float) -> Interval:
    """The percentile interval turned round the estimate."""
    low, high = percentile(sampled, confidence)
    return Interval(2 * sampled.estimate - high, 2 * sampled.estimate - low)


def normal(sampled: Replicates, confidence: float) -> Interval:
    """The estimate and so many standard errors to either side."""
    reach = NORMAL.inv_cdf((1 + confidence) / 2) * standard_error(sampled.replicates)
    return Interval(sampled.estimate - reach, sampled.estimate + reach)


def bca(sampled: Replicates, confidence: float) -> Interval:
    """Percentiles corrected for bias and acceleration (Efron 1987)."""
    replicates, estimate = sampled.replicates, sampled.estimate
    # Replicates that equal the estimate count half below it and half above.
    below = (replicates < estimate).sum(axis=0) + (replicates <= estimate).sum(axis=0)
    share = below / (2 * np.maximum(1, np.isfinite(replicates).sum(axis=0)))
    bias, rate = _each(_inverse, share), acceleration(sampled.left_out())

    def end(tail: float) -> Array:
        shift = bias + NORMAL.inv_cdf(tail)
        return quantile(replicates, _each(NORMAL.cdf, bias + shift / (1 - rate * shift)))

    return Interval(end((1 - confidence) / 2), end((1 + confidence) / 2))


METHODS: Mapping[str, Callable[[Replicates, float], Interval]] = {
    "percentile": percentile,
    "basic": basic,
    "bca": bca,
    "normal": normal,
}


def quantile(replicates: Array, level: Array) -> Array:
    """The quantile of each column at its own level, between the two nearest values."""
    ordered = np.sort(replicates, axis=0)  # NaN last
    last = np.maximum(np.isfinite(replicates).sum(axis=0) - 1, 0)
    # Of each column only what is defined counts: it is sorted to the front.
    place = np.where(np.isfinite(level), level, 0) * last
    below, above = np.floor(place).astype(np.intp), np.ceil(place).astype(np.intp)
    low, high = (np.take_along_axis(ordered, at[None], axis=0)[0] for at in (below, above))
    return np.where(np.isfinite(level), low + (high - low) * (place - below), np.nan)


def standard_error(replicates: Array) -> Array:
    """The standard deviation of each column; NaN for fewer than two values."""
    distance, _, n = centred(replicates)
    error: Array = np.sqrt((distance**2).sum(axis=0) / np.where(n > 1, n - 1, np.nan))
    return error


def acceleration(left_out: Array) -> Array:
    """How fast the standard error changes with the value, by the jackknife."""
    distance = -centred(left_out)[0]
    squares, cubes = (distance**2).sum(axis=0), (distance**3).sum(axis=0)
    rate: Array = cubes / np.where(squares > 0, 6 * squares**1.5, np.inf)
    return rate


def centred(values: Array) -> tuple[Array, Array, NDArray[np.int64]]:
    """Distances from each column's mean (0 where undefined), the means, and of how many."""
    there = np.isfinite(values)
    n = there.sum(axis=0)
    mean = np.where(there, values, 0).sum(axis=0) / np.maximum(n, 1)
    return np.where(there, values - mean, 0), mean, n


def _each(function: Callable[[float], float], values: Array) -> Array:
    return np.array([function(value) for value in values.tolist()])


def _inverse(share: float) -> float:
    return NORMAL.inv_cdf(share) if 0 < share < 1 else np.nan
