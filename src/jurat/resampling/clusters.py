"""Units gathered into clusters, one way or two, and the totals of resampled clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.faults import complain
from jurat.resampling import draws
from jurat.resampling.arguments import Array, Codes, codes_of, rows_of
from jurat.resampling.chunks import run
from jurat.resampling.sums import exact_parts, joined

Clusters = ArrayLike | tuple[ArrayLike, ArrayLike] | None
"""An id for each unit; or, in a tuple, two of them: documents and judges."""

# Drawing how often a kind of clusters occurs costs 60 to 110 ns, a cluster of its own 4 to 6.
WORTH = 16
DRAWN = 2**15  # clusters counted at once: what stays in the cache takes half the time
HELD = 2**24  # weights of crossed clusters held at once: 32 MB


class Kinds(NamedTuple):
    """Rows that differ, which of them each cluster has, and how many clusters have it."""

    rows: Array
    of_cluster: Codes
    numbers: NDArray[np.int64]


@dataclass(frozen=True)
class OneWay:
    """A row of statistics for each cluster, or for as many as there are copies of it."""

    rows: Array
    copies: NDArray[np.int64] | None = None

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of clusters."""
        return (len(self.rows) if self.copies is None else int(self.copies.sum()),)

    @cached_property
    def kinds(self) -> Kinds | None:
        """The kinds of clusters, where these are few."""
        if self.copies is None:
            return kinds_of(self.rows)
        return Kinds(self.rows, np.repeat(np.arange(len(self.rows)), self.copies), self.copies)

    @cached_property
    def parts(self) -> Array:
        """The rows of the clusters, or of their kinds, in parts that add up exactly."""
        return exact_parts(self.kinds.rows if self.kinds else self.rows, self.sizes[0])

    @cached_property
    def total(self) -> Array:
        """The sum of all rows."""
        sums = self.kinds.numbers @ self.parts if self.kinds else self.parts.sum(axis=0)
        return joined(sums, self.rows.shape[1])

    def resample(self, replicates: int, *, seed: int, jobs: int) -> Array:
        """Totals (replicates × k) of as many clusters as there are, drawn with replacement."""
        work = draws.draw_kinds if self.kinds else draws.draw_clusters
        arrays = (self.parts, self.kinds.numbers) if self.kinds else (self.parts,)
        at_once = max(16, DRAWN // len(self.parts))
        sums = run(work, arrays, rows=replicates, at_once=at_once, seed=seed, jobs=jobs)
        return joined(sums, self.rows.shape[1])


@dataclass(frozen=True)
class TwoWay:
    """A row of statistics for each cell that occurs, and its two clusters."""

    rows: Array
    first: Codes
    second: Codes

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of clusters, each way."""
        return int(self.first.max()) + 1, int(self.second.max()) + 1

    @cached_property
    def parts(self) -> Array:
        """The rows in parts that add up exactly."""
        return exact_parts(self.rows, math.prod(self.sizes))

    @cached_property
    def total(self) -> Array:
        """The sum of all rows."""
        return joined(self.parts.sum(axis=0), self.rows.shape[1])

    def resample(self, replicates: int, *, seed: int, jobs: int) -> Array:
        """Totals (replicates × k) where a cell's weight is the product of its clusters' weights."""
        arrays = (self.parts, self.first, self.second)
        at_once = min(64, max(4, HELD // sum(self.sizes)))
        sums = run(
            draws.draw_crossed, arrays, rows=replicates, at_once=at_once, seed=seed, jobs=jobs
        )
        return joined(sums, self.rows.shape[1])


def gather(
    statistics: ArrayLike, clusters: Clusters, copies: ArrayLike | None = None
) -> OneWay | TwoWay:
    """The statistics summed by cluster, or by cell of two ways of clustering."""
    if copies is not None:
        return _copied(rows_of(statistics), clusters, np.asarray(copies))
    if not isinstance(clusters, tuple):
        return gather_one_way(statistics, clusters)
    if len(clusters) != 2:
        raise complain("clusters must be one array of ids or a tuple of two", field="clusters")
    rows = rows_of(statistics)
    first, second = (codes_of(ids, len(rows)) for ids in clusters)
    width = int(second.max()) + 1
    cells, cell = np.unique(first * width + second, return_inverse=True)
    return TwoWay(_sums(rows, cell), *np.divmod(cells, width))


def gather_one_way(statistics: ArrayLike, clusters: ArrayLike | None) -> OneWay:
    """The statistics summed by cluster; each unit is its own cluster where none are given."""
    rows = rows_of(statistics)
    return OneWay(rows if clusters is None else _sums(rows, codes_of(clusters, len(rows))))


def _copied(rows: Array, clusters: Clusters, copies: NDArray[np.int64]) -> OneWay:
    """Rows that stand for several clusters each."""
    right = copies.shape == (len(rows),) and copies.dtype.kind in "iu" and copies.min() > 0
    if clusters is not None or not right:
        message = "copies must be a whole number from 1 for each row, and are clusters themselves"
        raise complain(message, field="copies")
    if len(rows) * WORTH <= copies.sum():
        return OneWay(rows, copies)
    return OneWay(np.repeat(rows, copies, axis=0))


def kinds_of(rows: Array) -> Kinds | None:
    """The kinds of rows, where there are so few that it is worth telling them.

    Equal rows are found by a hash, since sorting whole rows is ten times as slow; should two
    different rows ever have the same hash, nothing is told.
    """
    hashes, few = _hash(rows), len(rows) // WORTH
    if len(np.unique(hashes[: 2 * few])) > few:
        return None
    _, first, kind, numbers = np.unique(
        hashes, return_index=True, return_inverse=True, return_counts=True
    )
    kinds = Kinds(rows[first], kind, numbers)
    same = len(first) <= few and np.array_equal(kinds.rows[kind], rows)
    return kinds if same else None


def _hash(rows: Array) -> NDArray[np.uint64]:
    bits = (rows + 0.0).view(np.uint64)  # so that -0.0 is 0.0
    state = np.zeros(len(rows), dtype=np.uint64)
    for column in bits.T:
        state = (state ^ column) * np.uint64(0x9E3779B97F4A7C15)
        state ^= state >> np.uint64(32)
    return state


def _sums(rows: Array, codes: Codes) -> Array:
    return np.column_stack([np.bincount(codes, weights=column) for column in rows.T])
