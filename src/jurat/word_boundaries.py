"""Finds words in texts of any script, by Unicode's character categories."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# Scripts written without spaces, by the beginning of Unicode's names of their characters.
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
# The zero-width non-joiner and joiner, which occur within words of Indic and Arabic scripts.
JOINERS = ("\u200c", "\u200d")


def words(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each word, in code points: a run of letters, marks and digits.

    In scripts that are written without spaces, each character counts as a word.
    """
    return (found.span() for found in _WORD.finditer(text.translate(_KINDS)))


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of what a judge can mark: words, and other characters except white space."""
    at = 0
    for start, end in (*words(text), (len(text), len(text))):
        yield from ((n, n + 1) for n in range(at, start) if not text[n].isspace())
        if end > start:
            yield start, end
        at = end


class _Kinds(dict[int, str]):
    """The class of each code point, computed on first use, for `str.translate`."""

    def __missing__(self, code: int) -> str:
        kind = self[code] = kind_of(chr(code))
        return kind


# A character within a word, one that is a word by itself, and one that belongs to no word.
RUN, SIGN, OTHER = "rs "
_WORD = re.compile(f"{RUN}+|{SIGN}")


def kind_of(sign: str) -> str:
    """The class of a character: `RUN`, `SIGN` or `OTHER`."""
    if unicodedata.category(sign)[0] not in "LMN" and sign not in JOINERS:
        return OTHER
    return SIGN if unicodedata.name(sign, "").startswith(UNSPACED) else RUN


_KINDS = _Kinds()
