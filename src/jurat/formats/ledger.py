"""What files say about a set, its documents, segments and systems; two may not contradict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from jurat.faults import Fault
from jurat.formats.rows import DocumentFacts, Row, SegmentFacts, SetFacts, Spot, SystemFacts
from jurat.formats.text import tidy, wrong_character
from jurat.model import ReadingQuestion, Tags

Subject: TypeAlias = "tuple[str, ...]"
"""`("set",)`, `("document", id)`, `("segment", document, id)` or `("system", name)`."""

_TAG = "tag "


class Ledger:
    """Facts by subject and field, each with the place where it was first said."""

    def __init__(self) -> None:
        self.facts: dict[Subject, dict[str, tuple[object, Spot]]] = {}
        self.spots: dict[Subject, Spot] = {}
        self.faults: list[Fault] = []

    def take(self, row: Row) -> None:
        """Note the facts of a row."""
        match row:
            case SetFacts(spot=spot):
                self._note(("set",), "name", row.name, spot)
                self._note(("set",), "source language", row.source_language, spot)
                self._note(("set",), "target language", row.target_language, spot)
            case DocumentFacts(spot=spot):
                subject: Subject = ("document", tidy(row.document))
                self._note(subject, "source language", row.source_language, spot)
                self._note(subject, "comprehension", row.comprehension, spot)
                self._tags(subject, row.tags, spot)
            case SegmentFacts(spot=spot):
                subject = ("segment", tidy(row.document), tidy(row.segment))
                self._note(subject, "concepts", row.concepts, spot)
                self._tags(subject, row.tags, spot)
            case SystemFacts(spot=spot, system=system):
                subject = ("system", tidy(system.name))
                self._note(subject, "kind", system.kind, spot)
                self._note(subject, "site", system.site, spot)
                self._note(subject, "reference", system.reference, spot)
                self._tags(subject, system.tags, spot)

    def text(self, subject: Subject, field: str) -> str:
        """A fact that is a text; empty where nothing was said."""
        value = self.fact(subject, field)
        return "" if value is None else str(value)

    def fact(self, subject: Subject, field: str) -> object:
        """A fact, or None."""
        return self.facts.get(subject, {}).get(field, (None,))[0]

    def tags(self, subject: Subject) -> Tags:
        """The tags of a subject."""
        fields = self.facts.get(subject, {})
        return {k.removeprefix(_TAG): str(v) for k, (v, _) in fields.items() if k.startswith(_TAG)}

    def subjects(self) -> Iterator[tuple[Subject, Spot]]:
        """All that something was said about, and where first."""
        yield from self.spots.items()

    def _tags(self, subject: Subject, tags: Mapping[str, str], spot: Spot) -> None:
        for name, value in tags.items():
            self._note(subject, _TAG + tidy(name), value, spot)

    def _note(self, subject: Subject, field: str, value: object, spot: Spot) -> None:
        fields = self.facts.setdefault(subject, {})
        self.spots.setdefault(subject, spot)
        if isinstance(value, str):
            value = tidy(value)
        if value in ("", (), None):
            return
        said, before = fields.setdefault(field, (value, spot))
        if said != value:
            shown = f"'{value}' here, but '{said}'" if isinstance(value, str) else "not the one"
            message = f"the {field} of the {_what(subject)} is {shown} at {before}"
            self.faults.append(_fault(message, subject, spot))
        elif before is spot:
            self._check_characters(subject, field, value, spot)

    def _check_characters(self, subject: Subject, field: str, value: object, spot: Spot) -> None:
        for wrong in filter(None, map(wrong_character, (field, *_texts(value)))):
            message = f"there is {wrong} in the {field} of the {_what(subject)}"
            self.faults.append(_fault(message, subject, spot))


def _texts(value: object) -> Iterator[str]:
    """All texts in a fact, which may be a text, concepts, or questions with their options."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, ReadingQuestion):
        yield from (value.ask, *value.options)
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)


def _what(subject: Subject) -> str:
    return "test set" if subject[0] == "set" else subject[0]


def _fault(message: str, subject: Subject, spot: Spot) -> Fault:
    if subject[0] in ("set", "system"):
        return spot.fault(message)
    _, document, *segment = subject
    return spot.fault(message, document=document, segment=segment[0] if segment else None)
