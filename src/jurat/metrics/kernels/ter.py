"""Translation edit rate: shifts of words that pay, then insertions, deletions, substitutions.

The search and its limits are those of Tercom as sacreBLEU has them.
"""

from __future__ import annotations

import numpy as np

from jurat.metrics.kernels import kernel
from jurat.metrics.kernels.beam import (
    EXTRA,
    KEPT,
    MISSING,
    Rows,
    fill,
    is_wide,
    last_step,
    rows_of,
    total,
)
from jurat.metrics.kernels.edits import Ints, free_seats, masks_of, take_seats
from jurat.metrics.kernels.shifts import (
    LONGEST,
    PLACE,
    SHIFT,
    TRIALS,
    Pair,
    Records,
    choose,
    collect,
    sides,
    swap,
)
from jurat.metrics.kernels.wide_beam import last_table_step, table_of


@kernel
def edit_counts(
    words: Ints, starts: Ints, references: Ints, reference_starts: Ints, firsts: Ints
) -> Ints:
    """The edits that each reference asks of its hypothesis.

    Words are numbers from 0. Hypothesis i has those from `starts[i]` to `starts[i + 1]`, and the
    references from `firsts[i]` to `firsts[i + 1]`, whose words are told in the same way.
    """
    seats = free_seats(references)
    found = np.empty(len(reference_starts) - 1, np.int64)
    for i in range(len(firsts) - 1):
        hypothesis = words[starts[i] : starts[i + 1]]
        for k in range(firsts[i], firsts[i + 1]):
            reference = references[reference_starts[k] : reference_starts[k + 1]]
            found[k] = edits(hypothesis, reference, seats)
    return found


@kernel
def edits(hypothesis: Ints, reference: Ints, seats: Ints) -> int:
    """The edits, shifts among them, that make a hypothesis its reference."""
    words, size = len(hypothesis), len(reference)
    if not words or not size:
        return max(words, size)
    h, r, taken = take_seats(hypothesis, reference, seats)
    places = np.empty(max(words, size) + 1, PLACE)
    pair = Pair(h, r, masks_of(r, taken), find_likes(r, taken, places))
    least = max(words, size) - shared(h, r, taken)
    wide = is_wide(words, size)
    rows, cells = rows_of(words, words if wide else size), np.empty((0, 0), np.int64)
    shifts = np.empty(TRIALS + LONGEST + 1, SHIFT)
    made, tried = 0, np.int64(0)
    while True:
        if wide:
            cells = table_of(h, r)
            now = int(cells[words, size])
        else:
            fill(rows, h, pair.masks)
            now = total(rows, size, rows[words].rise, rows[words].fall, rows[words].base)
        if now <= least:
            return made + now
        align(pair, rows, cells, places)
        listed, tried = collect(pair, places, shifts, tried)
        if tried >= TRIALS:
            return made + now
        best = choose(pair, rows, shifts[:listed], now, least)
        if best < 0:
            return made + now
        swap(h, *sides(shifts[best], words))
        made += 1


@kernel
def find_likes(reference: Ints, taken: int, places: Records) -> Ints:
    """Where each word of the reference comes first, and where it comes again."""
    firsts = np.empty(taken + 1, np.int64)
    for word in range(taken + 1):
        firsts[word] = len(reference)
    for j in range(len(reference) - 1, -1, -1):
        places[j].next = firsts[reference[j]]
        firsts[reference[j]] = j
    return firsts


@kernel
def shared(hypothesis: Ints, reference: Ints, taken: int) -> int:
    """Words that both texts have, which are all that any order of them can save."""
    left = np.zeros(taken + 1, np.int64)
    for word in reference:
        left[word] += 1
    found = 0
    for word in hypothesis:
        if left[word] > 0:
            left[word] -= 1
            found += 1
    return found


@kernel
def align(pair: Pair, rows: Rows, cells: Ints, places: Records) -> None:
    """Follow the best way back from the end of both texts."""
    i, j = len(pair.hypothesis), len(pair.reference)
    wide = is_wide(i, j)
    places[i].wrong = i
    places[j].missed = j
    while i > 0 or j > 0:
        same = i > 0 and j > 0 and pair.hypothesis[i - 1] == pair.reference[j - 1]
        step = last_table_step(cells, i, j, same) if wide else last_step(rows, i, j, same)
        if step != EXTRA:
            places[j].after = i
            j -= 1
            places[j].missed = places[j + 1].missed if step == KEPT else j
        if step != MISSING:
            i -= 1
            places[i].wrong = places[i + 1].wrong if step == KEPT else i
    places[0].after = 0
