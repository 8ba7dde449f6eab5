"""Krippendorff's ordinal distance, whose ranks change with every resample of the items.

The distance of two answers is the square of the difference of their mid-ranks among all answers,
so alpha is that of an interval scale of mid-ranks. With few points all that is needed are the
totals of the answers and of their coincidences. With many, both disagreements are taken as linear
near the ranks as they are; what is left out is of the order of 1/judgments.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jurat.resampling.arguments import Score
from jurat.stats.agreement.tallies import Tallies, summed
from jurat.stats.kappa import pairs_within
from jurat.stats.ratings import Array

FEW_CELLS = 2**21


class Disagreements(NamedTuple):
    """Columns to be added up, and observed and expected disagreement from their totals."""

    columns: Array
    of: Score


def disagreements(tallies: Tallies) -> Disagreements:
    """Σ of distances, observed within items and expected over all pairs of judgments."""
    points = tallies.points
    if tallies.items * points * (points + 1) // 2 <= FEW_CELLS:
        return _exact(tallies)
    return _linear(tallies)


def mid_ranks(totals: Array) -> Array:
    """The mid-rank of each point, as a share of all answers; points are the last axis."""
    everything = totals.sum(axis=-1, keepdims=True)
    return np.asarray((np.cumsum(totals, axis=-1) - totals / 2) / everything)


def _exact(tallies: Tallies) -> Disagreements:
    points = tallies.points
    low, high = np.triu_indices(points, 1)
    first, second = pairs_within(tallies.item)
    which = np.zeros((points, points), dtype=np.int64)
    which[low, high] = np.arange(len(low))
    pair = which[tallies.code[first], tallies.code[second]]
    item = tallies.item[first]
    both = 2 * tallies.count[first] * tallies.count[second] / (tallies.size[item] - 1)
    met = summed(item * len(low) + pair, both, tallies.items * len(low))
    cells = tallies.item * points + tallies.code
    weights = tallies.count * tallies.paired[tallies.item]
    counts = summed(cells, weights, tallies.items * points)

    def of(totals: Array) -> Array:
        number = totals[:, :points]
        ranks = mid_ranks(number)
        distance = (ranks[:, low] - ranks[:, high]) ** 2
        observed = (totals[:, points:] * distance).sum(axis=1)
        expected = 2 * (number[:, low] * number[:, high] * distance).sum(axis=1)
        return np.column_stack([observed, expected])

    columns = (counts.reshape(tallies.items, points), met.reshape(tallies.items, len(low)))
    return Disagreements(np.hstack(columns), of)


def _linear(tallies: Tallies) -> Disagreements:
    """The gradients follow from d rank_k / d number_c = 1 below, ½ at, and 0 above k."""
    weights = tallies.count * tallies.paired[tallies.item]
    number = tallies.per_point(weights)
    total = max(number.sum(), 1.0)
    ranks = (np.cumsum(number) - number / 2) / total
    observed = tallies.per_judgment(tallies.squared(ranks))
    pull = number * (total * ranks - number @ ranks)
    expected = 2 * (total * (number @ ranks**2) - (number @ ranks) ** 2)
    own = 2 * (total * ranks**2 - 2 * ranks * (number @ ranks) + number @ ranks**2)
    slopes = (_through_ranks(_pulls(tallies, ranks), total), own + _through_ranks(pull, total))
    columns = [tallies.per_item(weights * slope[tallies.code]) for slope in slopes]
    middle = [float(column @ tallies.copies) for column in columns]

    def of(totals: Array) -> Array:
        return np.column_stack(
            [totals[:, 0] + totals[:, 1] - middle[0], expected + totals[:, 2] - middle[1]]
        )

    return Disagreements(np.column_stack([observed, *columns]), of)


def _pulls(tallies: Tallies, ranks: Array) -> Array:
    """How far each point lies from the answers that it meets within items, in all."""
    rank = ranks[tallies.code]
    others = np.maximum(tallies.size - 1, 1)[tallies.item]
    sums = tallies.per_item(tallies.count * rank)[tallies.item]
    distance = tallies.size[tallies.item] * rank - sums
    return tallies.per_point(tallies.count * distance / others)


def _through_ranks(pulls: Array, total: float) -> Array:
    """What one more answer of a point changes by moving the ranks above it."""
    above = pulls.sum() - np.cumsum(pulls)
    return np.asarray(4 * (above + pulls / 2) / total)
