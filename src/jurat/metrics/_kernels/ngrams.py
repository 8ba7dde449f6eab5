"""How many n-grams a hypothesis shares with its references; for single words in any order too.

The key of an n-gram is the slot of its first n − 1 symbols in the table of the order before, and
its last symbol: an exact number for any order and any alphabet. Where an n-gram is not shared, no
longer one that begins at the same place is, and that place is dropped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.metrics._kernels import kernel
from jurat.metrics._kernels.edit_distance import Ints, free_seats, overlap
from jurat.metrics._kernels.tokenization import Codes, Places

# Unsigned throughout: numba would check of every signed index whether it counts from the end.
EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
# 2⁶⁴ over the golden ratio (Fibonacci hashing): products are well spread in their upper bits.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)
ONE = np.uint64(1)
# Slots of the table for each n-gram of the references: few collide, and it is cleared quickly.
ROOM = 4


class Symbols(NamedTuple):
    """Texts one after the other, as symbols below 2³² (code points or words); where each begins."""

    codes: Codes
    offsets: Places


class NgramTable(NamedTuple):
    """The n-grams of one order that references have."""

    keys: NDArray[np.uint64]
    most: Codes
    """The highest count in one reference, less the n-grams that were matched."""
    here: Codes
    """The count in the reference that is being read."""


class SharedPlaces(NamedTuple):
    """The places of a hypothesis whose n-grams have been shared up to this order."""

    own: Codes
    """The slot of the n-gram that begins there."""
    places: Codes


@kernel
def shared_ngrams(
    mine: Symbols, theirs: Symbols, owners: Places, firsts: Places, order: int
) -> Places:
    """How many n-grams of orders 1 to `order` hypothesis `owners[k]` shares with its references.

    These are references `firsts[k]` to `firsts[k + 1]`. An n-gram counts at most as often as the
    reference has it that has it most often.
    """
    shared = np.zeros((len(owners), order), np.int64)
    room = ROOM
    for k in range(len(owners)):
        length = theirs.offsets[firsts[k + 1]] - theirs.offsets[firsts[k]]
        width = mine.offsets[owners[k] + 1] - mine.offsets[owners[k]]
        room = max(room, 2 * ROOM * length, width)
    keys = np.empty(room, np.uint64)
    most = np.empty(room, np.uint32)
    here = np.empty(room, np.uint32)
    begun = np.empty(room, np.uint32)
    course = SharedPlaces(np.empty(room, np.uint32), np.empty(room, np.uint32))
    for k in range(len(owners)):
        offsets = theirs.offsets[firsts[k] : firsts[k + 1] + 1]
        length = offsets[-1] - offsets[0]
        size = ROOM
        while size < ROOM * length:
            size *= 2
        table = NgramTable(keys[:size], most[:size], here[:size])
        begun[:length] = 0
        text = mine.codes[mine.offsets[owners[k]] : mine.offsets[owners[k] + 1]]
        alive = len(text)
        for at in range(alive):
            course.own[at], course.places[at] = 0, at
        for n in range(order):
            fill_table(table, theirs.codes, offsets, begun, n)
            alive, shared[k, n] = match(table, text, course, alive, n)
            if not alive:
                break
    return shared


@kernel
def fill_table(table: NgramTable, references: Codes, offsets: Places, begun: Codes, n: int) -> None:
    """Fill the table with the references' n-grams; `begun` has the slots of the order before."""
    table.keys[:] = EMPTY
    table.most[:] = 0
    shift = shift_of(table.keys)
    for reference in range(len(offsets) - 1):
        table.here[:] = 0
        symbols = references[offsets[reference] : offsets[reference + 1]]
        beginnings = begun[offsets[reference] - offsets[0] :]
        for at in range(len(symbols) - n):
            key = (np.uint64(beginnings[at]) << HALF) | np.uint64(symbols[at + n])
            slot = slot_of(table.keys, key, shift)
            table.keys[slot] = key
            table.here[slot] += np.uint32(1)
            table.most[slot] = max(table.most[slot], table.here[slot])
            beginnings[at] = slot


@kernel
def match(
    table: NgramTable, text: Codes, course: SharedPlaces, alive: int, n: int
) -> tuple[int, int]:
    """How many places of a text are left for longer n-grams, and how many n-grams were shared."""
    shift = shift_of(table.keys)
    kept, shared = 0, 0
    for index in range(alive):
        at = np.uint64(course.places[index]) + np.uint64(n)
        if at >= np.uint64(len(text)):
            continue
        key = (np.uint64(course.own[index]) << HALF) | np.uint64(text[at])
        slot = slot_of(table.keys, key, shift)
        if table.keys[slot] == EMPTY:
            continue
        if table.most[slot] > 0:
            table.most[slot] -= np.uint32(1)
            shared += 1
        course.own[kept], course.places[kept] = slot, course.places[index]
        kept += 1
    return kept, shared


@kernel
def shift_of(keys: NDArray[np.uint64]) -> np.uint64:
    """By how much the 64 bits of a hash are shifted to be an index of the keys."""
    shift, size = np.uint64(64), len(keys)
    while size > 1:
        shift, size = shift - ONE, size >> 1
    return shift


@kernel
def slot_of(keys: NDArray[np.uint64], key: np.uint64, shift: np.uint64) -> np.uint64:
    """The slot of a key, or the empty slot where it belongs (linear probing)."""
    slot = (key * GOLDEN) >> shift
    while keys[slot] not in (key, EMPTY):
        slot = (slot + ONE) & np.uint64(len(keys) - 1)
    return slot


@kernel
def shared_words(
    words: Ints, starts: Ints, references: Ints, reference_starts: Ints, firsts: Ints
) -> Ints:
    """How many words of its hypothesis each reference has, each of its words counting once.

    Words are numbers from 0. Hypothesis i has those from `starts[i]` to `starts[i + 1]`, and the
    references from `firsts[i]` to `firsts[i + 1]`, whose words are given in the same way.
    """
    free = free_seats(references)
    found = np.zeros(len(reference_starts) - 1, np.int64)
    for i in range(len(firsts) - 1):
        hypothesis = words[starts[i] : starts[i + 1]]
        for k in range(firsts[i], firsts[i + 1]):
            reference = references[reference_starts[k] : reference_starts[k + 1]]
            found[k] = overlap(hypothesis, reference, free)
    return found
