"""Positions in texts: other tools count UTF-16 code units, Jurat counts code points."""

from __future__ import annotations

import re
from functools import lru_cache

# Characters that take two code units.
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def code_points(text: str, units: int) -> int:
    """The number of code points in the first `units` UTF-16 code units of a text.

    A position within a character that takes two units counts as the character's beginning.
    """
    encoded = _encoded(text)
    # texts without characters beyond U+FFFF, the common case, have one unit a code point
    if len(encoded) == 2 * len(text):
        return min(units, len(text))
    return len(encoded[: 2 * units].decode("utf-16-le", errors="ignore"))


def code_units(text: str, points: int) -> int:
    """The number of UTF-16 code units in the first `points` code points of a text."""
    return utf16_length(text[:points])


def utf16_length(text: str) -> int:
    """The length of a text in UTF-16 code units."""
    # a search is quicker than encoding the text, and most texts have no such character
    return len(text) if _ASTRAL.search(text) is None else len(_encoded(text)) // 2


@lru_cache(maxsize=64)
def _encoded(text: str) -> bytes:
    # a text is asked about several times in a row, once for each of its spans
    return text.encode("utf-16-le", errors="surrogatepass")
