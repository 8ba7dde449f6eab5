"""The fewest insertions, deletions and substitutions between two texts, 64 words at a time.

A row of the table of distances has a cell for each number of reference words. Two bit vectors hold
it: of the cells where the distance is one more than in the cell before, and where it is one less
(Myers 1999; in Hyyrö's form of 2003). A word of the hypothesis makes the next row of it at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from jurat.metrics.kernels import kernel

Ints = NDArray[np.int64]
Bits = NDArray[np.uint64]

ZERO, ONE, LAST, ALL = (np.uint64(bits) for bits in (0, 1, 63, 2**64 - 1))
PAIRS, FOURS, EIGHTS, BYTES = (np.uint64((2**64 - 1) // n) for n in (3, 5, 17, 255))
TWO, FOUR, TOP = (np.uint64(shift) for shift in (2, 4, 56))
NOTHING = 0
"""The seat of a word that the reference does not have."""


@kernel
def free_seats(references: Ints) -> Ints:
    """A seat for each word of the references, none of them taken."""
    most = -1
    for word in references:
        most = max(most, word)
    return np.zeros(most + 1, np.int64)


@kernel
def take_seats(hypothesis: Ints, reference: Ints, seats: Ints) -> tuple[Ints, Ints, int]:
    """The words of both texts, numbered anew by the words of the reference, and how many these are.

    All seats are free before and after.
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

    `up` and `down` tell whether the cell before them is one more or one less than in the last row.
    Given are the new bits, the same of the last cell, and the cells that are equal to the one
    before them in the last row.
    """
    same |= down
    level = (((same & rise) + rise) ^ rise) | same | fall
    plus, minus = fall | ~(level | rise), level & rise
    raised, lowered = (plus << ONE) | up, (minus << ONE) | down
    return lowered | ~(level | raised), raised & level, plus >> LAST, minus >> LAST, level


@kernel
def ones(bits: np.uint64) -> int:
    """How many bits are set, added up in pairs, fours and eights of them."""
    bits -= (bits >> ONE) & PAIRS
    bits = (bits & FOURS) + ((bits >> TWO) & FOURS)
    return int(np.int64((((bits + (bits >> FOUR)) & EIGHTS) * BYTES) >> TOP))


@kernel
def distances(
    words: Ints, starts: Ints, references: Ints, reference_starts: Ints, firsts: Ints
) -> Ints:
    """How far each reference is from its hypothesis.

    Words are numbers from 0. Hypothesis i has those from `starts[i]` to `starts[i + 1]`, and the
    references from `firsts[i]` to `firsts[i + 1]`, whose words are told in the same way.
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
