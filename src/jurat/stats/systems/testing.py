"""Tests of two systems on the sentences that they share, for every pair at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from jurat.resampling import adjust, permute_signs
from jurat.stats.ratings import Array, Codes
from jurat.stats.systems.choices import RANK_SUM, SIGNED_RANK, SystemSettings
from jurat.stats.systems.correlating import long_mid_ranks

PERMUTATIONS = 10_000
MANY = 10_000
"""From so many sentences on, sums under random signs are as good as normal."""
AT_ONCE = 2**24
"""Differences that are held at once: 128 MB."""

EXACT = 50
"""Differences up to which the signed-rank test counts every pattern of signs."""

NEVER = "they were never judged on the same sentence"


class PValues(NamedTuple):
    """p-values of every two systems (S × S, the row's against the column's), and their n."""

    p: Array
    n: Codes
    reason: str
    method: str

    def corrected(self, correction: str) -> PValues:
        """Corrected for the number of tests; one for each two systems where order is no matter."""
        if np.array_equal(self.p, self.p.T, equal_nan=True):
            upper = np.triu_indices(len(self.p), 1)
            p = np.full(self.p.shape, np.nan)
            p[upper] = adjust(self.p[upper], correction)
            p = np.where(np.isnan(p), p.T, p)
        else:
            p = adjust(self.p, correction)
        return self._replace(p=p)


def p_values(means: Array, settings: SystemSettings) -> PValues:
    """Every two systems, from their means by sentence (sentences × systems), higher better."""
    if settings.test == RANK_SUM:
        return rank_sum(means)
    if settings.test == SIGNED_RANK:
        return signed_rank(means, alternative="greater")
    if settings.test == "wilcoxon":
        return signed_rank(means)
    return permuted(_differences(means), means.shape[1], settings)


Batch = tuple[Codes, Codes, Array, Codes]
"""First systems, second systems, differences (sentences × pairs), and how many are told."""


def _differences(means: Array) -> Iterator[Batch]:
    """Differences of pairs; 0 where one is missing, which no sign can change."""
    first, second = np.triu_indices(means.shape[1], 1)
    step = max(1, AT_ONCE // max(1, len(means)))
    for start in range(0, len(first), step):
        a, b = (side[start : start + step] for side in (first, second))
        apart = means[:, a] - means[:, b]
        there = ~np.isnan(apart)
        yield a, b, np.where(there, apart, 0.0), there.sum(axis=0)


def permuted(batches: Iterator[Batch], systems: int, settings: SystemSettings) -> PValues:
    """Two-sided sign-flip tests of sentences' differences (Fisher 1935).

    p = (1 + hits) / (1 + 10,000), exact where all patterns of signs are fewer. From 10,000
    sentences on, where the sum of d under random signs is normal, from z = Σd / √Σd².
    """
    p, n = np.full((systems, systems), np.nan), np.zeros((systems, systems), dtype=np.int64)
    method = ""
    for a, b, apart, there in batches:
        if len(apart) < 1 or not there.any():
            continue
        chances, method = _flipped(apart, settings)
        p[a, b] = p[b, a] = np.where(there > 0, chances, np.nan)
        n[a, b] = n[b, a] = there
    return PValues(p, n, NEVER, f"{method}; n counts shared sentences" if method else "")


def _flipped(apart: Array, settings: SystemSettings) -> tuple[Array, str]:
    if len(apart) <= MANY:
        made = permute_signs(
            apart, permutations=PERMUTATIONS, seed=settings.seed, jobs=settings.jobs
        )
        return made.p_value, made.method.replace("clusters", "sentences")
    from scipy.special import erfc

    size = np.sqrt((apart**2).sum(axis=0))
    z = np.abs(apart.sum(axis=0)) / np.where(size > 0, size, 1)
    return erfc(z / np.sqrt(2)), "two-sided sign-flip test by its normal limit, z = Σd / √Σd²"


def signed_rank(means: Array, *, alternative: str = "two-sided") -> PValues:
    """Wilcoxon's signed-rank test on the differences of shared sentences; zeros are left out.

    `greater` asks whether the row's system is better: WMT's clusters since 2023.
    """
    size = means.shape[1]
    p, n = np.full((size, size), np.nan), np.zeros((size, size), dtype=np.int64)
    for a, b in zip(*np.triu_indices(size, 1), strict=True):
        apart = _apart(means[:, a], means[:, b])
        n[a, b] = n[b, a] = len(apart)
        p[a, b], p[b, a] = signed_rank_p(apart[apart != 0])
    side = "one-sided (a better than b)"
    if alternative == "two-sided":
        side, p = alternative, np.minimum(1, 2 * np.minimum(p, p.T))
    words = f"{side} Wilcoxon signed-rank test; n counts shared sentences"
    return PValues(p, n, "they share no sentence on which they differ", words)


def _apart(first: Array, second: Array) -> Array:
    """Differences of shared sentences, as a share of the largest mean.

    Those that are equal but for rounding (2/3 − 1/3 and 1/3) must tie, and be 0 where they are.
    """
    there = ~np.isnan(first - second)
    apart = first[there] - second[there]
    largest = max(float(np.abs(side[there]).max(initial=0.0)) for side in (first, second))
    return np.round(apart / largest, 12) if largest else apart


def signed_rank_p(apart: Array) -> tuple[float, float]:
    """One-sided p of differences other than 0: that they are greater, and that they are less.

    Of no more than 50 exact, by counting the patterns of signs, also where differences tie; of more
    by the normal limit with its variance corrected for ties.
    """
    from scipy.special import ndtr

    n = len(apart)
    if not n:
        return np.nan, np.nan
    ranks = long_mid_ranks(np.abs(apart))
    won = ranks[apart > 0].sum()
    if n <= EXACT:
        patterns = np.ones(1)
        for rank in (2 * ranks).astype(np.int64):
            patterns = np.pad(patterns, (0, rank)) + np.pad(patterns, (rank, 0))
        at = int(2 * won)
        return float(patterns[at:].sum() / 2**n), float(patterns[: at + 1].sum() / 2**n)
    # Σ ranks² / 4 is n (n + 1)(2n + 1) / 24 less what ties take away
    z = (won - ranks.sum() / 2) / np.sqrt((ranks**2).sum() / 4)
    return float(ndtr(-z)), float(ndtr(z))


def rank_sum(means: Array) -> PValues:
    """Wilcoxon's rank-sum test, one-sided (row better), normal with continuity correction.

    WMT's direct assessment: sentences' mean z-scores, whether or not both systems have them.
    """
    size = means.shape[1]
    p, n = np.full((size, size), np.nan), np.zeros((size, size), dtype=np.int64)
    columns = [column[~np.isnan(column)] for column in means.T]
    for a, b in zip(*np.triu_indices(size, 1), strict=True):
        n[a, b] = n[b, a] = len(columns[a]) + len(columns[b])
        p[a, b], p[b, a] = rank_sum_p(columns[a], columns[b])
    words = (
        "one-sided (a better than b) Wilcoxon rank-sum test on sentences' mean z, normal with "
        "continuity correction; n counts sentences of both"
    )
    return PValues(p, n, "one of them has no z-score, or all are equal", words)


def rank_sum_p(first: Array, second: Array) -> tuple[float, float]:
    """One-sided p that the first are greater, and that they are less."""
    from scipy.special import ndtr

    n, m = len(first), len(second)
    both = np.concatenate([first, second])
    if not n or not m or np.ptp(both) == 0:
        return np.nan, np.nan
    ranks = long_mid_ranks(both)
    above = ranks[:n].sum() - n * (n + 1) / 2 - n * m / 2
    deviation = np.sqrt(n * m / (n + m) * ranks.var(ddof=1))
    return float(ndtr((0.5 - above) / deviation)), float(ndtr((0.5 + above) / deviation))
