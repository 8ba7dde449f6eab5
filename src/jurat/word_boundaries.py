"""Finds words in a text of any script, by Unicode's character categories."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# Scripts that are written without blanks, by how Unicode's names of their characters begin.
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
# The zero-width joiner and non-joiner, which occur within words of Indian and Arabic scripts.
JOINERS = ("\u200c", "\u200d")


def words(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each word, in code points: a run of letters, marks and digits.

    In scripts that are written without blanks, each character counts as a word.
    """
    return (found.span() for found in _WORD.finditer(text.translate(_KINDS)))


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of everything that a judge can mark: words, and other characters but blanks."""
    at = 0
    for start, end in (*words(text), (len(text), len(text))):
        yield from ((n, n + 1) for n in range(at, start) if not text[n].isspace())
        if end > start:
            yield start, end
        at = end


class _Kinds(dict[int, str]):
    """The class of each code point, computed when first met, for `str.translate`."""

    def __missing__(self, code: int) -> str:
        kind = self[code] = kind_of(chr(code))
        return kind


# A character within a word, one that is a word by itself, one that is in no word.
RUN, SIGN, OTHER = "rs "
_WORD = re.compile(f"{RUN}+|{SIGN}")


def kind_of(sign: str) -> str:
    """The class of a character: `RUN`, `SIGN` or `OTHER`."""
    if unicodedata.category(sign)[0] not in "LMN" and sign not in JOINERS:
        return OTHER
    return SIGN if unicodedata.name(sign, "").startswith(UNSPACED) else RUN


_KINDS = _Kinds()
