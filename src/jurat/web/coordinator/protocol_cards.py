"""Protocols to choose from, as cards: a sketch, what is asked, how long it takes, for whom."""

from __future__ import annotations

from typing import Literal, NamedTuple

from jurat import protocols
from jurat.kits.expected_time import typical_seconds
from jurat.protocols import Protocol
from jurat.protocols.localization import in_language

# Those that most campaigns choose, in this order; the others are folded.
FREQUENT = ("tapet-adequacy", "preference", "esa", "mqm", "da", "ranking")
# The names by which the field knows protocols, by the first part of theirs.
ACRONYMS = {
    "da": "DA",
    "esa": "ESA",
    "heval": "HEval",
    "ldc": "LDC",
    "mqm": "MQM",
    "sqm": "SQM",
    "tapet": "TAP-ET",
    "tcstar": "TC-STAR",
}
# Translations on one screen that the sketch and the estimated time assume.
TRANSLATIONS = {"one": 1, "two": 2, "all": 4}
# Kinds of question that the sketch can show.
SKETCHED = ("scale", "slider", "choice", "preference", "ranking", "spans", "text", "post-edit")

Audience = Literal["target", "both"]


class ProtocolCard(NamedTuple):
    """What a coordinator sees of a protocol before they choose it."""

    name: str
    title: str
    acronym: str
    asks: str
    """The first question, in the reader's language."""
    seconds: float
    """Expected, for one item."""
    audience: Audience
    """Who can judge: readers of the target language, or of both languages."""
    translations: int
    kinds: tuple[str, ...]
    """The kinds of its questions, each once."""

    @property
    def sketched(self) -> str:
        """The kind of question that the sketch shows."""
        return next((kind for kind in self.kinds if kind in SKETCHED), "choice")


def protocol_cards(language: str) -> list[ProtocolCard]:
    """The shipped protocols, the frequent ones first, the others by title."""
    cards = {name: _card(in_language(protocols.load(name), language)) for name in protocols.names()}
    frequent = [cards.pop(name) for name in FREQUENT]
    return [*frequent, *sorted(cards.values(), key=lambda card: card.title.casefold())]


def needs_source(protocol: Protocol) -> bool:
    """Whether judges have to read the source: nothing else shows what a translation should say."""
    shown = {text for stage in protocol.stages for text in stage.show}
    return "source" in shown and not shown & {"reference", "references"}


def _card(protocol: Protocol) -> ProtocolCard:
    first = next(iter(protocol.questions.values()))
    ask = first.ask if isinstance(first.ask, str) else next(iter(first.ask.values()))
    translations = TRANSLATIONS[protocol.systems]
    return ProtocolCard(
        name=protocol.name,
        title=protocol.title,
        acronym=ACRONYMS.get(protocol.name.partition("-")[0], ""),
        asks=ask,
        seconds=typical_seconds(protocol, translations),
        audience="both" if needs_source(protocol) else "target",
        translations=translations,
        kinds=tuple(dict.fromkeys(question.name for question in protocol.questions.values())),
    )
