"""Tests whether two systems differ by more than chance.

The functions take arrays and know nothing of tables: scores by sentence, numbers of wins, or a
metric's scores on resamples. Those for every pair of S systems at once give S × S matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.resampling import permute_signs
from jurat.resampling.engine import Array, Codes
from jurat.stats.pairwise import PValues
from jurat.stats.settings import RANK_SUM, SIGNED_RANK, WILCOXON, ResamplingSettings

PERMUTATIONS = 10_000
# From so many sentences on, sums under random signs are as good as normal.
MANY = 10_000
# Differences in memory at once: 128 MB.
AT_ONCE = 2**24
# Differences up to which the signed-rank test counts every pattern of signs.
EXACT = 50

NEVER = "they were never judged on the same sentence"
INDEPENDENT = "sentences are taken as independent"
# First systems, second systems, differences (sentences × pairs), and how many sentences are shared.
PairDifferences = tuple[Codes, Codes, Array, Codes]


def p_values(
    means: Array, test: str, settings: ResamplingSettings, documents: Codes | None = None
) -> PValues:
    """P of every two systems by one of `SYSTEM_TESTS`, from means (sentences × systems).

    Higher means are better. Sign flips are of whole documents where each sentence's is given; the
    other tests take sentences as independent.
    """
    if test == RANK_SUM:
        return rank_sum_test(means)
    if test in (SIGNED_RANK, WILCOXON):
        side = "greater" if test == SIGNED_RANK else "two-sided"
        return signed_rank_test(means, alternative=side)
    batches = pair_differences(means)
    if documents is not None:
        batches = _by_document(batches, documents)
    return sign_flip_test(batches, means.shape[1], settings, documents is not None)


def _by_document(batches: Iterator[PairDifferences], documents: Codes) -> Iterator[PairDifferences]:
    """Differences summed by document, which keep their sign together."""
    order = np.argsort(documents, kind="stable")
    starts = np.flatnonzero(np.diff(documents[order], prepend=-1))
    for a, b, apart, there in batches:
        yield a, b, np.add.reduceat(apart[order], starts, axis=0), there


def pair_differences(means: Array) -> Iterator[PairDifferences]:
    """Differences of every two columns of means (sentences × systems), in blocks of pairs.

    Where one of the two is missing the difference is 0, which no sign can change.
    """
    first, second = np.triu_indices(means.shape[1], 1)
    step = max(1, AT_ONCE // max(1, len(means)))
    for start in range(0, len(first), step):
        a, b = (side[start : start + step] for side in (first, second))
        apart = means[:, a] - means[:, b]
        there = ~np.isnan(apart)
        yield a, b, np.where(there, apart, 0.0), there.sum(axis=0)


def sign_flip_test(
    batches: Iterator[PairDifferences],
    systems: int,
    settings: ResamplingSettings,
    whole_documents: bool = False,
) -> PValues:
    """Two-sided sign-flip tests of sentences' or documents' differences (Fisher 1935).

    p = (1 + hits) / (1 + 10,000), exact where all patterns of signs are fewer. From 10,000
    sentences on, where the sum of d under random signs is normal, from z = Σd / √Σd².
    """
    made = PValues.none(systems, NEVER)
    method = ""
    for a, b, apart, there in batches:
        if len(apart) < 1 or not there.any():
            continue
        chances, method = _flipped(apart, settings)
        made.p[a, b] = made.p[b, a] = np.where(there > 0, chances, np.nan)
        made.n[a, b] = made.n[b, a] = there
    if not method:
        return made
    what = "documents" if whole_documents else "sentences"
    said = method.replace("clusters", what)
    assumed = "" if whole_documents else f"; {INDEPENDENT}"
    return made._replace(method=f"{said}, for these judges only{assumed}")


def _flipped(apart: Array, settings: ResamplingSettings) -> tuple[Array, str]:
    if len(apart) <= MANY:
        made = permute_signs(
            apart, permutations=PERMUTATIONS, seed=settings.seed, jobs=settings.jobs
        )
        return made.p_value, made.method
    from scipy.special import erfc

    size = np.sqrt((apart**2).sum(axis=0))
    z = np.abs(apart.sum(axis=0)) / np.where(size > 0, size, 1)
    return erfc(z / np.sqrt(2)), "two-sided sign-flip test by its normal limit, z = Σd / √Σd²"


def signed_rank_test(means: Array, *, alternative: str = "two-sided") -> PValues:
    """Wilcoxon's signed-rank test on the differences of shared sentences; zeros are left out.

    `greater` asks whether the row's system is better: WMT's clusters since 2023.
    """
    made = PValues.none(means.shape[1], "they share no sentence on which they differ")
    p, n = made.p, made.n
    for a, b in zip(*np.triu_indices(len(p), 1), strict=True):
        apart = _relative_differences(means[:, a], means[:, b])
        n[a, b] = n[b, a] = len(apart)
        p[a, b], p[b, a] = signed_rank_p(apart[apart != 0])
    side = "one-sided (a better than b)"
    if alternative == "two-sided":
        side, p = alternative, np.minimum(1, 2 * np.minimum(p, p.T))
    words = f"{side} Wilcoxon signed-rank test; {INDEPENDENT}"
    return made._replace(p=p, method=words)


def _relative_differences(first: Array, second: Array) -> Array:
    """Differences of shared sentences, as a share of the largest mean."""
    there = ~np.isnan(first - second)
    apart = first[there] - second[there]
    largest = max(float(np.abs(side[there]).max(initial=0.0)) for side in (first, second))
    # differences that are equal but for rounding (2/3 − 1/3 and 1/3) must tie
    return np.round(apart / largest, 12) if largest else apart


def signed_rank_p(apart: Array) -> tuple[float, float]:
    """One-sided p of differences other than 0: that they are greater, and that they are less.

    Up to 50 differences exact, by counting the patterns of signs, also where differences tie;
    beyond by the normal limit with its variance corrected for ties. NaN without differences.
    """
    from scipy.special import ndtr

    from jurat.stats.correlation import mid_ranks  # which loads tables, that scores do without

    n = len(apart)
    if not n:
        return np.nan, np.nan
    ranks = mid_ranks(np.abs(apart))
    won = ranks[apart > 0].sum()
    if n <= EXACT:
        # patterns[s] counts the patterns of signs whose positive ranks have the sum s / 2
        patterns = np.ones(1)
        for rank in (2 * ranks).astype(np.int64):
            patterns = np.pad(patterns, (0, rank)) + np.pad(patterns, (rank, 0))
        at = int(2 * won)
        return float(patterns[at:].sum() / 2**n), float(patterns[: at + 1].sum() / 2**n)
    # Σ ranks² / 4 is n (n + 1)(2n + 1) / 24 less what ties take away
    z = (won - ranks.sum() / 2) / np.sqrt((ranks**2).sum() / 4)
    return float(ndtr(-z)), float(ndtr(z))


def rank_sum_test(means: Array) -> PValues:
    """Wilcoxon's rank-sum test, one-sided (row better), normal with continuity correction.

    WMT's direct assessment: sentences' mean z-scores, whether or not both systems have them.
    """
    made = PValues.none(
        means.shape[1],
        "one of them has no z-score, or all are equal",
        "one-sided (a better than b) Wilcoxon rank-sum test on sentences' mean z, normal with "
        f"continuity correction; {INDEPENDENT}",
    )
    columns = [column[~np.isnan(column)] for column in means.T]
    for a, b in zip(*np.triu_indices(len(columns), 1), strict=True):
        made.n[a, b] = made.n[b, a] = len(columns[a]) + len(columns[b])
        made.p[a, b], made.p[b, a] = rank_sum_p(columns[a], columns[b])
    return made


def rank_sum_p(first: Array, second: Array) -> tuple[float, float]:
    """One-sided p that the first are greater, and that they are less; NaN where all are equal."""
    from scipy.special import ndtr

    from jurat.stats.correlation import mid_ranks

    n, m = len(first), len(second)
    both = np.concatenate([first, second])
    if not n or not m or np.ptp(both) == 0:
        return np.nan, np.nan
    ranks = mid_ranks(both)
    above = ranks[:n].sum() - n * (n + 1) / 2 - n * m / 2
    # the sample variance of the mid-ranks is that of the ranks, corrected for ties
    deviation = np.sqrt(n * m / (n + m) * ranks.var(ddof=1))
    return float(ndtr((0.5 - above) / deviation)), float(ndtr((0.5 + above) / deviation))


def sign_test(wins: ArrayLike, losses: ArrayLike) -> Array:
    """Two-sided exact p-values of so many wins against so many losses; NaN where there are none.

    p = min(1, 2 P(X ≤ min(wins, losses))) with X ~ Binomial(wins + losses, ½) (Dixon & Mood 1946).
    """
    from scipy.special import bdtr

    won, lost = np.broadcast_arrays(np.asarray(wins, np.float64), np.asarray(losses, np.float64))
    n = won + lost
    p = np.minimum(1.0, 2 * bdtr(np.minimum(won, lost), n.astype(np.int64), 0.5))
    return np.asarray(np.where(n > 0, p, np.nan))


def shifted_bootstrap(replicates: Array, observed: Array) -> Array:
    """The shifted two-sided paired bootstrap, from scores on resamples (R × S) and of all.

    The differences d* on resamples, less their mean, are what chance gives where there is no
    difference: p = (1 + #{|d* − mean d*| ≥ |d|}) / (1 + R).
    """
    centred = replicates - np.nanmean(replicates, axis=0)
    # written so that a resample without a score (NaN) counts as one that chance could give
    return _hit_shares(centred, observed, lambda apart, limit: ~(np.abs(apart) < limit))


def sacrebleu_bootstrap(replicates: Array, observed: Array) -> Array:
    """The paired bootstrap of sacreBLEU 2: p = (1 + #{|d*| − mean |d*| > |d|}) / (1 + R).

    It takes the size of d* first and the mean of sizes after, and so finds twice as many
    differences as it should where there are none.
    """

    def far(apart: Array, limit: Array) -> NDArray[np.bool_]:
        size = np.abs(apart)
        return np.asarray(~(size - np.nanmean(size, axis=0) <= limit))

    return _hit_shares(replicates, observed, far)


# From differences on resamples and the sizes of those observed: which are as far apart.
Far = Callable[[Array, Array], NDArray[np.bool_]]


def _hit_shares(replicates: Array, observed: Array, far: Far) -> Array:
    systems = len(observed)
    p = np.full((systems, systems), np.nan)
    for a in range(systems - 1):
        others = slice(a + 1, None)
        limit = np.abs(observed[a] - observed[others])
        hits = far(replicates[:, a, None] - replicates[:, others], limit).sum(axis=0)
        shares = np.where(np.isnan(limit), np.nan, (1 + hits) / (1 + len(replicates)))
        p[a, others] = p[others, a] = shares
    return p
