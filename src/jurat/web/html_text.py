"""How texts are written: from which side, and to the last sign as they are."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from babel import Locale, UnknownLocaleError
from markupsafe import Markup, escape

from jurat.web.highlight import Piece


@cache
def direction(language: str) -> str:
    """From which side a language is written; `auto`, by the text itself, where that is unknown."""
    try:
        return str(Locale.parse(language.replace("-", "_")).text_direction)
    except (ValueError, UnknownLocaleError):
        return "auto"


def exact(text: str) -> Markup:
    """A text in a page, sign by sign: a browser reads a bare carriage return as something else.

    Places in the text are counted on both sides, and must not differ.
    """
    return Markup(_exact(text))  # noqa: S704


def marked(pieces: Iterable[Piece]) -> Markup:
    """A text in pieces, those that are shaded within marks."""
    parts = [
        f'<mark class="{piece.shade}">{_exact(piece.text)}</mark>'
        if piece.shade
        else _exact(piece.text)
        for piece in pieces
    ]
    return Markup("".join(parts))  # noqa: S704


def _exact(text: str) -> str:
    return str(escape(text)).replace("\r", "&#13;")
