"""Judgments beside scores, as rows to be correlated: all at once, by segment, or by system."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jurat.stats.metaeval.matched import Matched
from jurat.stats.metaeval.settings import Grouping
from jurat.stats.ratings import Array

FLAT = 1e-12
"""A share of the squares, below which what is left of them is rounding."""


class Grouped(NamedTuple):
    """People's means and a metric's scores, groups × members; NaN where either is missing."""

    human: Array
    metric: Array

    @property
    def n(self) -> int:
        """How many translations have both."""
        return int((~np.isnan(self.human)).sum())


def grouped(means: Array, scores: Array, grouping: Grouping) -> Grouped:
    """Means and scores (segments × systems) as groups."""
    missing = np.isnan(means) | np.isnan(scores)
    human, metric = (np.where(missing, np.nan, side) for side in (means, scores))
    if grouping == "none":
        return Grouped(human.reshape(1, -1), metric.reshape(1, -1))
    if grouping == "system":
        return Grouped(np.ascontiguousarray(human.T), np.ascontiguousarray(metric.T))
    return Grouped(human, metric)


def groups_of(one: Matched, metric: int, grouping: Grouping) -> Grouped:
    """The groups of a metric, its scores as they are."""
    assert one.people.means is not None
    return grouped(one.people.means, one.scores[metric], grouping)


def moments(groups: Grouped) -> Array:
    """n, Σx, Σy, Σx², Σy², Σxy of each group in the last axis, both sides centred beforehand."""
    there = ~np.isnan(groups.human)
    x, y = (np.where(there, side - _centre(side), 0.0) for side in groups)
    parts = (there, x, y, x * x, y * y, x * y)
    return np.stack([part.sum(axis=-1) for part in parts], axis=-1)


def pearson_of(sums: Array) -> Array:
    """Pearson's r from such moments; NaN where one side does not vary."""
    n, x, y, xx, yy, xy = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread_x, spread_y = xx - x * x / n, yy - y * y / n
        flat = (spread_x <= FLAT * xx) | (spread_y <= FLAT * yy) | (n < 2)
        r = (xy - x * y / n) / np.sqrt(spread_x * spread_y)
    return np.where(flat, np.nan, np.clip(r, -1, 1))


def pearson(groups: Grouped) -> Array:
    """Pearson's r of each group."""
    return pearson_of(moments(_centred(groups)))


def spearman(groups: Grouped) -> Array:
    """Spearman's ρ of each group: Pearson's r of mid-ranks."""
    return pearson(Grouped(mid_ranks(groups.human), mid_ranks(groups.metric)))


def mid_ranks(values: Array) -> Array:
    """Ranks of each row from 1; equal values share the mean of theirs, and NaN has none."""
    order = np.argsort(values, axis=-1, kind="stable")  # NaN last
    ordered = np.take_along_axis(values, order, axis=-1)
    # where a run of equal values begins and ends, for each of its members
    place = np.broadcast_to(np.arange(values.shape[-1]), values.shape)
    new = np.ones(values.shape, dtype=np.bool_)
    new[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    first = np.maximum.accumulate(np.where(new, place, 0), axis=-1)
    ends = np.ones(values.shape, dtype=np.bool_)
    ends[..., :-1] = new[..., 1:]
    last = np.flip(
        np.minimum.accumulate(np.flip(np.where(ends, place, values.shape[-1]), axis=-1), axis=-1),
        axis=-1,
    )
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return np.where(np.isnan(values), np.nan, ranks)


def average(values: Array) -> float:
    """The mean of the groups that have a value; NaN where none has."""
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else float("nan")


def _centre(values: Array) -> float:
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else 0.0


def _centred(groups: Grouped) -> Grouped:
    """Each group around its own mean, so that no digits are lost."""
    there = ~np.isnan(groups.human)
    n = np.maximum(there.sum(axis=-1, keepdims=True), 1)
    sides = (np.where(there, side, 0.0).sum(axis=-1, keepdims=True) / n for side in groups)
    human, metric = (side - mean for side, mean in zip(groups, sides, strict=True))
    return Grouped(human, metric)
