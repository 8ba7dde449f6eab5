"""Means of many groups with intervals from one draw of clusters each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Key
from jurat.stats.ratings import Array, coded
from jurat.stats.spread import Spread, spread
from jurat.stats.statistic import Settings


class Mean(NamedTuple):
    """The mean of one group: what it is of, where it stands in its spread, and of how many."""

    by: dict[str, Key]
    spread: Spread
    at: int
    n: int

    def estimate(self, by: Mapping[str, Key], tags: Mapping[str, Key]) -> Estimate:
        """The mean under the keys of a result."""
        return self.spread.estimate(self.at, n=self.n, by=by, tags=tags)


def means(
    rows: pl.DataFrame, *, apart: Sequence[str], beside: str, settings: Settings
) -> Iterator[Mean]:
    """The mean `value` of each group; clusters are drawn once for all groups `beside` each other.

    Groups that differ in `apart` are drawn for themselves, so that the cost grows with the rows and
    not with the number of clusters × groups.
    """
    if rows.is_empty():
        return
    pieces = rows.partition_by(list(apart), as_dict=True) if apart else {(): rows}
    for key, piece in sorted(pieces.items()):
        yield from _beside(piece, dict(zip(apart, key, strict=True)), beside, settings)


def _beside(
    rows: pl.DataFrame, by: dict[str, Key], beside: str, settings: Settings
) -> Iterator[Mean]:
    drawn, clusters = np.unique(rows["cluster"].to_numpy(), return_inverse=True)
    groups, names = coded(rows[beside])
    cells, size = clusters * len(names) + groups, len(drawn) * len(names)
    sums = np.bincount(cells, weights=rows["value"].to_numpy(), minlength=size)
    counts = np.bincount(cells, minlength=size)
    statistics = np.column_stack([a.reshape(len(drawn), -1) for a in (sums, counts)])
    found = spread(statistics, _ratio, settings=settings)
    for at, name in enumerate(names):
        n = int(statistics[:, len(names) + at].sum())
        yield Mean({**by, beside: name}, found, at, n)


def _ratio(totals: Array) -> Array:
    half = totals.shape[1] // 2
    return totals[:, :half] / totals[:, half:]
