"""The rules by which a judge is an outlier: too many deviations from the mean, or too rare."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.stats.ratings import Array

# Below this probability something is no chance.
LEVEL = 0.05


class OutlierFlags(NamedTuple):
    """1 for the judges whom a rule finds, 0 for others, NaN where it is undefined, and why."""

    found: Array
    reason: str = ""

    @classmethod
    def undefined(cls, judges: int, reason: str = "") -> OutlierFlags:
        """No rule says anything about so many judges."""
        return cls(np.full(judges, np.nan), reason)


def outside(values: Array, k: float) -> OutlierFlags:
    """Outside mean ± k SD (ddof 1) of the judges who have a value."""
    return _beyond(values, lambda away, sd: np.abs(away) > k * sd)


def above(values: Array, k: float) -> OutlierFlags:
    """Above mean + k SD (ddof 1) of the judges who have a value."""
    return _beyond(values, lambda away, sd: away > k * sd)


def below(values: Array, k: float) -> OutlierFlags:
    """Below mean − k SD (ddof 1) of the judges who have a value."""
    return above(-values, k)


def unlikely(p: Array) -> OutlierFlags:
    """Less probable than one in twenty."""
    return OutlierFlags(np.where(np.isnan(p), np.nan, p < LEVEL))


def binomial_tail(hits: Array, trials: Array, rate: float) -> Array:
    """P(X ≥ hits) of so many trials at that rate: one-sided binomial; NaN without trials."""
    from scipy.special import betainc

    if np.isnan(rate):
        return np.full(len(hits), np.nan)
    # P(X ≥ k) is the regularised incomplete beta function I_p(k, n − k + 1), for k from 1 on
    at_least_one = np.maximum(hits, 1)
    more = betainc(at_least_one, np.maximum(trials - at_least_one, 0) + 1, np.clip(rate, 0, 1))
    return np.asarray(np.where(trials > 0, np.where(hits > 0, more, 1.0), np.nan))


def sides(values: Array, found: Array, middle: float | None = None) -> tuple[str, ...]:
    """The side of each outlier: strict below the middle, lenient above it; "" for all others.

    The middle is the mean of the values where none is given.
    """
    known = values[~np.isnan(values)]
    if middle is None:
        middle = float(known.mean()) if len(known) else 0.0
    return tuple(
        ("strict" if value < middle else "lenient") if hit == 1 and value != middle else ""
        for value, hit in zip(values, found, strict=True)
    )


def limits(values: Array, k: float) -> tuple[float, float, float]:
    """Mean, mean − k SD and mean + k SD; NaN where fewer than two judges have a value."""
    known = values[~np.isnan(values)]
    if len(known) < 2:
        return (float(known.mean()) if len(known) else np.nan, np.nan, np.nan)
    mean, sd = float(known.mean()), float(known.std(ddof=1))
    return mean, mean - k * sd, mean + k * sd


def _beyond(values: Array, far: Callable[[Array, float], NDArray[np.bool_]]) -> OutlierFlags:
    """Where a judge lies too far from the mean, as `far` tells from distance and deviation."""
    known = values[~np.isnan(values)]
    if len(known) < 2:
        return OutlierFlags.undefined(len(values), "fewer than two judges have a value")
    sd = float(known.std(ddof=1))
    # what differs by rounding alone does not differ
    if sd <= 1e-12 * max(1.0, float(np.abs(known).max())):
        return OutlierFlags.undefined(len(values), "all judges have the same value")
    away = values - known.mean()
    return OutlierFlags(np.where(np.isnan(values), np.nan, far(away, sd)))
