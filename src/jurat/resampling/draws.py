"""Clusters drawn with replacement: how often each is drawn, times its row of statistics.

A million clusters that are all different, 1,000 resamples, one job on a two-core machine: drawing
how often each is drawn takes, measured in seconds, 9 by `rng.integers` and `bincount` over all of
them; 3 by draws spread over blocks that fit the processor's cache, as exact; 3 to 4 by Poisson
weights from a table of bytes, filled up to be exact; 100 by `rng.multinomial`. Hence the blocks:
with the product 4.3 in all for one column of fractions, 6 for six.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from jurat.resampling.arguments import Array, Codes
from jurat.resampling.chunks import CELLS

SMALL = 2**10  # below this, calling numpy for each row costs more than it saves
BLOCK = 2**14  # a power of two up to 2^16; 128 KB of counts, which stay in the second-level cache

Generator = np.random.Generator
Counts = NDArray[np.int64]


def weights(rng: Generator, clusters: int, rows: int) -> Iterator[tuple[slice, Array]]:
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
    for block, counts in weights(rng, len(table), rows):
        totals += counts @ table[block]
    return totals


def draw_kinds(rng: Generator, rows: int, table: Array, numbers: Counts) -> Array:
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
    for block, counts in weights(rng, clusters, rows):
        all_of_them[block] = counts.T
    return all_of_them
