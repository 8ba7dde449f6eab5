"""Charts: the figures of results drawn as SVG, with their words in the reader's language.

Statistics draw in English; `locales/<language>/charts.yaml` has the translations of titles and axes
by their English text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from jurat.i18n import Language, catalogue
from jurat.report.labels import WAYS
from jurat.report.svg.canvas import Palette
from jurat.report.svg.figure import draw
from jurat.web.coordinator.translated_findings import finding

if TYPE_CHECKING:
    from jurat.results import Figure

NUMBER = re.compile(r"\d+")
LABEL = re.compile(r">(?P<sign>[-−+]?)(?P<number>\d[\d,]*\.(?P<places>\d+))<")
REMARK = re.compile(r'(?<=<p class="rem">)[^<]+|(?<=<p class="axis">)[^<]+')
TITLE = "title"
SIDES = ("side", "towards")


def chart(figure: Figure, systems: Sequence[str], language: Language) -> Markup:
    """A figure as SVG; a system has the same colour in all figures with the same `systems`."""
    drawn = draw(captioned(figure, language), Palette(tuple(systems)))
    drawn = LABEL.sub(lambda found: label(found, language), drawn)
    drawn = REMARK.sub(lambda found: _remark(found, language), drawn)
    # `draw` escapes every text of the figure
    return Markup(drawn)  # noqa: S704


def label(found: re.Match[str], language: Language) -> str:
    """A number that a chart shows as a text of its own, as the language writes it."""
    sign, number = found["sign"].replace("-", "−"), found["number"].replace(",", "")
    places = found["places"]
    return f">{sign}{language.decimal(float(number), len(places))}<"


def _remark(found: re.Match[str], language: Language) -> str:
    """What a chart says below itself, of its shades and lines; axes are translated already."""
    return finding(found[0], language) or found[0]


def caption(text: str, code: str) -> str | None:
    """A title of a chart in a language; None if it is not translated."""
    known = captions(code)
    # tried in turn: with its first number as `{n}`, as it stands, and after a name and a colon
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
    """The translations of titles and axes into a language, by their English text."""
    words = catalogue("charts", code)
    return {english: said for english, said in words.items() if isinstance(said, str)}


def _said(name: str, part: Any, language: Language) -> Any:
    match part:
        case str() if name == TITLE or name in SIDES:
            return caption(part, language.code) or part
        # other values are names of systems and judges, and answers, which are not translated
        case str() if name in WAYS:
            way = f"desk-way-{part}"
            return language.say(way) if way in language.keys else part
        case dict():
            return {name: _said(name, one, language) for name, one in part.items()}
        case list():
            return [_said(name, one, language) for one in part]
    return part
