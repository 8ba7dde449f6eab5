"""Texts in pages: their writing direction, and HTML that keeps every character."""

from __future__ import annotations

from functools import cache

from babel import Locale, UnknownLocaleError
from markupsafe import Markup, escape


@cache
def direction(language: str) -> str:
    """The writing direction of a language, `ltr` or `rtl`; `auto` for unknown languages."""
    try:
        return str(Locale.parse(language.replace("-", "_")).text_direction)
    except (ValueError, UnknownLocaleError):
        return "auto"


def exact(text: str) -> Markup:
    """A text as HTML that keeps every character, also carriage returns, which browsers convert.

    Positions of marked errors are counted in the browser and on the server, and must agree.
    """
    # a browser's parser turns a carriage return into a line feed, but not its character reference
    return Markup(str(escape(text)).replace("\r", "&#13;"))  # noqa: S704
