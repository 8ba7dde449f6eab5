"""Where words are in a text of any script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
"""Scripts that are written without blanks, as their signs' names begin."""
JOINERS = ("\u200c", "\u200d")
"""Invisible signs within words of Indian and Arabic scripts."""


def words(text: str) -> Iterator[tuple[int, int]]:
    """Where words are, in code points: runs of letters, marks and digits.

    Scripts that are written without blanks have no such runs: each of their signs is a word.
    """
    return (found.span() for found in _WORD.finditer(text.translate(_KINDS)))


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Everything that can be pointed at: the words, and between them each sign but blanks."""
    at = 0
    for start, end in (*words(text), (len(text), len(text))):
        yield from ((n, n + 1) for n in range(at, start) if not text[n].isspace())
        if end > start:
            yield start, end
        at = end


class _Kinds(dict[int, str]):
    """What each sign is to words, found when it is first met; a text is looked up at once."""

    def __missing__(self, code: int) -> str:
        kind = self[code] = kind_of(chr(code))
        return kind


RUN, SIGN, OTHER = "rs "
"""A part of a run, a word by itself, or none of a word."""
_WORD = re.compile(f"{RUN}+|{SIGN}")


def kind_of(sign: str) -> str:
    """What a sign is to words: `RUN`, `SIGN` or `OTHER`."""
    if unicodedata.category(sign)[0] not in "LMN" and sign not in JOINERS:
        return OTHER
    return SIGN if unicodedata.name(sign, "").startswith(UNSPACED) else RUN


_KINDS = _Kinds()
