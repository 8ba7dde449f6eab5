"""Translation edit rate: a greedy search for shifts, then insertions, deletions, substitutions.

The search and its limits are those of Tercom as sacreBLEU has them: in each round the shift is made
that saves most. Its distance is computed from the first word that changes its place, and only where
it could be the best.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.metrics._kernels import kernel
from jurat.metrics._kernels.edit_distance import (
    EXTRA,
    KEPT,
    MISSING,
    Bits,
    Ints,
    Rows,
    fill,
    free_seats,
    is_wide,
    last_step,
    last_table_step,
    masks_of,
    next_row,
    overlap,
    rows_of,
    table_of,
    take_seats,
    total,
)

# Words that are shifted together.
LONGEST = 10
# Places between a shifted word and its like in the reference.
FURTHEST = 50
# Shifts that are tried for one hypothesis; where they run out, the round's best is not made.
TRIALS = 1000

PLACE = np.dtype(
    [
        ("after", np.int64),  # hypothesis words that account for so many of the reference
        ("wrong", np.int64),  # the first wrong word of the hypothesis from here on
        ("missed", np.int64),  # the first word of the reference from here on that it misses
        ("next", np.int64),  # where the reference has the same word again, or its end
    ]
)
# Words from `start` on, as many as `length`, go to `target`.
SHIFT = np.dtype([("start", np.int64), ("length", np.int64), ("target", np.int64)])
Records = NDArray[np.void]


class WordPair(NamedTuple):
    """A hypothesis and its reference, words numbered by the reference (see `take_seats`)."""

    hypothesis: Ints
    reference: Ints
    masks: Bits
    firsts: Ints
    """Where the reference has each word first, or its end."""


@kernel
def collect(
    pair: WordPair, places: Records, shifts: Records, tried: np.int64
) -> tuple[int, np.int64]:
    """List the shifts to try; returns how many are listed, and how many count as tried by now.

    Words that are shifted have an error among them, and so have their likes in the reference,
    which are not aligned with the words themselves. A shift to where the words are counts, but is
    not listed. The limit ends the list.
    """
    listed = 0
    for start in range(len(pair.hypothesis)):
        like = pair.firsts[pair.hypothesis[start]]
        while like < len(pair.reference):
            shortest = 1 + max(places[start].wrong - start, places[like].missed - like)
            longest = alike(pair.hypothesis, pair.reference, start, like)
            if places[like + 1].after > start:
                longest = min(longest, places[like + 1].after - 1 - start)
            for length in range(shortest, longest + 1):
                before = -1
                for at in range(like, like + length + 1):
                    target = places[at].after
                    if target == before:
                        continue
                    before = target
                    tried += 1
                    if target != start:
                        shifts[listed].start = start
                        shifts[listed].length = length
                        shifts[listed].target = target
                        listed += 1
                if tried >= TRIALS:
                    return listed, tried
            like = places[like].next
    return listed, tried


@kernel
def alike(hypothesis: Ints, reference: Ints, start: int, like: int) -> int:
    """How many words from there on the texts have in common and can be shifted together."""
    if abs(start - like) > FURTHEST:
        return 0
    most = min(LONGEST, len(hypothesis) - start, len(reference) - like)
    length = 1
    while length < most and hypothesis[start + length] == reference[like + length]:
        length += 1
    return length


@kernel
def choose(pair: WordPair, rows: Rows, shifts: Records, now: int, least: int) -> np.int64:
    """The shift that saves most; of equals the longest, the first, to the first target; or -1."""
    words = len(pair.hypothesis)
    wide = is_wide(words, len(pair.reference))
    best, fewest = np.int64(-1), now - 1
    for k in range(len(shifts)):
        wanted = fewest
        if best >= 0 and not comes_before(shifts[k], shifts[best]):
            wanted -= 1
        if wanted >= least:
            a, b, c = sides(shifts[k], words)
            left = shifted_table(pair, a, b, c) if wide else shifted_rows(pair, rows, a, b, c)
            if left <= wanted:
                best, fewest = np.int64(k), left
    return best


@kernel
def comes_before(one: Any, other: Any) -> bool:
    """Whether a shift is preferred to another that saves as much."""
    if one.length != other.length:
        return bool(one.length > other.length)
    if one.start != other.start:
        return bool(one.start < other.start)
    return bool(one.target < other.target)


@kernel
def sides(shift: Any, words: int) -> tuple[int, int, int]:
    """A shift as two neighbours that change places: words a to b and words b to c."""
    start, target = shift.start, shift.target
    stop = start + shift.length
    if target < start:
        return target, start, stop
    return start, stop, target if target > stop else min(words, target + shift.length)


@kernel
def shifted_rows(pair: WordPair, rows: Rows, a: int, b: int, c: int) -> int:
    """The distance after words a to b and words b to c are exchanged."""
    words = pair.hypothesis
    rise, fall, base = rows[a].rise, rows[a].fall, rows[a].base
    for i in range(a, len(words)):
        at = i if i >= c else i + b - a if i < a + c - b else i + b - c
        rise, fall, base, _ = next_row(rows[i + 1], pair.masks[words[at]], rise, fall, base)
    return total(rows, len(pair.reference), rise, fall, base)


@kernel
def shifted_table(pair: WordPair, a: int, b: int, c: int) -> int:
    """The same as `shifted_rows`, in the wider beam."""
    shifted = pair.hypothesis.copy()
    swap(shifted, a, b, c)
    return int(table_of(shifted, pair.reference)[len(shifted), len(pair.reference)])


@kernel
def swap(words: Ints, a: int, b: int, c: int) -> None:
    """Exchange words a to b and words b to c in place."""
    before = words[a:c].copy()
    for k in range(c - a):
        words[a + k] = before[(k + b - a) % (c - a)]


@kernel
def edit_counts(
    words: Ints, starts: Ints, references: Ints, reference_starts: Ints, firsts: Ints
) -> Ints:
    """The edits that each reference asks of its hypothesis.

    Words are numbers from 0. Hypothesis i has those from `starts[i]` to `starts[i + 1]`, and the
    references from `firsts[i]` to `firsts[i + 1]`, whose words are given in the same way.
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
    pair = WordPair(h, r, masks_of(r, taken), find_likes(r, taken, places))
    # No order of the words can save more than those that both texts have.
    least = max(words, size) - overlap(h, r, np.zeros(taken + 1, np.int64))
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
def align(pair: WordPair, rows: Rows, cells: Ints, places: Records) -> None:
    """Trace the best alignment back from the end of both texts, and note it in `places`."""
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
