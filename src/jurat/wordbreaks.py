"""Where words are in a text of any script."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
"""Scripts that are written without blanks, as their signs' names begin."""
JOINERS = ("\u200c", "\u200d")
"""Invisible signs within words of Indian and Arabic scripts."""


def words(text: str) -> Iterator[tuple[int, int]]:
    """Where words are, in code points: runs of letters, marks and digits.

    Scripts that are written without blanks have no such runs: each of their signs is a word.
    """
    start = 0
    for end in range(len(text) + 1):
        kind = _kind(text[end]) if end < len(text) else ""
        if kind == "run":
            continue
        if end > start:
            yield start, end
        if kind == "sign":
            yield end, end + 1
        start = end + 1


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Everything that can be pointed at: the words, and between them each sign but blanks."""
    at = 0
    for start, end in (*words(text), (len(text), len(text))):
        yield from ((n, n + 1) for n in range(at, start) if not text[n].isspace())
        if end > start:
            yield start, end
        at = end


@lru_cache(maxsize=1 << 14)
def _kind(sign: str) -> str:
    """Whether a sign is part of a run, a word by itself, or none of a word."""
    if unicodedata.category(sign)[0] not in "LMN" and sign not in JOINERS:
        return ""
    name = unicodedata.name(sign, "")
    return "sign" if name.startswith(UNSPACED) else "run"
