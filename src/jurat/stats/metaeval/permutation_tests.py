"""Permutation tests of whether one metric agrees with people better than another.

Scores of two metrics are swapped at random (PERM-BOTH, Deutsch, Dror & Roth 2021); a trial is a
hit where the first then exceeds the second by as much as observed. All pairs of metrics share the
same random choice of scores, so that one matrix product serves them all. Every function returns the
hits of each ordered pair of metrics (m × m).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from jurat.resampling.engine import CELLS, run
from jurat.resampling.permutation import fair_bits
from jurat.stats.metaeval.human_scores import Mask
from jurat.stats.metaeval.matched_scores import ScoreGroups
from jurat.stats.metaeval.soft_accuracy import ALIKE, signs
from jurat.stats.ratings import Array

Hits = NDArray[np.int64]
Generator = np.random.Generator
# Differences up to this are rounding, and count as equal.
TIE = 1e-10


def p_of(hits: Hits, trials: int) -> Array:
    """The p-value of each metric being better than each other; NaN of one with itself."""
    p = (1 + hits) / (1 + trials)
    np.fill_diagonal(p, np.nan)
    return np.asarray(p)


def pearson_hits(human: Array, metrics: Array, *, trials: int, seed: int, jobs: int = 1) -> Hits:
    """Hits of the mean Pearson's r over groups (human: groups × members, metrics: m × the same).

    Swapped scores are sums of chosen rows: with Σ zg, Σ z and Σ z² over the chosen members of a
    group, those of both mixtures follow by adding and subtracting. Members without a judgment are
    NaN, and the scores of all metrics are there where the judgment is.
    """
    there = ~np.isnan(human)
    n = there.sum(axis=1).astype(np.float64)
    centred = np.where(there, human - (np.where(there, human, 0).sum(axis=1) / n)[:, None], 0.0)
    z = np.where(there, _standardised(metrics, there), 0.0)
    columns = np.stack([z * centred, z, z * z], axis=-1)  # metrics × groups × members × 3
    table = np.ascontiguousarray(np.moveaxis(columns, 0, 2))
    spread = (centred**2).sum(axis=1)
    at_once = max(16, CELLS // max(1, there.size))
    work = partial(_pearson_swaps, n=n, spread=spread)
    found = run(work, (table,), rows=trials, at_once=at_once, seed=seed, jobs=jobs)
    return np.asarray(found.sum(axis=0))


def _standardised(metrics: Array, there: Mask) -> Array:
    """Each metric's scores standardised, so that two metrics' scores can be swapped."""
    own = metrics[:, there]
    deviation = own.std(axis=1)
    scale = np.where(deviation > 0, deviation, 1.0)
    return np.asarray((metrics - own.mean(axis=1)[:, None, None]) / scale[:, None, None])


def _pearson_swaps(rng: Generator, rows: int, table: Array, *, n: Array, spread: Array) -> Hits:
    groups, members, metrics, _ = table.shape
    bits = fair_bits(rng, rows, groups * members).reshape(rows, groups, members)
    flat = table.reshape(groups, members, -1)
    half = (bits.transpose(1, 0, 2) @ flat).reshape(groups, rows, metrics, 3)
    total = flat.sum(axis=1).reshape(groups, 1, metrics, 3)
    observed = _mean_r(total, n, spread)[0]
    hits = np.zeros((metrics, metrics), dtype=np.int64)
    for a in range(metrics - 1):
        # Swapped are the members that were not chosen: T(b) + h(a) − h(b), and the reverse.
        moved = half[:, :, a, None] - half[:, :, a + 1 :]
        first = _mean_r(total[:, :, a + 1 :] + moved, n, spread)
        second = _mean_r(total[:, :, a, None] - moved, n, spread)
        _count(hits, a, first - second, observed[a] - observed[a + 1 :])
    return hits[None]


def _mean_r(sums: Array, n: Array, spread: Array) -> Array:
    """The mean over groups of r, from Σ zg (g centred), Σ z and Σ z² in the last axis."""
    size = n[:, None, None]
    within = sums[..., 2] - sums[..., 1] ** 2 / size
    below = np.sqrt(np.maximum(within, 0) * spread[:, None, None])
    # Rounding leaves a little of a variance that is 0.
    flat = (within <= TIE * np.abs(sums[..., 2])) | (below == 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.where(flat, 0.0, sums[..., 0] / below)
    # A mixture that does not vary in a group has no r there; the mean is over the others.
    return np.asarray(r.sum(axis=0) / np.maximum((~flat).sum(axis=0), 1))


def _count(hits: Hits, a: int, apart: Array, observed: Array) -> None:
    """Add the trials in which `a` exceeds the later metrics by as much as observed, or they `a`."""
    hits[a, a + 1 :] += (apart >= observed - TIE).sum(axis=0)
    hits[a + 1 :, a] += (-apart >= -observed - TIE).sum(axis=0)


def pair_hits(right: Mask, weight: Array, *, trials: int, seed: int, jobs: int = 1) -> Hits:
    """Hits of accuracies, swapping whether each metric is right about a pair (metrics × pairs).

    Pairs of the same weight about which the same metrics are right are of one kind; how many of a
    kind are swapped is binomial.
    """
    kinds = np.unique(weight, return_inverse=True)[1]
    for at, row in enumerate(right):
        # Kinds are renumbered before their numbers exceed 64 bits.
        kinds = np.unique(kinds, return_inverse=True)[1] if at % 32 == 31 else kinds
        kinds = 2 * kinds + row
    _, first, numbers = np.unique(kinds, return_index=True, return_counts=True)
    table = np.ascontiguousarray((right[:, first] * weight[first]).T)
    at_once = max(1, CELLS // len(numbers))
    found = run(_pair_swaps, (table, numbers), rows=trials, at_once=at_once, seed=seed, jobs=jobs)
    return np.asarray(found.sum(axis=0))


def _pair_swaps(rng: Generator, rows: int, table: Array, numbers: Hits) -> Hits:
    # Binomially many of n pairs of one kind are kept: no random bit for each pair is needed.
    drawn = rng.binomial(numbers, 0.5, size=(rows, len(numbers)))
    return _linear((2.0 * drawn - numbers) @ table, numbers @ table)


def segment_hits(sums: Array, *, trials: int, seed: int, jobs: int = 1) -> Hits:
    """Hits of sums over segments, such as consistent pairs, swapping whole segments (m × n)."""
    at_once = max(1, CELLS // max(1, sums.shape[1]))
    rows = np.ascontiguousarray(sums.T)
    found = run(_segment_swaps, (rows,), rows=trials, at_once=at_once, seed=seed, jobs=jobs)
    return np.asarray(found.sum(axis=0))


def _segment_swaps(rng: Generator, rows: int, sums: Array) -> Hits:
    total = sums.sum(axis=0)
    return _linear(2 * (fair_bits(rng, rows, len(sums)) @ sums) - total, total)


def _linear(mixed: Array, total: Array) -> Hits:
    """Hits from sums under random swaps (trials × metrics) and the observed totals."""
    hits = np.zeros((len(total), len(total)), dtype=np.int64)
    for a in range(len(total) - 1):
        _count(hits, a, mixed[:, a, None] - mixed[:, a + 1 :], total[a] - total[a + 1 :])
    return hits[None]


def system_hits(
    human: Array, metrics: Array, of: Callable[[ScoreGroups], Array], *, trials: int, seed: int
) -> Hits:
    """Hits of any coefficient of systems' scores: human (systems), metrics (m × systems)."""
    rng = np.random.Generator(np.random.SFC64(seed))
    # There are few systems: any coefficient is computed anew for all trials of a pair at once.
    z = _standardised(metrics[:, None], np.ones((1, len(human)), dtype=np.bool_))[:, 0]
    chosen = fair_bits(rng, trials, len(human)) > 0
    people = np.broadcast_to(human, chosen.shape)
    observed = np.nan_to_num(of(ScoreGroups(np.broadcast_to(human, z.shape), z)))
    hits = np.zeros((len(z), len(z)), dtype=np.int64)
    for a, b in combinations(range(len(z)), 2):
        first, second = (
            np.nan_to_num(of(ScoreGroups(people, np.where(take, z[a], z[b]))))
            for take in (chosen, ~chosen)
        )
        apart, seen = first - second, observed[a] - observed[b]
        hits[a, b] = (apart >= seen - TIE).sum()
        hits[b, a] = (-apart >= -seen - TIE).sum()
    return hits


def soft_hits(human: Array, metrics: Array, *, trials: int, seed: int, jobs: int = 1) -> Hits:
    """Hits of soft pairwise accuracy: human p of system pairs, metrics m × segments × systems.

    Under each pattern of signs the sums of a mixture follow from those of the chosen scores.
    """
    z = _standardised(metrics, np.ones(metrics.shape[1:], dtype=np.bool_))
    arrays = (z, human, signs(z.shape[1]))
    # Eight chunks whatever the size, so that jobs can share them.
    at_once = -(-trials // 8)
    found = run(_soft_swaps, arrays, rows=trials, at_once=at_once, seed=seed, jobs=jobs)
    return np.asarray(found.sum(axis=0))


def _soft_swaps(rng: Generator, rows: int, z: Array, human: Array, patterns: Array) -> Hits:
    whole = [patterns @ scores for scores in z]
    totals = z.sum(axis=1)
    observed = [_spa(human, *pair) for pair in zip(whole, totals, strict=True)]
    hits = np.zeros((len(z), len(z)), dtype=np.int64)
    for _ in range(rows):
        chosen = fair_bits(rng, 1, z[0].size).reshape(z.shape[1:])
        half = [patterns @ (chosen * scores) for scores in z]
        part = (chosen * z).sum(axis=1)
        for a, b in combinations(range(len(z)), 2):
            moved, shift = half[a] - half[b], part[a] - part[b]
            first = _spa(human, whole[b] + moved, totals[b] + shift)
            second = _spa(human, whole[a] - moved, totals[a] - shift)
            apart, seen = first - second, observed[a] - observed[b]
            hits[a, b] += apart >= seen - TIE
            hits[b, a] += -apart >= -seen - TIE
    return hits[None]


def _spa(human: Array, sums: Array, totals: Array) -> float:
    """SPA from the sums under each pattern of signs (patterns × systems)."""
    first, second = np.triu_indices(len(totals), 1)
    observed = totals[first] - totals[second]
    tie = ALIKE * np.abs(sums).max(initial=0.0)
    p = (sums[:, first] - sums[:, second] >= observed - tie).mean(axis=0)
    return float(1 - np.abs(p - human).mean())
