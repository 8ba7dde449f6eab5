"""Student's t distribution: its distribution function and its quantiles.

scipy has both, but its `scipy.special` takes 0.3 s to import, which is most of the time that a
first small analysis takes. Both agree with it to twelve digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# Degrees of freedom from which Hill's expansion around the normal distribution is exact enough.
MANY = 5000.0
# Degrees of freedom below which the tails are so heavy that the normal quantile is far off.
HEAVY = 5.0
# Where a + 1/2 and a are so large, the ratio of their gamma functions is a series.
LARGE = 25.0
# Γ(a + 1/2) / (Γ(a) √a) in powers of 1/a.
RATIO = (1, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304, 39325 / 33554432)
# Numbers from which scipy, which is faster then, is worth its import.
PLENTY = 1000
TINY, CLOSE, NEAR = 1e-300, 2.5e-16, 1e-8
STEPS, FRACTIONS = 20, 500


def t_cdf(df: ArrayLike, t: ArrayLike) -> Array:
    """The probability of a t up to the given one; NaN where df is not positive.

    Exact to twelve digits also in the lower tail, so that small p-values come from negative t.
    """
    freedom, at = np.broadcast_arrays(*map(_floats, (df, t)))
    if at.size > PLENTY:
        from scipy.special import stdtr

        return np.asarray(stdtr(freedom, at))
    with np.errstate(all="ignore"):
        tail = _tail(freedom, np.abs(at))
    return np.asarray(np.where(at > 0, 1 - tail, tail))


def t_quantile(df: ArrayLike, p: ArrayLike) -> Array:
    """The t up to which the probability is p; NaN where df is not positive or p not from 0 to 1."""
    freedom, share = np.broadcast_arrays(*map(_floats, (df, p)))
    # Mostly the same few numbers of units, at one confidence.
    cells = np.stack([freedom.ravel(), share.ravel()])
    different, place = np.unique(cells, axis=1, return_inverse=True)
    if different.shape[1] > PLENTY:
        from scipy.special import stdtrit

        return np.asarray(stdtrit(freedom, share))
    each = _quantiles(tuple(different[0].tolist()), tuple(different[1].tolist()))
    return np.asarray(each[place].reshape(freedom.shape))


@lru_cache(maxsize=256)
def _quantiles(freedom: tuple[float, ...], shares: tuple[float, ...]) -> Array:
    """The quantiles; within an analysis the same are asked for again and again."""
    df, p = np.array(freedom), np.array(shares)
    beyond = np.where(p > 0.5, 1 - p, p)
    size = np.select([beyond == 0.5, beyond == 0], [0.0, np.inf], np.nan)
    asked = (df > 0) & (beyond > 0) & (beyond < 0.5)
    with np.errstate(all="ignore"):
        size[asked] = _size(df[asked], beyond[asked])
    return np.where(df > 0, np.where(p > 0.5, size, -size), np.nan)


def _floats(values: ArrayLike) -> Array:
    return np.asarray(values, dtype=np.float64)


def _size(df: Array, beyond: Array) -> Array:
    """The t above which the probability is `beyond`, below one half."""
    found = _first_guess(df, beyond)
    moving = np.isfinite(df)
    for _ in range(STEPS):
        tail = _tail(df[moving], found[moving])
        # Tails fall as a power of t where df is small: their logarithm is nearly a line in that of
        # t, on which Newton's steps are safe from far away.
        slope = found[moving] * _density(df[moving], found[moving]) / tail
        step = (np.log(tail) - np.log(beyond[moving])) / slope
        found[moving] *= np.exp(np.clip(step, -2, 2))
        # Each step doubles the digits that are right.
        moving[moving] = np.abs(step) > NEAR
        if not moving.any():
            break
    return found


def _first_guess(df: Array, beyond: Array) -> Array:
    """Cornish and Fisher's expansion around the normal quantile, or the power of a heavy tail."""
    z = -_each(NormalDist().inv_cdf, beyond)
    more = (z**3 + z) / 4 / df + (5 * z**5 + 16 * z**3 + 3 * z) / 96 / df**2
    expanded = z + more + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / df**3
    return np.where(df < HEAVY, np.maximum(z, beyond ** (-1 / df)), expanded)


def _density(df: Array, t: Array) -> Array:
    power = -(df + 1) / 2 * np.log1p(t * t / df)
    return np.asarray(np.exp(power) * _gamma_ratio(df / 2) / np.sqrt(np.pi * df))


def _tail(df: Array, t: Array) -> Array:
    """The probability of more than t ≥ 0."""
    found = np.full(t.shape, np.nan)
    known = (df > 0) & ~np.isnan(t)
    many = known & (df > MANY)
    found[many] = _hill_tail(df[many], t[many])
    few = known & ~many
    found[few] = _beta_tail(df[few], t[few])
    found[known & np.isinf(t)] = 0.0
    return found


def _hill_tail(df: Array, t: Array) -> Array:
    """From the normal deviate that t of many degrees of freedom corresponds to (Hill 1970)."""
    a = df - 0.5
    b = 48 * a * a
    w2 = np.where(np.isinf(df), t * t, a * np.log1p(t * t / df))
    w = np.sqrt(w2)
    more = (((4 * w2 + 33) * w2 + 240) * w2 + 855) / (10 * b * (b + 0.8 * w2 * w2 + 100))
    z = np.where(np.isinf(df), w, w + w * ((w2 + 3) / b - more))
    return 0.5 * _each(math.erfc, z / math.sqrt(2))


def _beta_tail(df: Array, t: Array) -> Array:
    """Half of the incomplete beta function I_x(df/2, 1/2) of x = df / (df + t²)."""
    a, square = df / 2, t * t
    y = square / (df + square)
    front = np.exp(-a * np.log1p(square / df)) * np.sqrt(y) * _gamma_ratio(a) / math.sqrt(math.pi)
    # The continued fraction converges on one side of the mode, and its mirror image on the other.
    outside = square * (df + 2) > 3 * df
    half = np.full_like(a, 0.5)
    first, second = np.where(outside, a, half), np.where(outside, half, a)
    found = front * _fraction(first, second, np.where(outside, df / (df + square), y)) / first
    return np.where(outside, found, 1 - found) / 2


def _fraction(a: Array, b: Array, x: Array) -> Array:
    """The continued fraction of the incomplete beta function (Lentz; DLMF 8.17.22)."""
    c, d = np.ones_like(x), _apart(1 - (a + b) * x / (a + 1))
    d = 1 / d
    found = d
    for m in range(1, FRACTIONS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            d, c = 1 / _apart(1 + part * d), _apart(1 + part / c)
            found = found * d * c
        if not (np.abs(d * c - 1) > CLOSE).any():
            break
    return np.asarray(found)


def _apart(values: Array) -> Array:
    """The values, none of them 0."""
    return np.where(np.abs(values) < TINY, TINY, values)


def _gamma_ratio(a: Array) -> Array:
    """Γ(a + 1/2) / Γ(a)."""
    large = np.maximum(a, LARGE)
    # not numpy.polynomial, which takes as long to import as a hundred quantiles
    series = np.sqrt(large) * np.polyval(RATIO[::-1], 1 / large)
    small = _each(lambda one: math.gamma(one + 0.5) / math.gamma(one), np.minimum(a, LARGE))
    return np.where(a > LARGE, series, small)


def _each(function: Callable[[float], float], values: Array) -> Array:
    """A function of one number for each of them."""
    return np.asarray(np.frompyfunc(function, 1, 1)(values), dtype=np.float64)
