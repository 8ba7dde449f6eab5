"""When the order of two systems is settled: a bound that holds however often one looks.

Who looks at his results after every kit and stops at the first p < .05 finds a difference that is
not there much more often than one time in twenty. An always-valid interval allows for that: where
two systems are equally good, it leaves 0 out at any of all looks with probability α at most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jurat.stats.planning.variances import Crossed
from jurat.stats.ratings import Array, Codes

FEWEST = 30
"""Segments that both systems need before anything is called settled."""
TIGHTEST = 200
"""Segments at which the bound is as tight as it can be. It has to be fixed before one looks."""
FARTHEST = 50
"""Times the segments judged so far, up to which it is tried how many are missing."""


class Difference(NamedTuple):
    """The mean difference of two systems over the segments that both translated."""

    mean: float
    error: float
    """Its standard error, for segments and judges both drawn at random."""
    segments: int
    judgments: float
    """Of the two systems together, for each segment."""


def radius(segments: Array | Codes | float, *, alpha: float) -> Array:
    """How many standard errors the mean of so many differences may be away from the true one.

    r = √(2 (nρ² + 1)/(nρ²) · log(√(nρ² + 1)/α)), with ρ² = (−2 log α + log(1 − 2 log α)) / n₀:
    Robbins' normal mixture (1970), as Waudby-Smith et al. (2024) tune it to be tightest at n₀.
    """
    tuned = -2 * np.log(alpha)
    grown = np.asarray(segments, dtype=np.float64) * (tuned + np.log1p(tuned)) / TIGHTEST
    return np.asarray(np.sqrt(2 * (grown + 1) / grown * np.log(np.sqrt(grown + 1) / alpha)))


def reach(segments: Array | Codes | float, *, alpha: float) -> Array:
    """Half of the always-valid interval in standard errors: r / √(1 − r²/n).

    The error that r belongs to is not taken around the mean that was found but around the true one:
    √(Σd²)/n. So normalised, sums of symmetric differences keep the bound from the first segment on
    (de la Peña 1999), and two systems that are equally good differ symmetrically. Infinite where n
    is so small that no mean could lie beyond.
    """
    width = radius(segments, alpha=alpha)
    left = 1 - width**2 / np.asarray(segments, dtype=np.float64)
    return np.where(left > 0, width / np.sqrt(np.maximum(left, 1e-300)), np.inf)


def is_settled(found: Difference, *, alpha: float) -> bool:
    """Whether the always-valid interval of the difference leaves 0 out."""
    if found.segments < FEWEST or not found.mean:
        return False
    return abs(found.mean) > found.error * float(reach(found.segments, alpha=alpha))


def probability(found: Difference) -> float | None:
    """That the system with the higher mean is the better one: flat prior, Student's t."""
    from scipy.special import stdtr

    if found.segments < 2 or not found.error:
        return None
    return float(stdtr(found.segments - 1, abs(found.mean) / found.error))


def difference(data: Crossed, first: int, second: int) -> Difference:
    """Mean over segments of (mean of the first − mean of the second), and its standard error.

    The error counts segments and judges both as drawn (Cameron, Gelbach & Miller 2011): the sums of
    squared influences by segment, plus by judge, minus by both; never less than by segment alone.
    """
    chosen = _shared(data, first, second)
    segments, segment = np.unique(chosen.segment, return_inverse=True)
    n, sign = len(segments), np.where(chosen.system == first, 1.0, -1.0)
    if not n:
        return Difference(0.0, 0.0, 0, 0.0)
    cell = 2 * segment + (sign > 0)
    weights = sign / np.bincount(cell, minlength=2 * n)[cell] / n
    around = chosen.values - _means(chosen, sign, np.abs(weights))
    influence = weights * around
    by_segment = _squares(influence, segment)
    judges, both = chosen.judge, chosen.judge * n + segment
    crossed = by_segment + _squares(influence, judges) - _squares(influence, both)
    # what is left of equal values is the rounding of their sums
    least = 1e-12 * float(np.abs(chosen.values).max())
    found = (float((weights * chosen.values).sum()), float(np.sqrt(max(by_segment, crossed))))
    mean, error = (0.0 if abs(number) < least else number for number in found)
    return Difference(mean, error, n, len(chosen.values) / n)


def more_segments(
    found: Difference, *, alpha: float, power: float, simulations: int, seed: int
) -> int | None:
    """Further segments after which the order is settled so often, if the difference stays as it is.

    Simulated from the data so far: the sum as it stands, and new differences of the same mean and
    deviation, with a look after every step of about 5 %. None if FARTHEST is not far enough.
    """
    if is_settled(found, alpha=alpha):
        return 0
    if not found.mean or not found.segments:
        return None
    rng = np.random.default_rng([seed, found.segments])
    farthest = FARTHEST * max(found.segments, FEWEST)
    looks = np.unique(np.geomspace(1, farthest, 200).astype(np.int64))
    deviation = found.error * np.sqrt(found.segments)
    steps = np.diff(looks, prepend=0)
    drift = abs(found.mean)
    grown = rng.normal(steps * drift, np.sqrt(steps) * deviation, (simulations, len(steps)))
    total = found.segments + looks
    means = (found.segments * drift + grown.cumsum(axis=1)) / total
    with np.errstate(invalid="ignore"):  # no deviation, and nothing could lie beyond yet
        beyond = means > reach(total, alpha=alpha) * deviation / np.sqrt(total)
    beyond[:, total < FEWEST] = False
    enough = np.maximum.accumulate(beyond, axis=1).mean(axis=0) >= power
    return int(looks[enough.argmax()]) if enough.any() else None


def _shared(data: Crossed, first: int, second: int) -> Crossed:
    """The judgments of segments that were judged for both systems."""
    count = int(data.segment.max(initial=0)) + 1
    there = [np.bincount(data.segment[data.system == s], minlength=count) for s in (first, second)]
    kept = ((there[0] > 0) & (there[1] > 0))[data.segment]
    kept &= (data.system == first) | (data.system == second)
    values, system, segment, judge = data
    return Crossed(values[kept], system[kept], segment[kept], judge[kept])


def _means(data: Crossed, sign: Array, weights: Array) -> Array:
    """Of each judgment, the mean of its system over segments."""
    better = (sign > 0).astype(np.int64)
    return np.asarray(np.bincount(better, weights=weights * data.values)[better])


def _squares(influence: Array, groups: Codes) -> float:
    """The sum of squared sums by group, corrected for few groups."""
    codes = np.unique(groups, return_inverse=True)[1]
    sums = np.bincount(codes, weights=influence)
    count = len(sums)
    return float((sums**2).sum()) * count / max(count - 1, 1)
