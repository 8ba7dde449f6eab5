"""Pearson's r, Spearman's ρ and Kendall's τ, mid-ranks, and the intervals that go with them.

Every correlation of Jurat is computed here, in the shape that its caller has:

- `pearson`, `spearman`, `kendall`: two arrays, correlated along the last axis (two lists, or the
  rows of many resamples at once); a pair of values counts where neither is NaN;
- `pearson_by_group`: one long list of pairs, each with the number of its group (two judges);
- `moments` and `pearson_from_sums`: rows to be added up and resampled, and r from their totals;
- `kendall_counts`, `…_by_group`, `…_of_tables` with `tau_b` and `tau_c`: from counted pairs.

Values are taken exactly as they are given. `[0.1 + 0.2, 0.3, 0.3, 0.3]` is not constant, since
its first value is the next larger number in a computer; its r with `[1, 2, 3, 4]` is −0.7746.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.resampling.student_t import t_cdf
from jurat.stats.ratings import Array, Codes, summed

Flags = NDArray[np.bool_]

# How far the mean of a group's centred values may be from 0, in standard deviations, before they
# are centred again: r changes by the square of it.
OFF_CENTRE = 1e-9
# Sums of squares whose product is neither 0 nor infinite.
SMALLEST, LARGEST = 1e-140, 1e140
# A variance that is less than this share of the mean square is what rounding left of nothing.
FLAT = 1e-12
# Values in a row up to which every two of them are compared; longer rows are sorted.
FEW_VALUES = 64
# Pairs of values of all rows up to which they are compared in one step.
FEW_CELLS = 2**14
# Pairs of values that are held at once.
CELLS = 2**22


def pearson(x: Array, y: Array) -> Array:
    """Pearson's r along the last axis, over the places where neither is NaN.

    It is NaN where one of the two is constant there, and lies between −1 and 1 otherwise.
    """
    x, y = (np.asarray(side, dtype=np.float64) for side in (x, y))
    there = ~(np.isnan(x) | np.isnan(y))
    dx, dy = (_centred(side, there) for side in (x, y))
    squares = [(side * side).sum(axis=-1) for side in (dx, dy)]
    if any(((of < SMALLEST) | (of > LARGEST)).any() for of in squares):
        # Divided by a power of two, which rounds nothing, so that no square is 0 or infinite.
        dx, dy = (_brought_to_one(side) for side in (dx, dy))
        squares = [(side * side).sum(axis=-1) for side in (dx, dy)]
    with np.errstate(invalid="ignore", divide="ignore"):
        below = np.sqrt(squares[0] * squares[1])
        r = np.where(below > 0, (dx * dy).sum(axis=-1) / below, np.nan)
    return np.asarray(np.clip(r, -1, 1))


def spearman(x: Array, y: Array) -> Array:
    """Spearman's ρ along the last axis: Pearson's r of the mid-ranks of what has both values."""
    x, y = (np.asarray(side, dtype=np.float64) for side in (x, y))
    # Ranks are among what is compared: a value whose partner is missing takes none away.
    missing = np.isnan(x) | np.isnan(y)
    first, second = (mid_ranks(np.where(missing, np.nan, side)) for side in (x, y))
    return pearson(first, second)


def kendall(x: Array, y: Array) -> Array:
    """Kendall's τ_b along the last axis; NaN where one of the two is constant."""
    return tau_b(kendall_counts(x, y))


def _centred(values: Array, there: Flags) -> Array:
    """The values around their mean along the last axis; 0 for constants and where not there."""
    if not values.shape[-1]:
        return values
    everywhere = bool(there.all())
    first = values[..., :1]
    if not everywhere:
        first = np.take_along_axis(values, there.argmax(axis=-1)[..., None], axis=-1)
        values = np.where(there, values, first)
    varies = (values != first).any(axis=-1, keepdims=True)
    # A mean is rounded to the digits of the values. Where these hardly differ, that is as much as
    # their differences; but differences of numbers so close are exact, and so is a second mean.
    for _ in range(2):
        values = values - _mean(values, there, everywhere=everywhere)
    return np.where(varies & there, values, 0.0)


def _mean(values: Array, there: Flags, *, everywhere: bool) -> Array:
    if everywhere:
        return np.asarray(values.mean(axis=-1, keepdims=True))
    n = np.maximum(there.sum(axis=-1, keepdims=True), 1)
    return np.asarray(np.where(there, values, 0.0).sum(axis=-1, keepdims=True) / n)


def _brought_to_one(values: Array) -> Array:
    """Rows divided by a power of two, so that the largest of each lies between ½ and 1."""
    largest = np.abs(values).max(axis=-1, keepdims=True, initial=0.0)
    return np.asarray(np.ldexp(values, -np.frexp(largest)[1]))


def pearson_by_group(
    x: Array, y: Array, group: NDArray[np.integer[Any]], n: Codes
) -> tuple[Array, Array]:
    """Pearson's r of each group, and the influence of each pair of values on the r of its group.

    `group` says to which of the groups a pair of values belongs, `n` how many each group has. Both
    are NaN where one side of a group is constant. The influence is that of `influence_on_r`.
    """
    zx, zy = (_standardised(values, group, n) for values in (x, y))
    r = np.clip(summed(group, zx * zy, len(n)) / n, -1, 1)
    return r, influence_on_r(zx, zy, r[group])


def influence_on_r(zx: Array, zy: Array, r: Array | float) -> Array:
    """How much a pair of standardised values moves r: z_x z_y − r (z_x² + z_y²) / 2.

    The mean of the squares, divided by n, is the variance of r (infinitesimal jackknife).
    """
    return np.asarray(zx * zy - r * (zx**2 + zy**2) / 2)


def _standardised(values: Array, group: NDArray[np.integer[Any]], n: Codes) -> Array:
    """Values in standard deviations from the mean of their group; NaN if the group is constant."""
    apart = values - (summed(group, values, len(n)) / n)[group]
    variance = summed(group, apart**2, len(n)) / n
    left = summed(group, apart, len(n)) / n
    # As in `_centred`: a rounded mean of values that hardly differ.
    again = left**2 > OFF_CENTRE**2 * variance
    if again.any():
        apart = apart - np.where(again, left, 0.0)[group]
        variance = np.where(again, summed(group, apart**2, len(n)) / n, variance)
    some = np.zeros(len(n))
    some[group] = values
    varies = summed(group, (values != some[group]).astype(np.float64), len(n)) > 0
    return np.asarray(apart / np.sqrt(np.where(varies, variance, np.nan))[group])


def moments(x: Array, y: Array) -> Array:
    """Rows of 1, x, y, x², y², xy, whose totals `pearson_from_sums` takes.

    Centre large values beforehand: squares of large numbers swallow the differences.
    """
    return np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y])


def pearson_from_sums(totals: Array) -> Array:
    """Pearson's r from n, Σx, Σy, Σx², Σy², Σxy in the last axis, for many resamples at once.

    It is NaN where one of the two does not vary, as far as sums can tell.
    """
    n, x, y, xx, yy, xy = np.moveaxis(totals, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        of_x, of_y = n * xx - x * x, n * yy - y * y
        varies = (of_x > FLAT * n * xx) & (of_y > FLAT * n * yy)
        r = (n * xy - x * y) / np.sqrt(np.where(varies, of_x * of_y, np.nan))
    return np.asarray(np.clip(r, -1, 1))


def mid_ranks(values: Array) -> Array:
    """Ranks along the last axis, from 1; equal values share the mean of theirs, NaN has none."""
    values = np.asarray(values, dtype=np.float64)
    order = np.argsort(values, axis=-1, kind="stable")  # NaN last
    ordered = np.take_along_axis(values, order, axis=-1)
    place = np.broadcast_to(np.arange(values.shape[-1]), values.shape)
    new = np.ones(values.shape, dtype=np.bool_)
    new[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    # Of each run of equal values the first place is carried on, and the last one carried back.
    first = np.maximum.accumulate(np.where(new, place, 0), axis=-1)
    ends = np.ones(values.shape, dtype=np.bool_)
    ends[..., :-1] = new[..., 1:]
    lasts = np.where(ends, place, values.shape[-1])[..., ::-1]
    last = np.minimum.accumulate(lasts, axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return np.where(np.isnan(values), np.nan, ranks)


def mid_ranks_from_counts(counts: Array | Codes) -> Array:
    """The mid-rank of each point of a scale, from how often each was given (the last axis)."""
    return np.asarray(np.cumsum(counts, axis=-1) - (counts - 1) / 2)


def mid_ranks_by_group(values: Array, group: NDArray[np.integer[Any]]) -> Array:
    """The mid-rank of each value among those of its group; groups are numbered from 0."""
    order = np.lexsort((values, group))
    ordered, of = values[order], group[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]) | (of[1:] != of[:-1])
    starts = np.flatnonzero(new)
    lengths = np.diff(starts, append=len(order))
    before = np.searchsorted(of, of)
    ranks = np.empty(len(order))
    ranks[order] = np.repeat(starts + (lengths + 1) / 2, lengths) - before
    return ranks


class KendallCounts(NamedTuple):
    """Pairs of places, as the two lists order them."""

    concordant: Array
    discordant: Array
    tied_x: Array
    """Tied in the first list alone."""
    tied_y: Array
    tied_both: Array


def kendall_counts(x: Array, y: Array, *, gap: float = 0.0) -> Array:
    """How x and y order the pairs of places along the last axis, as `KendallCounts` in a new one.

    Places where one of them is NaN are in no pair, nor are pairs whose x differ by less than a gap.
    """
    x, y = (np.asarray(side, dtype=np.float64) for side in (x, y))
    # One list, and the rows of many resamples, are counted by the same code.
    # Lists without places have no size from which -1 could follow.
    count = math.prod(x.shape[:-1])
    rows = [side.reshape(count, x.shape[-1]) for side in (x, y)]
    if gap or x.shape[-1] <= FEW_VALUES:
        found = _counted_by_pairs(rows[0], rows[1], gap)
    else:
        found = np.array([_counted_by_sorting(*row) for row in zip(*rows, strict=True)])
    return found.reshape(*x.shape[:-1], 5)


def _counted_by_pairs(x: Array, y: Array, gap: float) -> Array:
    """Every two places, for some rows at a time: all at once, or each with all later ones."""
    size = x.shape[1]
    sums = np.zeros((len(x), 5))
    if x.size * size <= FEW_CELLS:
        return sums + _counted(x, y, *np.triu_indices(size, 1), gap)
    step = max(1, CELLS // max(1, size))
    for start in range(0, len(sums), step):
        first, second = (side[start : start + step] for side in (x, y))
        for at in range(size - 1):
            sums[start : start + step] += _counted(
                first, second, slice(at, at + 1), slice(at + 1, None), gap
            )
    return sums


def _counted(x: Array, y: Array, one: Any, other: Any, gap: float) -> Array:
    """How x and y order some places and others, in each row."""
    with np.errstate(invalid="ignore"):
        dx, dy = (side[:, one] - side[:, other] for side in (x, y))
    counted = ~np.isnan(dx) & ~np.isnan(dy) & (np.abs(dx) >= gap)
    return _by_kind(dx, dy, counted)


def _by_kind(dx: Array, dy: Array, counted: Flags) -> Array:
    parts = [(kind & counted).sum(axis=-1) for kind in _kinds(dx, dy)]
    return np.stack(parts, axis=-1).astype(np.float64)


def _kinds(dx: Array, dy: Array) -> tuple[Flags, ...]:
    """Which pairs with these differences are of each kind of `KendallCounts`."""
    same = np.sign(dx) * np.sign(dy)
    tied_x, tied_y = dx == 0, dy == 0
    return same > 0, same < 0, tied_x & ~tied_y, tied_y & ~tied_x, tied_x & tied_y


def _counted_by_sorting(x: Array, y: Array) -> tuple[float, ...]:
    """The same of one long row, in n log n: discordant pairs are inversions (Knight 1966)."""
    there = ~(np.isnan(x) | np.isnan(y))
    first, second = (np.unique(side[there], return_inverse=True)[1] for side in (x, y))
    n = len(first)
    tied_x, tied_y = _tied(first), _tied(second)
    both = _tied(first * (int(second.max(initial=0)) + 1) + second)
    # Either list may be sorted; the one with fewer different values has fewer bits to count by.
    few, many = sorted((first, second), key=lambda side: int(side.max(initial=0)))
    discordant = inversions(few[np.lexsort((few, many))])
    concordant = n * (n - 1) / 2 - tied_x - tied_y + both - discordant
    return concordant, discordant, tied_x - both, tied_y - both, both


def _tied(codes: Codes) -> float:
    number = np.unique(codes, return_counts=True)[1].astype(np.float64)
    return float((number * (number - 1) / 2).sum())


def inversions(values: Codes) -> float:
    """Pairs of whole numbers from 0 of which the earlier is the larger."""
    return float(inversions_of_each(values).sum() // 2)


def inversions_of_each(values: Codes, start: Codes | None = None) -> Codes:
    """For each of some whole numbers from 0, the earlier larger and the later smaller ones.

    Numbers are told apart bit by bit, the highest first: of two in one block, which agree in all
    higher bits, the earlier is the larger where it has the bit and the later has not. Each block is
    then split by the bit, its order kept. Every inversion counts for both of its places. `start`
    is the place at which the block of each begins, where only those of a block are compared.
    """
    size = len(values)
    found, place = np.zeros(size, dtype=np.int64), np.arange(size)
    order, rest = place, np.asarray(values, dtype=np.int64)
    left = np.zeros(size, dtype=np.int64) if start is None else start
    # A block ends before the next place that is the start of its own block.
    starts = np.flatnonzero(left == place)
    end = np.append(starts[1:], size)[np.searchsorted(starts, left)]
    ones = np.zeros(size + 1, dtype=np.int64)
    for bit in reversed(range(int(rest.max(initial=0)).bit_length())):
        has = (rest >> bit) & 1
        np.cumsum(has, out=ones[1:])
        before = ones.take(left)
        ones_before = ones[:-1] - before
        zeros_before = place - left - ones_before
        middle = end - ones.take(end) + before
        above = has == 1
        found[order] += np.where(above, middle - left - zeros_before, ones_before)
        to = np.where(above, middle + ones_before, left + zeros_before)
        left, end = np.where(above, middle, left), np.where(above, end, middle)
        left, end, rest, order = (_moved(part, to) for part in (left, end, rest, order))
    return found


def _moved(values: Codes, to: Codes) -> Codes:
    """The values, each at the place that is given for it."""
    moved = np.empty_like(values)
    moved[to] = values
    return moved


def kendall_counts_by_group(dx: Array, dy: Array, group: Codes) -> Array:
    """The same counts of each group, from the differences of the two places of every pair in it."""
    number = int(group.max(initial=-1)) + 1
    parts = [np.bincount(group[kind], minlength=number) for kind in _kinds(dx, dy)]
    return np.stack(parts, axis=-1).astype(np.float64)


def kendall_counts_of_tables(tables: Array) -> Array:
    """The same counts from tables of how often x was i and y was j (tables × i × j)."""
    # Answers below both of a cell's, and below in the one and above in the other.
    below = np.cumsum(tables, axis=1) - tables
    both = np.cumsum(below, axis=2) - below
    crossed = below.sum(axis=2, keepdims=True) - both - below
    concordant, discordant = ((tables * other).sum(axis=(1, 2)) for other in (both, crossed))
    # Ties of either list contain the ties of both, which are taken off.
    tied_x, tied_y, tied = (
        (counts * (counts - 1) / 2).reshape(len(tables), -1).sum(axis=1)
        for counts in (tables.sum(axis=2), tables.sum(axis=1), tables)
    )
    return np.stack([concordant, discordant, tied_x - tied, tied_y - tied, tied], axis=-1)


def tau_b(counts: Array) -> Array:
    """Kendall's τ_b = (C − D) / √((n₀ − n₁)(n₀ − n₂)); NaN where one list is constant.

    C and D are concordant and discordant pairs, n₀ all, n₁ and n₂ those tied in either list.
    """
    k = KendallCounts(*np.moveaxis(counts, -1, 0))
    untied = k.concordant + k.discordant
    with np.errstate(invalid="ignore", divide="ignore"):
        below = np.sqrt((untied + k.tied_y) * (untied + k.tied_x))
        return np.asarray(np.where(below > 0, (k.concordant - k.discordant) / below, np.nan))


def tau_c(counts: Array, n: Array | Codes, different: Array | Codes) -> Array:
    """Stuart's τ_c = 2m(C − D) / n²(m − 1) of n pairs of values; NaN where m < 2.

    m is the number of `different` values in the list that has fewer of them.
    """
    k = KendallCounts(*np.moveaxis(counts, -1, 0))
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = 2 * different * (k.concordant - k.discordant) / (n * 1.0 * n * (different - 1))
    return np.asarray(np.where(different > 1, tau, np.nan))


def fisher_interval(r: float, n: int, confidence: float) -> tuple[float, float]:
    """Pearson's interval: tanh(atanh r ± z/√(n − 3)) (Fisher 1921); NaN for n ≤ 3 or |r| = 1."""
    return atanh_interval(r, 1 / (n - 3) if n > 3 else np.nan, confidence)


def bonett_wright_interval(rho: float, n: int, confidence: float) -> tuple[float, float]:
    """Spearman's interval: tanh(atanh ρ ± z √((1 + ρ²/2)/(n − 3))) (Bonett & Wright 2000)."""
    return atanh_interval(rho, (1 + rho * rho / 2) / (n - 3) if n > 3 else np.nan, confidence)


def fieller_interval(tau: float, n: int, confidence: float) -> tuple[float, float]:
    """Kendall's interval: tanh(atanh τ ± z √(0.437/(n − 4))) (Fieller et al. 1957)."""
    return atanh_interval(tau, 0.437 / (n - 4) if n > 4 else np.nan, confidence)


def atanh_interval(r: float, variance: float, confidence: float) -> tuple[float, float]:
    """Both ends from the variance of atanh r; NaN where that or r is undefined, or |r| is 1."""
    if np.isnan(variance) or np.isnan(r) or abs(r) >= 1:
        return float("nan"), float("nan")
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * np.sqrt(variance)
    return float(np.tanh(np.arctanh(r) - reach)), float(np.tanh(np.arctanh(r) + reach))


def pearson_p(r: float, n: int) -> float | None:
    """How likely so great an r is, either way, without any correlation: t = r √((n−2)/(1−r²)).

    None where r is undefined or n is less than 3.
    """
    if n < 3 or np.isnan(r):
        return None
    if abs(r) >= 1:
        return 0.0
    return float(2 * t_cdf(n - 2, -abs(r) * np.sqrt((n - 2) / (1 - r * r))))
