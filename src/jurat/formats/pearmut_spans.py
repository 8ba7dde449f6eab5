"""Pearmut's spans: UTF-16 code units with the last one as the end, or special tokens.

A span that begins n units after the end of its text is the special token of the number n.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from jurat.formats.offsets import code_points, utf16_length

# The special token that every campaign has in which errors are marked: something is missing.
MISSING = "[missing]"


class PearmutSpan(msgspec.Struct, gc=False):
    """A marked error as files have it."""

    start_i: int
    end_i: int
    severity: str | None = None
    category: str | None = None


class SpanPlace(NamedTuple):
    """Where an error is, in code points; at the end of the text if it is a special token.

    The name of the token is its category; something missing has the category that was chosen, if
    any was.
    """

    start: int
    end: int
    category: str | None
    missing: bool


def span_places(spans: Sequence[PearmutSpan], text: str, tokens: Sequence[str]) -> list[SpanPlace]:
    """The places of the spans of a text; `tokens` are the names of the special tokens."""
    length, units = len(text), utf16_length(text)
    found = []
    for span in spans:
        start, end = span.start_i, span.end_i + 1
        if start >= units:
            token = _token(start - units, tokens)
            # in MQM, what is missing has a category, too
            is_missing = token == MISSING or (start == units and not tokens)
            named = span.category if is_missing else token
            found.append(SpanPlace(length, length, named or None, True))
            continue
        if units > length:
            start, end = code_points(text, start), code_points(text, end)
        found.append(SpanPlace(start, min(end, length), span.category, False))
    return found


def _token(number: int, tokens: Sequence[str]) -> str:
    return tokens[number] if number < len(tokens) else f"special token {number + 1}"
