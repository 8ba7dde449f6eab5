"""Rank correlations without each of some groups of places, from one pass over all of them.

Leaving out forty groups one by one would sort everything forty times. Here each place's part in
the counts is computed once; what a group takes away follows from the parts of its places.
"""

from __future__ import annotations

import numpy as np

from jurat.stats.correlation import inversions_of_each, mid_ranks_from_counts, pearson
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
    # Numbered anew, since there may be as many combinations as values squared. Inversions are
    # counted of the list with fewer different values, which takes fewer steps.
    few, many = sorted((first, second), key=lambda side: int(side.max(initial=0)))
    combined = _codes(many * (int(few.max(initial=0)) + 1) + few)
    tied_x, tied_y, both = (_tied_left(codes, of, number) for codes in (first, second, combined))
    each = np.empty(len(first))
    order = np.argsort(combined, kind="stable")
    each[order] = inversions_of_each(few[order])
    # Sorted by group, so that inversions are counted among the places of each.
    order = order[np.argsort(of[order], kind="stable")]
    inside = inversions_of_each(few[order], np.searchsorted(of[order], of[order]))
    within = summed(of[order], inside, number) / 2
    discordant = each.sum() / 2 - summed(of, each, number) + within
    concordant = left * (left - 1) / 2 - tied_x - tied_y + both - discordant
    return np.column_stack([concordant, discordant, tied_x - both, tied_y - both, both])


def _codes(values: Array | Codes) -> Codes:
    return np.asarray(np.unique(values, return_inverse=True)[1])


def _tied_left(codes: Codes, group: Codes, groups: int) -> Array:
    """Pairs of places with the same code, without those of each group."""
    counts = np.bincount(codes).astype(np.float64)
    touched = summed(group, counts[codes] - 1, groups)
    cells, inside = np.unique(group * len(counts) + codes, return_counts=True)
    within = summed(cells // max(1, len(counts)), inside * (inside - 1) / 2, groups)
    return np.asarray((counts * (counts - 1) / 2).sum() - touched + within)


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
