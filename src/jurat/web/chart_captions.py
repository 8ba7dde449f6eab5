"""Titles and axes of charts in the reader's language.

Statistics draw in English; `locales/<language>/charts.yaml` has the translations by the English
text. The name of a statistic is the same in every language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from jurat.i18n import Language, catalogue

if TYPE_CHECKING:
    from jurat.results import Figure

NUMBER = re.compile(r"\d+")
TITLE = "title"
SIDES = ("side", "towards")
# Columns of a figure's data whose values are words, and neither names nor answers.
WAYS = ("way", "way_a", "way_b")


def caption(text: str, code: str) -> str | None:
    """The words in a language; None where it has none, and the English ones stay."""
    known = captions(code)
    number = NUMBER.search(text)
    if number and (found := known.get(NUMBER.sub("{n}", text, count=1))):
        return found.format(n=number[0])
    if text in known:
        return known[text]
    name, colon, rest = text.partition(": ")
    said = known.get(rest) if colon else None
    return f"{name}: {said}" if said else None


def captioned(figure: Figure, language: Language) -> Figure:
    """A figure with its words in a language."""
    if not captions(language.code):
        return figure
    said: Figure = _said("", figure, language)
    return said


@cache
def captions(code: str) -> Mapping[str, str]:
    """Everything that is known in a language, by the English words."""
    words = catalogue("charts", code)
    return {english: said for english, said in words.items() if isinstance(said, str)}


def _said(name: str, part: Any, language: Language) -> Any:
    match part:
        case str() if name == TITLE or name in SIDES:
            return caption(part, language.code) or part
        case str() if name in WAYS:
            way = f"desk-way-{part}"
            return language.say(way) if way in language.keys else part
        case dict():
            return {name: _said(name, one, language) for name, one in part.items()}
        case list():
            return [_said(name, one, language) for one in part]
    return part
