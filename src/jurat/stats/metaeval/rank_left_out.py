"""Rank correlations without each of some groups of places, from one pass over all of them.

Leaving out forty groups one by one would sort everything forty times. Here each place's part in
the counts is computed once; what a group takes away follows from the parts of its places.
"""

from __future__ import annotations

import numpy as np

from jurat.stats.correlation import mid_ranks_from_counts, pearson
from jurat.stats.ratings import Array, Codes, summed


def kendall_counts_left_out(x: Array, y: Array, group: Codes) -> Array:
    """`kendall_counts` of two lists without the places of each group (groups × 5).

    Places where one of the lists is NaN are in no pair. Counts are whole numbers, so that they are
    those of the remaining places exactly.
    """
    there = ~(np.isnan(x) | np.isnan(y))
    first, second = (_codes(side[there]) for side in (x, y))
    number, of = int(group.max(initial=-1)) + 1, group[there]
    left = len(first) - np.bincount(of, minlength=number)
    width = int(second.max(initial=0)) + 1
    tied_x, tied_y, both = (
        _tied_left(codes, of, number) for codes in (first, second, first * width + second)
    )
    each = np.empty(len(first))
    order = np.lexsort((second, first))
    each[order] = inversions_of_each(second[order])
    # With the group in front, earlier and later places of an inversion are of the same group.
    order = np.lexsort((second, first, of))
    inside = inversions_of_each(of[order] * width + second[order])
    within = summed(of[order], inside, number) / 2
    discordant = each.sum() / 2 - summed(of, each, number) + within
    concordant = left * (left - 1) / 2 - tied_x - tied_y + both - discordant
    return np.column_stack([concordant, discordant, tied_x - both, tied_y - both, both])


def _codes(values: Array) -> Codes:
    return np.asarray(np.unique(values, return_inverse=True)[1])


def _tied_left(codes: Codes, group: Codes, groups: int) -> Array:
    """Pairs of places with the same code, without those of each group."""
    counts = np.bincount(codes).astype(np.float64)
    touched = summed(group, counts[codes] - 1, groups)
    cells, inside = np.unique(group * len(counts) + codes, return_counts=True)
    within = summed(cells // max(1, len(counts)), inside * (inside - 1) / 2, groups)
    return np.asarray((counts * (counts - 1) / 2).sum() - touched + within)


def inversions_of_each(values: Codes) -> Array:
    """For each of some whole numbers from 0, the earlier larger and the later smaller ones.

    As `inversions`, which says how: every inversion counts for both of its places here.
    """
    size, half = len(values), 1
    found = np.zeros(size)
    width = int(values.max(initial=0)) + 1
    place = np.arange(size)
    while half < size:
        block, later = place // (2 * half), (place // half) % 2 == 1
        keys = block * width + values
        ahead, behind = np.flatnonzero(~later), np.flatnonzero(later)
        low, high = np.sort(keys[behind]), np.sort(keys[ahead])
        # Later halves have no more values than are in the blocks before, and in their own.
        found[ahead] += np.searchsorted(low, keys[ahead], side="left")
        found[ahead] -= np.searchsorted(block[behind], block[ahead], side="left")
        found[behind] += np.searchsorted(block[ahead], block[behind], side="right")
        found[behind] -= np.searchsorted(high, keys[behind], side="right")
        half *= 2
    return found


def spearman_left_out(x: Array, y: Array, group: Codes) -> Array:
    """Spearman's ρ of two lists without the places of each group; NaN places are in none."""
    missing = np.isnan(x) | np.isnan(y)
    sides = []
    for side in (x, y):
        codes = np.zeros(len(side), dtype=np.int64)
        codes[~missing] = _codes(side[~missing])
        sides.append((codes, np.bincount(codes[~missing])))
    found = []
    for one in range(int(group.max(initial=-1)) + 1):
        gone = missing | (group == one)
        out = (group == one) & ~missing
        ranks = [
            mid_ranks_from_counts(all_ - np.bincount(codes[out], minlength=len(all_)))[codes]
            for codes, all_ in sides
        ]
        found.append(float(pearson(*(np.where(gone, np.nan, side) for side in ranks))))
    return np.array(found)
