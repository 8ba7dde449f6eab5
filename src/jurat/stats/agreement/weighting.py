"""Gwet's weights of partial agreement: 1 for equal answers, 0 for the two ends of the scale."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jurat.stats.agreement.tallies import Tallies
from jurat.stats.ratings import Array, scaled

WEIGHTS = ("none", "linear", "quadratic", "ordinal")


class Weighting(NamedTuple):
    """Agreement an item, 0 to 1 in the mean of its pairs, and the sum of all weights w_kl."""

    agreement: Array
    total: float


def weightings(tallies: Tallies) -> dict[str, Weighting]:
    """The agreement of the pairs of each item under each of the weights; words have only one."""
    points = tallies.points
    found = {"none": Weighting(tallies.mean_per_pair(tallies.equal), float(points))}
    if tallies.nominal:
        return found
    places, steps = scaled(tallies.places), np.arange(points, dtype=np.float64)
    linear, quadratic = tallies.apart(places), tallies.squared(places)
    # Gwet's ordinal weight of two points d steps apart is 1 − d(d + 1) / q(q − 1).
    ordinal = (tallies.squared(steps) + tallies.apart(steps)) / 2
    length = float(np.ptp(places)) if points else 0.0
    found["linear"] = _weighting(tallies, linear, _all_apart(places), length)
    found["quadratic"] = _weighting(tallies, quadratic, _all_squared(places), length**2)
    all_steps = (_all_squared(steps) + _all_apart(steps)) / 2
    found["ordinal"] = _weighting(tallies, ordinal, all_steps, points * (points - 1) / 2)
    return found


def _weighting(tallies: Tallies, sums: Array, every: float, largest: float) -> Weighting:
    """From distances to weights, 1 − distance / largest distance."""
    scale = largest or np.nan
    disagreement = tallies.mean_per_pair(sums) / scale
    return Weighting(
        np.where(tallies.paired > 0, 1 - disagreement, 0.0) if largest else tallies.paired,
        tallies.points**2 - every / scale,
    )


def _all_apart(values: Array) -> float:
    """Σ|x − y| over all ordered pairs of points."""
    return float(2 * (values * (2 * np.arange(len(values)) - len(values) + 1)).sum())


def _all_squared(values: Array) -> float:
    """Σ(x − y)² over all ordered pairs of points."""
    centred = values - values.mean()
    return float(2 * len(values) * (centred**2).sum())
