"""Sums of statistics by cluster, and the totals of clusters drawn with replacement.

A total is how often each cluster is drawn, times its row of statistics. A million clusters that are
all different, 1,000 resamples, one job on a two-core machine: drawing how often each is drawn
takes, measured in seconds, 9 by `rng.integers` and `bincount` over all of them; 3 by draws spread
over blocks that fit the processor's cache, as exact; 3 to 4 by Poisson weights from a table of
bytes, filled up to be exact; 100 by `rng.multinomial`. Hence the blocks: with the product 4.3 in
all for one column of fractions, 6 for six.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.errors import input_error
from jurat.resampling.engine import (
    CELLS,
    Array,
    Codes,
    cluster_codes,
    run,
    statistics_rows,
)
from jurat.resampling.exact_sum import exact_parts, join_parts

if TYPE_CHECKING:
    from numpy.random import Generator

# Clusters of a block below which calling numpy for each row costs more than it saves.
SMALL = 2**10
# A power of two up to 2^16: 128 KB of counts, which stay in the second-level cache.
BLOCK = 2**14
# Times that clusters must be alike: to draw how often one kind of them occurs costs 60 to 110 ns,
# a cluster of its own 4 to 6.
WORTH = 16
# Clusters counted at once: what stays in the cache takes half the time.
DRAWN = 2**15
# Weights of crossed clusters held at once: 32 MB.
HELD = 2**24

Counts = NDArray[np.int64]
# An id for each unit; or, in a tuple, two of them: documents and judges.
Clusters = ArrayLike | tuple[ArrayLike, ArrayLike] | None


def draw_counts(rng: Generator, clusters: int, rows: int) -> Iterator[tuple[slice, Array]]:
    """How often each cluster is drawn when as many are drawn as there are, a block at a time.

    How many draws fall into which block is multinomial; within a block all are equally likely.
    """
    sizes = _blocks(clusters)
    draws = rng.multinomial(clusters, np.array(sizes) / clusters, size=rows)
    start = 0
    for size, drawn in zip(sizes, draws.T, strict=True):
        count = _count_any if size < SMALL else _count_block
        yield slice(start, start + size), count(rng, size, drawn)
        start += size


def _blocks(clusters: int) -> list[int]:
    """Full blocks, then smaller ones that are powers of two, then what is left over."""
    sizes = [BLOCK] * (clusters // BLOCK)
    rest, size = clusters % BLOCK, BLOCK // 2
    while size >= SMALL:
        sizes += [size] * (rest // size)
        rest, size = rest % size, size // 2
    return [*sizes, rest] if rest else sizes


def _count_block(rng: Generator, size: int, drawn: Counts) -> Array:
    counts = np.empty((len(drawn), size))
    for row, number in zip(counts, drawn.tolist(), strict=True):
        # Two bytes of raw bits a draw, three times as fast as rng.integers; in one order of bytes.
        bits = rng.bit_generator.random_raw(number // 4 + 1).astype("<u8", copy=False).view("<u2")
        row[:] = np.bincount(bits[:number] & (size - 1), minlength=size)
    return counts


def _count_any(rng: Generator, size: int, drawn: Counts) -> Array:
    cells = np.repeat(np.arange(len(drawn)) * size, drawn)
    cells += rng.integers(0, size, len(cells))
    return np.bincount(cells, minlength=len(drawn) * size).reshape(-1, size).astype(np.float64)


def draw_clusters(rng: Generator, rows: int, table: Array) -> Array:
    """Totals of the table over resampled clusters."""
    totals = np.zeros((rows, table.shape[1]))
    for block, counts in draw_counts(rng, len(table), rows):
        totals += counts @ table[block]
    return totals


def draw_distinct(rng: Generator, rows: int, table: Array, numbers: Counts) -> Array:
    """The same where only so many kinds of clusters differ, each found in those numbers."""
    total = numbers.sum()
    return rng.multinomial(total, numbers / total, size=rows).astype(np.float64) @ table


def draw_crossed(rng: Generator, rows: int, table: Array, first: Codes, second: Codes) -> Array:
    """Totals of the cells' table where both ways of clustering are resampled (Owen 2007)."""
    left, right = (_by_cluster(rng, int(codes.max()) + 1, rows) for codes in (first, second))
    totals = np.zeros((rows, table.shape[1]))
    step = max(1, CELLS // rows)
    for start in range(0, len(table), step):
        cells = slice(start, start + step)
        product = left[first[cells]].astype(np.float64)
        product *= right[second[cells]]
        totals += product.T @ table[cells]
    return totals


def _by_cluster(rng: Generator, clusters: int, rows: int) -> NDArray[np.uint16]:
    """Weights with a row a cluster, so that those of a cell are read in one piece.

    Where there are more than 65,535 clusters, one is never drawn that often (p < 1e-280,000).
    """
    all_of_them = np.empty((clusters, rows), dtype=np.uint16)
    for block, counts in draw_counts(rng, clusters, rows):
        all_of_them[block] = counts.T
    return all_of_them


class DistinctRows(NamedTuple):
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
    def kinds(self) -> DistinctRows | None:
        """The kinds of clusters, where these are few."""
        if self.copies is None:
            return distinct_rows(self.rows)
        return DistinctRows(
            self.rows, np.repeat(np.arange(len(self.rows)), self.copies), self.copies
        )

    @cached_property
    def parts(self) -> Array:
        """The rows of the clusters, or of their kinds, in parts that add up exactly."""
        return exact_parts(self.kinds.rows if self.kinds else self.rows, self.sizes[0])

    @cached_property
    def total(self) -> Array:
        """The sum of all rows."""
        sums = self.kinds.numbers @ self.parts if self.kinds else self.parts.sum(axis=0)
        return join_parts(sums, self.rows.shape[1])

    def resample(self, replicates: int, *, seed: int, jobs: int) -> Array:
        """Totals (replicates × k) of as many clusters as there are, drawn with replacement."""
        work = draw_distinct if self.kinds else draw_clusters
        arrays = (self.parts, self.kinds.numbers) if self.kinds else (self.parts,)
        at_once = max(16, DRAWN // len(self.parts))
        sums = run(work, arrays, rows=replicates, at_once=at_once, seed=seed, jobs=jobs)
        return join_parts(sums, self.rows.shape[1])


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
        return join_parts(self.parts.sum(axis=0), self.rows.shape[1])

    def resample(self, replicates: int, *, seed: int, jobs: int) -> Array:
        """Totals (replicates × k) where a cell's weight is the product of its clusters' weights."""
        arrays = (self.parts, self.first, self.second)
        at_once = min(64, max(4, HELD // sum(self.sizes)))
        sums = run(draw_crossed, arrays, rows=replicates, at_once=at_once, seed=seed, jobs=jobs)
        return join_parts(sums, self.rows.shape[1])


def cluster_sums(
    statistics: ArrayLike, clusters: Clusters, copies: ArrayLike | None = None
) -> OneWay | TwoWay:
    """The statistics summed by cluster, or by cell of two ways of clustering."""
    if copies is not None:
        return _copied(statistics_rows(statistics), clusters, np.asarray(copies))
    if not isinstance(clusters, tuple):
        return one_way_sums(statistics, clusters)
    if len(clusters) != 2:
        raise input_error("clusters must be one array of ids or a tuple of two", field="clusters")
    rows = statistics_rows(statistics)
    first, second = (cluster_codes(ids, len(rows)) for ids in clusters)
    width = int(second.max()) + 1
    cells, cell = np.unique(first * width + second, return_inverse=True)
    return TwoWay(_sums(rows, cell), *np.divmod(cells, width))


def one_way_sums(statistics: ArrayLike, clusters: ArrayLike | None) -> OneWay:
    """The statistics summed by cluster; each unit is its own cluster where none are given."""
    rows = statistics_rows(statistics)
    return OneWay(rows if clusters is None else _sums(rows, cluster_codes(clusters, len(rows))))


def _copied(rows: Array, clusters: Clusters, copies: NDArray[np.int64]) -> OneWay:
    """Rows that stand for several clusters each."""
    right = copies.shape == (len(rows),) and copies.dtype.kind in "iu" and copies.min() > 0
    if clusters is not None or not right:
        message = "copies must be a whole number from 1 for each row, and are clusters themselves"
        raise input_error(message, field="copies")
    if len(rows) * WORTH <= copies.sum():
        return OneWay(rows, copies)
    return OneWay(np.repeat(rows, copies, axis=0))


def distinct_rows(rows: Array) -> DistinctRows | None:
    """The rows that differ, where these are few; None where there are too many to be worth it."""
    # Equal rows are found by a hash, since sorting whole rows is ten times as slow; should two
    # different rows ever have the same hash, they are all taken for different.
    hashes, few = _hash(rows), len(rows) // WORTH
    # np.unique without an option would load numpy's masked arrays, which takes longer
    if few and np.count_nonzero(np.diff(np.sort(hashes[: 2 * few]))) >= few:
        return None
    _, first, kind, numbers = np.unique(
        hashes, return_index=True, return_inverse=True, return_counts=True
    )
    kinds = DistinctRows(rows[first], kind, numbers)
    same = len(first) <= few and np.array_equal(kinds.rows[kind], rows)
    return kinds if same else None


def _hash(rows: Array) -> NDArray[np.uint64]:
    bits = (rows + 0.0).view(np.uint64)  # -0.0 + 0.0 is 0.0
    state = np.zeros(len(rows), dtype=np.uint64)
    for column in bits.T:
        state = (state ^ column) * np.uint64(0x9E3779B97F4A7C15)
        state ^= state >> np.uint64(32)
    return state


def _sums(rows: Array, codes: Codes) -> Array:
    return np.column_stack([np.bincount(codes, weights=column) for column in rows.T])
