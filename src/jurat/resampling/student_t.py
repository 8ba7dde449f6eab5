"""Student's t distribution: its distribution function and its quantiles.

scipy has both, but its `scipy.special` takes 0.3 s to import, which is most of the time that a
first small analysis takes. Both agree with it to twelve digits.
"""

from __future__ import annotations

import math
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
# Numbers from which scipy, which is faster then, is worth its import. Fewer are computed one by
# one: most calls ask for one to three, for which arrays take twenty times as long.
PLENTY = 1000
TINY, CLOSE, NEAR = 1e-300, 2.5e-16, 1e-8
STEPS, FRACTIONS = 20, 500
# The exponent of the largest number.
LARGEST = 700.0


def t_cdf(df: ArrayLike, t: ArrayLike) -> Array:
    """The probability of a t up to the given one; NaN where df is not positive.

    Exact to twelve digits also in the lower tail, so that small p-values come from negative t.
    """
    freedom, at = np.broadcast_arrays(*map(_floats, (df, t)))
    if at.size > PLENTY:
        from scipy.special import stdtr

        return np.asarray(stdtr(freedom, at))
    both = zip(freedom.ravel().tolist(), at.ravel().tolist(), strict=True)
    tails = [1 - _tail(df, t) if t > 0 else _tail(df, -t) for df, t in both]
    return np.array(tails, dtype=np.float64).reshape(at.shape)


def t_quantile(df: ArrayLike, p: ArrayLike) -> Array:
    """The t up to which the probability is p; NaN where df is not positive or p not from 0 to 1."""
    freedom, share = np.broadcast_arrays(*map(_floats, (df, p)))
    # Mostly the same few numbers of units, at one confidence.
    asked = list(zip(freedom.ravel().tolist(), share.ravel().tolist(), strict=True))
    if len(asked) > PLENTY and len({*asked}) > PLENTY:
        from scipy.special import stdtrit

        return np.asarray(stdtrit(freedom, share))
    found = [_quantile(df, p) for df, p in asked]
    return np.array(found, dtype=np.float64).reshape(freedom.shape)


@lru_cache(maxsize=4096)
def _quantile(df: float, p: float) -> float:
    """One quantile; within an analysis the same are asked for again and again."""
    if not (df > 0 and 0 <= p <= 1):
        return math.nan
    beyond = 1 - p if p > 0.5 else p
    if beyond in (0, 0.5):
        return math.copysign(math.inf if beyond == 0 else 0.0, p - 0.5)
    return math.copysign(_size(df, beyond), p - 0.5)


def _floats(values: ArrayLike) -> Array:
    return np.asarray(values, dtype=np.float64)


def _size(df: float, beyond: float) -> float:
    """The t above which the probability is `beyond`, below one half."""
    found = _first_guess(df, beyond)
    for _ in range(STEPS):
        if math.isinf(df):
            break
        tail = _tail(df, found)
        if not tail > 0:
            # so far out that nothing is left of it
            return math.nan
        # Tails fall as a power of t where df is small: their logarithm is nearly a line in that of
        # t, on which Newton's steps are safe from far away. Farthest out its slope is df.
        slope = found * _density(df, found) / tail or df
        step = (math.log(tail) - math.log(beyond)) / slope
        found *= math.exp(min(max(step, -2.0), 2.0))
        # Each step doubles the digits that are right.
        if abs(step) <= NEAR:
            break
    return found


def _first_guess(df: float, beyond: float) -> float:
    """Cornish and Fisher's expansion around the normal quantile, or the power of a heavy tail."""
    z = -NormalDist().inv_cdf(beyond)
    if df < HEAVY:
        return max(z, math.exp(min(-math.log(beyond) / df, LARGEST)))
    more = (z**3 + z) / 4 / df + (5 * z**5 + 16 * z**3 + 3 * z) / 96 / df**2
    return z + more + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / df**3


def _density(df: float, t: float) -> float:
    power = -(df + 1) / 2 * math.log1p(t * t / df)
    return math.exp(power) * _gamma_ratio(df / 2) / math.sqrt(math.pi * df)


def _tail(df: float, t: float) -> float:
    """The probability of more than t ≥ 0; NaN where df is not positive."""
    if math.isnan(t) or not df > 0:
        return math.nan
    if math.isinf(t):
        return 0.0
    return _hill_tail(df, t) if df > MANY else _beta_tail(df, t)


def _hill_tail(df: float, t: float) -> float:
    """From the normal deviate that t of many degrees of freedom corresponds to (Hill 1970)."""
    if math.isinf(df):
        return 0.5 * math.erfc(t / math.sqrt(2))
    a = df - 0.5
    b = 48 * a * a
    w2 = a * math.log1p(t * t / df)
    w = math.sqrt(w2)
    more = (((4 * w2 + 33) * w2 + 240) * w2 + 855) / (10 * b * (b + 0.8 * w2 * w2 + 100))
    z = w + w * ((w2 + 3) / b - more)
    return 0.5 * math.erfc(z / math.sqrt(2))


def _beta_tail(df: float, t: float) -> float:
    """Half of the incomplete beta function I_x(df/2, 1/2) of x = df / (df + t²)."""
    a, square = df / 2, t * t
    if math.isinf(square):
        return 0.0
    y = square / (df + square)
    front = math.exp(-a * math.log1p(square / df)) * math.sqrt(y) * _gamma_ratio(a)
    front /= math.sqrt(math.pi)
    # The continued fraction converges on one side of the mode, and its mirror image on the other.
    if square * (df + 2) > 3 * df:
        return front * _fraction(a, 0.5, df / (df + square)) / a / 2
    return (1 - front * _fraction(0.5, a, y) / 0.5) / 2


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (Lentz; DLMF 8.17.22)."""
    c, d = 1.0, 1 / _apart(1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, FRACTIONS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            d, c = 1 / _apart(1 + part * d), _apart(1 + part / c)
            found *= d * c
        if abs(d * c - 1) <= CLOSE:
            break
    return found


def _apart(value: float) -> float:
    """The value, or something tiny in place of 0."""
    return TINY if abs(value) < TINY else value


def _gamma_ratio(a: float) -> float:
    """Γ(a + 1/2) / Γ(a)."""
    if a <= LARGE:
        return math.gamma(a + 0.5) / math.gamma(a)
    series = 0.0
    for factor in reversed(RATIO):
        series = series / a + factor
    return math.sqrt(a) * series
