"""Splitting texts into words by what each character does, and numbering the words.

Texts are arrays of code points, one text after the other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jurat.metrics._kernels import BLANK, DASH, LETTER, NUMBER, SINGLE, STOP, kernel

Codes = NDArray[np.uint32]
Places = NDArray[np.int64]


def code_points(texts: Sequence[str]) -> tuple[Codes, Places]:
    """The code points of all texts, and where each text begins; lone surrogates are kept."""
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=offsets[1:])
    return np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32), offsets


@kernel
def without(
    codes: Codes, offsets: Places, kinds: NDArray[np.uint8], kind: int
) -> tuple[Codes, Places]:
    """The same texts without the characters of a kind."""
    left = np.empty(len(codes), np.uint32)
    places = np.empty(len(offsets), np.int64)
    places[0] = kept = 0
    for text in range(len(offsets) - 1):
        for at in range(offsets[text], offsets[text + 1]):
            left[kept] = codes[at]
            kept += kinds[codes[at]] != kind
        places[text + 1] = kept
    return left[:kept].copy(), places


EMPTY = np.uint32(0xFFFFFFFF)
# The hash of Fowler, Noll and Vo.
BASIS = np.uint64(14695981039346656037)
PRIME = np.uint64(1099511628211)


@kernel
def find_words(
    codes: Codes, offsets: Places, kinds: NDArray[np.uint8], padded: bool
) -> tuple[Places, Places, Places]:
    """Where words begin and end, and which is the first word of each text."""
    starts = np.empty(len(codes), np.int64)
    ends = np.empty(len(codes), np.int64)
    firsts = np.empty(len(offsets), np.int64)
    # A stop next to a number is no word by itself, nor is one at the edge of a text.
    edge = BLANK if padded else NUMBER
    found = 0
    for text in range(len(offsets) - 1):
        firsts[text] = found
        begin, end = offsets[text], offsets[text + 1]
        while end > begin and kinds[codes[end - 1]] == BLANK:
            end -= 1
        before, taken = edge, False
        within = False
        for at in range(begin, end):
            kind = kinds[codes[at]]
            if kind in (LETTER, NUMBER):
                alone = False
            elif kind == STOP:
                # As in mteval's regular expressions: a match includes the character before the
                # stop, and one match cannot begin within another.
                taken = before != NUMBER and not (before == STOP and taken)
                after = kinds[codes[at + 1]] if at + 1 < end else edge
                alone = taken or after != NUMBER
            else:
                alone = kind == SINGLE or (kind == DASH and before == NUMBER and at > begin)
            if within and (alone or kind == BLANK):
                ends[found] = at
                found += 1
                within = False
            if alone:
                starts[found], ends[found] = at, at + 1
                found += 1
            elif kind != BLANK and not within:
                starts[found] = at
                within = True
            before = kind
        if within:
            ends[found] = end
            found += 1
    firsts[-1] = found
    return starts[:found].copy(), ends[:found].copy(), firsts


@kernel
def number_words(codes: Codes, starts: Places, ends: Places) -> Places:
    """Equal numbers for equal words, from 0 in the order of their first appearance."""
    # A hash table with open addressing, at most half full so that few words collide.
    size = 16
    while size < 2 * len(starts):
        size *= 2
    table = np.full(size, EMPTY, np.uint32)
    ids = np.empty(len(starts), np.int64)
    known = 0
    for word in range(len(starts)):
        spelling = codes[starts[word] : ends[word]]
        key = BASIS
        for sign in spelling:
            key = (key ^ np.uint64(sign)) * PRIME
        slot = key ^ (key >> np.uint64(32))
        while True:
            slot &= np.uint64(size - 1)
            other = table[slot]
            if other == EMPTY:
                table[slot], ids[word] = word, known
                known += 1
                break
            if same(spelling, codes[starts[other] : ends[other]]):
                ids[word] = ids[other]
                break
            slot += np.uint64(1)
    return ids


@kernel
def same(one: Codes, other: Codes) -> bool:
    """Whether two words are spelled alike."""
    same_signs = len(one) == len(other)
    at = 0
    while same_signs and at < len(one):
        same_signs = one[at] == other[at]
        at += 1
    return same_signs
