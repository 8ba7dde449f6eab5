"""Levels of tests that are repeated while a campaign goes on, so that all looks together keep α."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from jurat.stats.ratings import Array, Codes

# Points of the grid on which a path that has not crossed a boundary is followed; odd, for Simpson's
# rule. Steps of 1/50 of the information are ten times as wide as its spacing.
POINTS = 301
MOST_LOOKS = 50
# The share of a difference's variance that its prior has in the e-value; fixed beforehand.
PRIOR = 0.5


def spent(times: Array, alpha: float) -> Array:
    """The error spent until each time, 0 to 1: 2 − 2Φ(z/√t) on each of both sides, Φ(z) = 1 − α/4.

    The spending function of O'Brien and Fleming's type (Lan & DeMets 1983) at α/2 a side.
    """
    from scipy.special import ndtr, ndtri

    return np.asarray(4 * ndtr(ndtri(alpha / 4) / np.sqrt(times)))


@lru_cache(maxsize=64)
def look_levels(times: tuple[float, ...], alpha: float) -> tuple[float, ...]:
    """The two-sided level of the test at each of these times of the information, 0 to 1.

    The probability that a Brownian path first lies beyond ±c_k√t_k at look k is what is spent
    there; c_k follows from the density of paths that have not crossed before (Armitage, McPherson &
    Rowe 1969), integrated by Simpson's rule.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr

    steps = np.diff(spent(np.array(times), alpha), prepend=0.0)
    places, density, before = np.zeros(1), np.ones(1), 0.0
    levels = []
    for time, share in zip(times, steps, strict=True):
        width = float(np.sqrt(time - before))
        bound = float(brentq(_crossing, 0.0, 40.0, args=(places, density, width, share)))
        levels.append(float(2 * ndtr(-bound / np.sqrt(time))))
        grid = np.linspace(-bound, bound, POINTS)
        moved = np.exp(-(((grid[:, None] - places) / width) ** 2) / 2) @ density
        simpson = np.full(POINTS, 2.0)
        simpson[1::2], simpson[[0, -1]] = 4.0, 1.0
        spacing = 2 * bound / (POINTS - 1)
        density = moved * simpson * spacing / 3 / (width * np.sqrt(2 * np.pi))
        places, before = grid, time
    return tuple(levels)


def _crossing(bound: float, places: Array, density: Array, width: float, share: float) -> float:
    """How much more than `share` of the paths at these places lie beyond ±bound one step on."""
    from scipy.special import ndtr

    beyond = ndtr((places - bound) / width) + ndtr((-places - bound) / width)
    return float(density @ beyond) - share


def looks_until(first: int, most: int) -> Codes:
    """Numbers of documents at which one may look: every one, or 50 of them."""
    number = min(MOST_LOOKS, most - first + 1)
    return np.unique(np.linspace(first, most, number).astype(np.int64))


def log_e_value(t: Array | float, documents: Array | Codes | int) -> Array:
    """The log e-value against equal systems, of Student's t of so many document differences.

    ln e = −½ ln(1+ng) + n/2 [ln(1 + t²/(n−1)) − ln(1 + t²/((1+ng)(n−1)))]: the Bayes factor of a
    normal prior with g error variances. One may look whenever one likes: e reaches 1/α with
    probability α at most.
    """
    n = np.asarray(documents, dtype=np.float64)
    grown, square = 1 + n * PRIOR, np.asarray(t, dtype=np.float64) ** 2 / (n - 1)
    return np.asarray(-np.log(grown) / 2 + n / 2 * (np.log1p(square) - np.log1p(square / grown)))


def e_value_limit(documents: Array | Codes | int, alpha: float) -> Array:
    """The t beyond which the e-value is 1/α; infinite where none is.

    t² = (n − 1)(q − 1)/(1 − q/(1+ng)), with q = (√(1+ng)/α)^(2/n).
    """
    n = np.asarray(documents, dtype=np.float64)
    grown = 1 + n * PRIOR
    ratio = np.exp(2 / n * (np.log(1 / alpha) + np.log(grown) / 2))
    left = 1 - ratio / grown
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(left > 0, np.sqrt((n - 1) * (ratio - 1) / left), np.inf)
