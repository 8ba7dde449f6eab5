"""Correlations of every two judges over the items that they share.

All are computed for all pairs at once, from sums and from tables of the two judges' answers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurat.stats.agreement.tallies import summed
from jurat.stats.kappa import JudgePairs, rank_in_pair
from jurat.stats.ratings import Array, Codes, scaled

CELLS = 2**22
"""Cells of the answers' tables that are held at once."""
MOST_CELLS = 2**23
"""Cells up to which tables are counted in a second or so."""


def pearson(pairs: JudgePairs) -> tuple[Array, Array]:
    """Pearson's r of each pair, and the influence of each shared item on it.

    The influence is z_x z_y − r (z_x² + z_y²) / 2 with standardised values z.
    """
    places = scaled(pairs.places)
    return _pearson(pairs, places[pairs.first], places[pairs.second])


def _pearson(pairs: JudgePairs, first: Array, second: Array) -> tuple[Array, Array]:
    x, y = (_standardised(pairs, values) for values in (first, second))
    r = summed(pairs.pair, x * y, len(pairs)) / pairs.n
    return r, x * y - r[pairs.pair] * (x**2 + y**2) / 2


def spearman(pairs: JudgePairs) -> Array:
    """Spearman's ρ of each pair: Pearson's r of mid-ranks."""
    return _pearson(pairs, rank_in_pair(pairs, pairs.first), rank_in_pair(pairs, pairs.second))[0]


def kendall_is_quick(pairs: JudgePairs) -> bool:
    """Whether Kendall's τ of all pairs takes seconds rather than minutes."""
    return len(pairs) * len(pairs.places) ** 2 <= MOST_CELLS


def kendall(pairs: JudgePairs) -> tuple[Array, Array]:
    """Kendall's τ_b and (Stuart's) τ_c of each pair, from the table of its answers.

    τ_b = (C − D) / √((n₀ − n₁)(n₀ − n₂)), τ_c = 2m(C − D) / n²(m − 1): C and D are concordant and
    discordant pairs of items, n₀ all, n₁ and n₂ those tied for either judge, and m is the smaller
    of the numbers of different answers that the two gave.
    """
    found = [_taus(*table) for table in _tables(pairs)]
    if not found:
        return np.empty(0), np.empty(0)
    b, c = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return b, c


def _tables(pairs: JudgePairs) -> Iterator[tuple[Array, Codes]]:
    """Tables of answers (some pairs × points × points), and the pairs' numbers of items."""
    points = len(pairs.places)
    step = max(1, CELLS // max(points, 1) ** 2)
    one = step >= len(pairs)
    order = np.arange(len(pairs.pair)) if one else np.argsort(pairs.pair, kind="stable")
    starts = np.concatenate([[0], np.cumsum(pairs.n)])
    for begin in range(0, len(pairs), step):
        end = min(begin + step, len(pairs))
        rows = order[starts[begin] : starts[end]]
        cells = (pairs.pair[rows].astype(np.int64) - begin) * points + pairs.first[rows]
        size = (end - begin) * points**2
        counts = np.bincount(cells * points + pairs.second[rows], minlength=size)
        yield counts.reshape(-1, points, points).astype(np.float64), pairs.n[begin:end]


def _taus(table: Array, n: Codes) -> tuple[Array, Array]:
    rows, columns = table.sum(axis=2), table.sum(axis=1)
    # Answers below both of a cell's, and below in the one and above in the other.
    below = np.cumsum(table, axis=1) - table
    both = np.cumsum(below, axis=2) - below
    crossed = below.sum(axis=2, keepdims=True) - both - below
    excess = (table * (both - crossed)).sum(axis=(1, 2))
    every = n * (n - 1) / 2
    tied = [(counts * (counts - 1) / 2).sum(axis=1) for counts in (rows, columns)]
    b = _quotient(excess, np.sqrt((every - tied[0]) * (every - tied[1])))
    m = np.minimum((rows > 0).sum(axis=1), (columns > 0).sum(axis=1))
    c = _quotient(2 * m * excess, n.astype(np.float64) ** 2 * (m - 1))
    return b, c


def _standardised(pairs: JudgePairs, values: Array) -> Array:
    """Values in standard deviations from the mean of their judge in the pair; NaN if constant."""
    mean = summed(pairs.pair, values, len(pairs)) / pairs.n
    centred = values - mean[pairs.pair]
    variance = summed(pairs.pair, centred**2, len(pairs)) / pairs.n
    # What rounding leaves of equal values is no variance.
    tiny = 1e-20 * np.maximum(mean**2, 1e-300)
    deviation = np.sqrt(np.where(variance > tiny, variance, np.nan))
    return np.asarray(centred / deviation[pairs.pair])


def _quotient(above: Array, below: Array) -> Array:
    quotient = np.full(len(above), np.nan)
    np.divide(above, below, out=quotient, where=below > 0)
    return quotient
