"""The shifts of words that TER tries, and the one of them that pays best.

A shift's distance is computed from the first word that changes its place, and only where it could
be the best.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.metrics.kernels import kernel
from jurat.metrics.kernels.beam import Rows, is_wide, next_row, total
from jurat.metrics.kernels.edits import Bits, Ints
from jurat.metrics.kernels.wide_beam import table_of

LONGEST = 10
"""Words that are shifted together."""
FURTHEST = 50
"""Places between a shifted word and its like in the reference."""
TRIALS = 1000
"""Shifts that are tried for one hypothesis; where they run out, the round's best is not made."""

PLACE = np.dtype(
    [
        ("after", np.int64),  # hypothesis words that account for so many of the reference
        ("wrong", np.int64),  # the first wrong word of the hypothesis from here on
        ("missed", np.int64),  # the first word of the reference from here on that it misses
        ("next", np.int64),  # where the reference has the same word again, or its end
    ]
)
SHIFT = np.dtype([("start", np.int64), ("length", np.int64), ("target", np.int64)])
"""Words from `start` on, as many as `length`, go to `target`."""
Records = NDArray[np.void]


class Pair(NamedTuple):
    """A hypothesis and its reference, by the seats of their words."""

    hypothesis: Ints
    reference: Ints
    masks: Bits
    firsts: Ints
    """Where the reference has each word first, or its end."""


@kernel
def collect(pair: Pair, places: Records, shifts: Records, tried: np.int64) -> tuple[int, np.int64]:
    """List the shifts to be tried; how many are listed, and how many count as tried by now.

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
def choose(pair: Pair, rows: Rows, shifts: Records, now: int, least: int) -> np.int64:
    """The shift that saves most, then the longest, the first, to the first target; -1 for none."""
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
def shifted_rows(pair: Pair, rows: Rows, a: int, b: int, c: int) -> int:
    """The distance once two neighbours have changed places."""
    words = pair.hypothesis
    rise, fall, base = rows[a].rise, rows[a].fall, rows[a].base
    for i in range(a, len(words)):
        at = i if i >= c else i + b - a if i < a + c - b else i + b - c
        rise, fall, base, _ = next_row(rows[i + 1], pair.masks[words[at]], rise, fall, base)
    return total(rows, len(pair.reference), rise, fall, base)


@kernel
def shifted_table(pair: Pair, a: int, b: int, c: int) -> int:
    """The same in the wider beam."""
    shifted = pair.hypothesis.copy()
    swap(shifted, a, b, c)
    return int(table_of(shifted, pair.reference)[len(shifted), len(pair.reference)])


@kernel
def swap(words: Ints, a: int, b: int, c: int) -> None:
    """Let two neighbours change places."""
    before = words[a:c].copy()
    for k in range(c - a):
        words[a + k] = before[(k + b - a) % (c - a)]
