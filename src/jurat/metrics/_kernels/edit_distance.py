"""Edit distances of words: exact, and within TER's beam along the diagonal.

A row of the table of distances has a cell for each number of reference words. Two bit vectors hold
it, 64 cells in a machine word: where the distance is one more than in the cell before, and where it
is one less (Myers 1999; in Hyyrö's form of 2003).

A beam of 25 has at most 50 cells in a row, which is then one machine word: bit k is the step to
cell `low + k`, the first from a cell outside, whose value is too high to matter. The beam of a very
short hypothesis is wider, and is computed cell by cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from jurat.metrics._kernels import kernel

Ints = NDArray[np.int64]
Bits = NDArray[np.uint64]

ZERO, ONE, LAST, ALL = (np.uint64(bits) for bits in (0, 1, 63, 2**64 - 1))
PAIRS, FOURS, EIGHTS, BYTES = (np.uint64((2**64 - 1) // n) for n in (3, 5, 17, 255))
TWO, FOUR, TOP = (np.uint64(shift) for shift in (2, 4, 56))
# Words are numbered by the reference (their seat, from 1); 0 is a word that it does not have.
NOTHING = 0


@kernel
def free_seats(references: Ints) -> Ints:
    """An array of zeros with a place for each word of the references."""
    most = -1
    for word in references:
        most = max(most, word)
    return np.zeros(most + 1, np.int64)


@kernel
def take_seats(hypothesis: Ints, reference: Ints, seats: Ints) -> tuple[Ints, Ints, int]:
    """The words of both texts renumbered by the words of the reference, and how many these are.

    `seats` holds only zeros before and after.
    """
    h, r = np.empty(len(hypothesis), np.int64), np.empty(len(reference), np.int64)
    taken = 0
    for j in range(len(reference)):
        if seats[reference[j]] == NOTHING:
            taken += 1
            seats[reference[j]] = taken
        r[j] = seats[reference[j]]
    for i in range(len(hypothesis)):
        h[i] = seats[hypothesis[i]] if hypothesis[i] < len(seats) else NOTHING
    for j in range(len(reference)):
        seats[reference[j]] = NOTHING
    return h, r, taken


@kernel
def overlap(hypothesis: Ints, reference: Ints, free: Ints) -> int:
    """How many words both texts have, each as often as both; `free` is zeros before and after."""
    for word in reference:
        free[word] += 1
    shared = 0
    for word in hypothesis:
        if word < len(free) and free[word] > 0:
            free[word] -= 1
            shared += 1
    for word in reference:
        free[word] = 0
    return shared


@kernel
def masks_of(reference: Ints, taken: int) -> Bits:
    """For each seat, the bits of the cells whose last word sits there, and 64 bits to spare."""
    masks = np.zeros((taken + 1, len(reference) // 64 + 2), np.uint64)
    for j in range(1, len(reference) + 1):
        masks[reference[j - 1], j // 64] |= ONE << np.uint64(j % 64)
    return masks


@kernel
def step(
    same: np.uint64, rise: np.uint64, fall: np.uint64, up: np.uint64, down: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """64 cells of the next row, made by a word that is equal to the reference words in `same`.

    `up` and `down` say whether the cell before them is one more or one less than in the last row.
    Returns the new bits, `up` and `down` of the last cell, and the cells that are equal to the one
    before them in the last row.
    """
    same |= down
    level = (((same & rise) + rise) ^ rise) | same | fall
    plus, minus = fall | ~(level | rise), level & rise
    raised, lowered = (plus << ONE) | up, (minus << ONE) | down
    return lowered | ~(level | raised), raised & level, plus >> LAST, minus >> LAST, level


@kernel
def ones(bits: np.uint64) -> int:
    """How many bits are set."""
    bits -= (bits >> ONE) & PAIRS
    bits = (bits & FOURS) + ((bits >> TWO) & FOURS)
    return int(np.int64((((bits + (bits >> FOUR)) & EIGHTS) * BYTES) >> TOP))


@kernel
def distances(
    words: Ints, starts: Ints, references: Ints, reference_starts: Ints, firsts: Ints
) -> Ints:
    """How far each reference is from its hypothesis.

    Words are numbers from 0. Hypothesis i has those from `starts[i]` to `starts[i + 1]`, and the
    references from `firsts[i]` to `firsts[i + 1]`, whose words are given in the same way.
    """
    seats = free_seats(references)
    found = np.empty(len(reference_starts) - 1, np.int64)
    for i in range(len(firsts) - 1):
        hypothesis = words[starts[i] : starts[i + 1]]
        for k in range(firsts[i], firsts[i + 1]):
            reference = references[reference_starts[k] : reference_starts[k + 1]]
            found[k] = distance(hypothesis, reference, seats)
    return found


@kernel
def distance(hypothesis: Ints, reference: Ints, seats: Ints) -> int:
    """The value of the last cell of the last row: the sum of the steps to it."""
    h, r, taken = take_seats(hypothesis, reference, seats)
    masks = masks_of(r, taken)
    rise, fall = np.empty(masks.shape[1], np.uint64), np.empty(masks.shape[1], np.uint64)
    for block in range(len(rise)):
        rise[block], fall[block] = ALL if block else ALL - ONE, ZERO
    for word in h:
        up, down = ONE, ZERO
        for block in range(len(rise) - 1):
            rise[block], fall[block], up, down, _ = step(
                masks[word, block], rise[block], fall[block], up, down
            )
    found = len(h)
    for block in range(len(rise) - 1):
        cells = len(r) + 1 - 64 * block
        there = ALL if cells >= 64 else ~(ALL << np.uint64(cells))
        found += ones(rise[block] & there) - ones(fall[block] & there)
    return found


# Cells on either side of the diagonal.
BEAM = 25
# A word of the hypothesis that is right, substituted or too much; one that it lacks.
KEPT, CHANGED, EXTRA, MISSING = 0, 1, 2, 3

ROW = np.dtype(
    [
        ("low", np.int64),  # the first cell of the row
        ("moved", np.uint64),  # how many cells further that is than in the row before
        ("beyond", np.uint64),  # cells that the row before does not have
        ("diagonal", np.uint64),  # cells to which a reference word leads from the row before
        ("rise", np.uint64),
        ("fall", np.uint64),
        ("level", np.uint64),  # cells equal to the one before them in the row before
        ("base", np.int64),  # the value of the cell before the first
    ]
)
# The table, a row for each number of hypothesis words.
Rows = NDArray[np.void]


@kernel
def is_wide(words: int, size: int) -> bool:
    """Whether rows of this beam would have nothing in common, so long is the reference."""
    return size / words / 2 > BEAM


@kernel
def rows_of(words: int, size: int) -> Rows:
    """Where the beam lies between a hypothesis and a reference of so many words."""
    rows = np.zeros(words + 1, ROW)
    rows[0].rise = ALL << ONE
    high = size + 1
    ratio = size / words
    for i in range(1, words + 1):
        middle = int(np.floor(i * ratio))
        low = max(0, middle - BEAM)
        moved = low - rows[i - 1].low
        rows[i].low = low
        rows[i].moved = moved
        rows[i].beyond = from_bit(min(high - low, 64 - moved))
        rows[i].diagonal = from_bit(0 if moved else 1) & ~from_bit(high - low + 1)
        high = min(size + 1, middle + BEAM)
    return rows


@kernel
def from_bit(k: int) -> np.uint64:
    """All bits from the k-th on."""
    return ALL << np.uint64(k) if k < 64 else ZERO


@kernel
def next_row(
    row: Any, mask: Bits, rise: np.uint64, fall: np.uint64, base: int
) -> tuple[np.uint64, np.uint64, int, np.uint64]:
    """A row from the bits and base of the one before it, made by the word of that mask."""
    left = ~(ALL << row.moved)
    base += 1 + ones(rise & left) - ones(fall & left)
    block, off = row.low // 64, np.uint64(row.low % 64)
    same = (mask[block] >> off) | ((mask[block + 1] << ONE) << (LAST - off))
    rise, fall = (rise >> row.moved) | row.beyond, (fall >> row.moved) & ~row.beyond
    rise, fall, _, _, level = step(same & row.diagonal, rise, fall, ONE, ZERO)
    return rise, fall, base, level


@kernel
def fill(rows: Rows, words: Ints, masks: Bits) -> None:
    """Compute all rows."""
    rise, fall, base = rows[0].rise, rows[0].fall, rows[0].base
    for i in range(len(words)):
        row = rows[i + 1]
        rise, fall, base, level = next_row(row, masks[words[i]], rise, fall, base)
        row.rise, row.fall, row.base, row.level = rise, fall, base, level


@kernel
def total(rows: Rows, size: int, rise: np.uint64, fall: np.uint64, base: int) -> int:
    """The distance of the whole, from the last row."""
    there = ~from_bit(size + 1 - rows[-1].low)
    return base + ones(rise & there) - ones(fall & there)


@kernel
def last_step(rows: Rows, i: int, j: int, same: bool) -> int:
    """The last step of the best way to a cell: of equals a substitution, then an extra word."""
    if i == 0:
        return MISSING
    row = rows[i]
    bit = ONE << np.uint64(j - row.low)
    if not row.diagonal & bit:
        return EXTRA if j == row.low else MISSING
    if same:
        return KEPT
    if not row.level & bit:
        return CHANGED
    return EXTRA if (rows[i - 1].fall >> row.moved) & ~row.beyond & bit else MISSING


# The value of a cell outside the beam.
FAR = 1 << 40


@kernel
def table_of(words: Ints, reference: Ints) -> Ints:
    """The distance of each number of words from each number of words of the reference."""
    size = len(reference)
    ratio = size / len(words)
    width = int(np.ceil(ratio / 2 + BEAM))
    cells = np.empty((len(words) + 1, size + 1), np.int64)
    for j in range(size + 1):
        cells[0, j] = j
    for i in range(1, len(words) + 1):
        middle = int(np.floor(i * ratio))
        high = size + 1 if i == len(words) else middle + width
        for j in range(size + 1):
            best = FAR
            if middle - width <= j < high:
                best = min(best, cells[i - 1, j] + 1)
                if j > 0:
                    changed = words[i - 1] != reference[j - 1]
                    best = min(best, cells[i - 1, j - 1] + changed, cells[i, j - 1] + 1)
            cells[i, j] = best
    return cells


@kernel
def last_table_step(cells: Ints, i: int, j: int, same: bool) -> int:
    """The last step of the best way to a cell: of equals a substitution, then an extra word."""
    if i == 0 or j == 0:
        return EXTRA if i else MISSING
    if cells[i, j] == cells[i - 1, j - 1] + (not same):
        return KEPT if same else CHANGED
    return EXTRA if cells[i, j] == cells[i - 1, j] + 1 else MISSING
