"""All rows of all files, checked as one whole and made into a test set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from jurat.faults import Fault, refuse
from jurat.formats.checks import CHECKS, frame, nothing_to_judge
from jurat.formats.ledger import Ledger, Subject
from jurat.formats.rows import DocumentLine, Entry, Row
from jurat.formats.text import tidy
from jurat.formats.versions import Key, Version, placed, versions
from jurat.model import (
    Document,
    ReadingQuestion,
    Segment,
    System,
    TestSet,
    Translation,
)
from jurat.parts import with_languages

MOST_FAULTS = 10_000


def assemble(rows: Sequence[Row], *, unreadable: bool = False) -> TestSet:
    """The test set of the rows, or every fault there is.

    Where a file was `unreadable` its content is unknown, and what only it may hold is not missed.
    """
    faults = [row for row in rows if isinstance(row, Fault)]
    entries, misplaced = placed(
        [row for row in rows if isinstance(row, Entry)],
        [row for row in rows if isinstance(row, DocumentLine)],
    )
    found = versions(entries)
    ledger = Ledger()
    for row in rows:
        ledger.take(row)
    faults += misplaced
    faults += [fault for check in CHECKS for fault in check(found)]
    faults += ledger.faults
    if not unreadable and not misplaced:
        faults += [*nothing_to_judge(found), *_unfounded(ledger, found)]
    refuse(_readable(faults))
    return with_languages(_Builder(found, ledger).test_set())


def _readable(faults: list[Fault]) -> list[Fault]:
    """As many faults as anybody may want to read."""
    if len(faults) <= MOST_FAULTS:
        return faults
    rest = Fault(message=f"there are {len(faults) - MOST_FAULTS:,} faults more")
    return [*faults[:MOST_FAULTS], rest]


def _unfounded(ledger: Ledger, found: Sequence[Version]) -> Iterator[Fault]:
    """Documents, segments and systems of which something is said but no text is there."""
    keys = frame(found)
    known: set[Subject] = {("set",), *(("document", document) for document, _ in keys)}
    known |= {("segment", *key) for key in keys}
    known |= {("system", version.name) for version in found if version.kind == "system"}
    references = {version.name for version in found if version.kind == "reference"}
    for subject, spot in ledger.subjects():
        if subject not in known:
            name = subject[-1]
            yield spot.fault(f"the {subject[0]} '{name}' is declared here, but has no texts")
        own = ledger.fact(subject, "reference")
        if own is not None and own not in references:
            yield spot.fault(f"system {subject[-1]} is said to be reference {own}, which is absent")


class _Builder:
    """Puts versions and facts together, once they are known to fit."""

    def __init__(self, found: Sequence[Version], ledger: Ledger) -> None:
        self.ledger = ledger
        self.source = next((v for v in found if v.kind == "source"), None)
        self.references = [v for v in found if v.kind == "reference"]
        self.systems = [v for v in found if v.kind == "system"]
        self.documents: dict[str, list[Key]] = {}
        for key in frame(found):
            self.documents.setdefault(key[0], []).append(key)

    def test_set(self) -> TestSet:
        return TestSet(
            name=self.ledger.text(("set",), "name"),
            source_language=self.ledger.text(("set",), "source language"),
            target_language=self.ledger.text(("set",), "target language"),
            documents=tuple(self._document(*both) for both in self.documents.items()),
            systems=tuple(self._ordered_systems()),
            references=tuple(version.name for version in self.references),
        )

    def _document(self, name: str, keys: Sequence[Key]) -> Document:
        subject = ("document", name)
        questions = self.ledger.fact(subject, "comprehension") or ()
        return Document(
            id=name,
            segments=tuple(map(self._segment, keys)),
            source_language=self.ledger.text(subject, "source language"),
            tags=self.ledger.tags(subject),
            comprehension=cast("tuple[ReadingQuestion, ...]", questions),
        )

    def _segment(self, key: Key) -> Segment:
        concepts = self.ledger.fact(("segment", *key), "concepts") or ()
        return Segment(
            id=key[1],
            source=self.source.entries[key].text if self.source else None,
            references={v.name: v.entries[key].text for v in self.references},
            translations={v.name: _translation(v.entries[key]) for v in self.systems},
            tags=self.ledger.tags(("segment", *key)),
            concepts=cast("tuple[str, ...]", concepts),
        )

    def _ordered_systems(self) -> Iterator[System]:
        """Systems in the order in which they were declared; then those that only appear."""
        declared = [subject[1] for subject in self.ledger.facts if subject[0] == "system"]
        for name in dict.fromkeys([*declared, *(version.name for version in self.systems)]):
            yield self._system(name)

    def _system(self, name: str) -> System:
        subject = ("system", name)
        own = self.ledger.fact(subject, "reference")
        return System(
            name=name,
            kind="human" if self.ledger.text(subject, "kind") == "human" else "machine",
            site=self.ledger.text(subject, "site"),
            reference=None if own is None else str(own),
            tags=self.ledger.tags(subject),
        )


def _translation(entry: Entry) -> Translation:
    return Translation(entry.text, _said(entry.tags))


def _said(tags: Mapping[str, str]) -> dict[str, str]:
    pairs = ((tidy(name), tidy(value)) for name, value in tags.items())
    return {name: value for name, value in pairs if value}
