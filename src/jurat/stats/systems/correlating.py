"""Correlations of paired columns, for many resamples at once."""

from __future__ import annotations

import numpy as np

from jurat.stats.ratings import Array


def pearson(x: Array, y: Array) -> Array:
    """Pearson's r along the last axis; NaN where one side is constant."""
    dx, dy = (side - side.mean(axis=-1, keepdims=True) for side in (x, y))
    below = np.sqrt((dx**2).sum(axis=-1) * (dy**2).sum(axis=-1))
    return _divided((dx * dy).sum(axis=-1), below)


def mid_ranks(x: Array) -> Array:
    """Ranks along the last axis, from 1; equal values share the mean of theirs."""
    below = np.zeros(x.shape)
    for at in range(x.shape[-1]):
        other = x[..., at : at + 1]
        below += (other < x) + (other == x) / 2
    return below + 0.5


def long_mid_ranks(x: Array) -> Array:
    """The same of one long row, by sorting."""
    _, place, number = np.unique(x, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(number) - (number - 1) / 2)[place])


def spearman(x: Array, y: Array) -> Array:
    """Spearman's ρ along the last axis, by mid-ranks."""
    return pearson(mid_ranks(x), mid_ranks(y))


def kendall(x: Array, y: Array) -> Array:
    """Kendall's τ-b along the last axis."""
    a, b = _signs(x), _signs(y)
    below = np.sqrt((a != 0).sum(axis=-1) * (b != 0).sum(axis=-1))
    return _divided((a * b).sum(axis=-1), below)


def same_order(x: Array, y: Array) -> Array:
    """The share of pairs that both sides order alike; a tie is like a tie only."""
    return np.asarray((_signs(x) == _signs(y)).mean(axis=-1))


def pearson_of_sums(totals: Array) -> Array:
    """Pearson's r from n, Σx, Σy, Σx², Σy², Σxy in the columns."""
    n, x, y, xx, yy, xy = totals.T
    below = np.sqrt(np.maximum(n * xx - x * x, 0) * np.maximum(n * yy - y * y, 0))
    # squares that differ by rounding alone are those of a constant
    constant = below <= 1e-12 * np.abs(n) * np.sqrt(np.abs(xx * yy))
    return np.where(constant, np.nan, _divided(n * xy - x * y, below))


def _signs(x: Array) -> Array:
    first, second = np.triu_indices(x.shape[-1], 1)
    return np.sign(x[..., first] - x[..., second])


def _divided(above: Array, below: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(below > 0, above / below, np.nan))
