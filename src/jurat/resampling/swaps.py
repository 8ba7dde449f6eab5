"""Approximate randomisation: what two samples have in pairs might as well be the other's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.faults import complain
from jurat.resampling.arguments import Array, Score, at_least, evaluate, jobs_of
from jurat.resampling.chunks import CELLS, run
from jurat.resampling.clusters import gather_one_way
from jurat.resampling.permutations import TIE, half_sums
from jurat.resampling.sums import exact_parts, joined

Hits = NDArray[np.int64]
Test = Callable[[Array], Hits]
"""From sums over the chosen half (trials × columns) to hits of every two samples."""


@dataclass(frozen=True, kw_only=True)
class Swapped:
    """Scores of paired samples (m,), and of every two of them (m × m) p and hits.

    The diagonal of `p_value` is NaN: nothing is tested against itself.
    """

    estimate: Array
    p_value: Array
    hits: Hits
    permutations: int
    n_clusters: int
    method: str
    seed: int


def permute_pairs(
    statistics: ArrayLike,
    score: Score,
    *,
    clusters: ArrayLike | None = None,
    permutations: int = 10_000,
    seed: int,
    jobs: int = 1,
) -> Swapped:
    """Test whether samples (units × samples × k) differ in a score of their totals (Noreen 1989).

    Units are swapped between two samples at random, and a trial is a hit where that sets their
    scores at least as far apart, on either side, as they are. All pairs share the same choice of
    units, so that one matrix product serves them all. With n clusters and 2ⁿ ≤ permutations every
    choice is tried, and p = hits / 2ⁿ; else p = (1 + hits) / (1 + permutations).
    """
    permutations = at_least(1, permutations, field="permutations")
    seed, jobs = at_least(0, seed, field="seed"), jobs_of(jobs)
    units, samples, columns = _shape(statistics)
    flat = np.asarray(statistics).reshape(units, -1)
    rows = gather_one_way(flat, clusters).rows
    parts = exact_parts(rows, len(rows))
    total = joined(parts.sum(axis=0), rows.shape[1]).reshape(samples, columns)
    estimate = evaluate(score, total)
    test = partial(_hits, score=score, total=total, observed=estimate)
    tried = min(permutations, 2 ** len(rows))
    if exact := tried == 2 ** len(rows):
        hits = test(_every_half(parts))
    else:
        at_once = max(16, CELLS // max(parts.shape))
        work = partial(_swap, test=test)
        found = run(work, (parts,), rows=permutations, at_once=at_once, seed=seed, jobs=jobs)
        hits = np.asarray(found.sum(axis=0))
    p = hits / tried if exact else (1 + hits) / (1 + tried)
    np.fill_diagonal(p, np.nan)
    return Swapped(
        estimate=estimate,
        p_value=np.where(np.isnan(estimate[:, None] - estimate), np.nan, p),
        hits=hits,
        permutations=tried,
        n_clusters=len(rows),
        method=_words(tried, len(rows), exact=exact),
        seed=seed,
    )


def _shape(statistics: ArrayLike) -> tuple[int, int, int]:
    shape = np.shape(statistics)
    if len(shape) != 3 or shape[1] < 2:
        message = "statistics must be units × samples × columns, of at least two samples"
        raise complain(message, field="statistics")
    return shape[0], shape[1], shape[2]


def _swap(rng: np.random.Generator, rows: int, table: Array, *, test: Test) -> Hits:
    return test(half_sums(rng, rows, table))[None]


def _every_half(table: Array) -> Array:
    sums = np.zeros((1, table.shape[1]))
    for row in table:
        sums = np.concatenate([sums, sums + row])
    return sums


def _hits(sums: Array, *, score: Score, total: Array, observed: Array) -> Hits:
    """How often two samples lie as far apart as observed.

    With h the sums over the chosen units, the two that swap all others have the totals
    h(a) + T(b) − h(b) and h(b) + T(a) − h(a).
    """
    samples, columns = total.shape
    halves = joined(sums, total.size).reshape(len(sums), samples, columns)
    # column by column: a score reads whole columns, in half the time where they are in one piece
    halves, totals = np.ascontiguousarray(halves.transpose(2, 0, 1)), total.T[:, None]
    hits = np.zeros((samples, samples), dtype=np.int64)
    for a in range(samples - 1):
        moved = halves[..., a, None] - halves[..., a + 1 :]
        both = np.empty((columns, 2, *moved.shape[1:]))
        np.add(totals[..., a + 1 :], moved, out=both[:, 0])
        np.subtract(totals[..., a, None], moved, out=both[:, 1])
        scores = evaluate(score, both.reshape(columns, -1).T)
        first, second = scores.reshape(2, len(sums), -1)
        apart = np.abs(observed[a] - observed[a + 1 :])
        tie = TIE * (np.abs(observed[a]) + np.abs(observed[a + 1 :]))
        # a trial without a score tells nothing against chance
        near = np.abs(first - second) < apart - tie
        hits[a, a + 1 :] = hits[a + 1 :, a] = len(sums) - near.sum(axis=0)
    return hits


def _words(trials: int, clusters: int, *, exact: bool) -> str:
    how = f"exact, all {trials}" if exact else f"{trials} random"
    return f"two-sided approximate randomisation, {how} swaps of {clusters} clusters"
