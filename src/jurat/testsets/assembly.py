"""Makes a test set from the rows of all files, after checking them together.

Files may state the same fact (a name, a language, a tag) twice, but not contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from jurat.errors import Problem, raise_problems
from jurat.model import (
    Document,
    ReadingQuestion,
    Segment,
    System,
    Tags,
    TestSet,
    Translation,
)
from jurat.testset_filter import with_languages
from jurat.testsets.base import (
    DocumentFacts,
    DocumentLine,
    Location,
    Row,
    SegmentFacts,
    SetFacts,
    SystemFacts,
    TextEntry,
    tidy,
    wrong_character,
)
from jurat.testsets.validate import (
    CHECKS,
    Key,
    TextVersion,
    frame,
    nothing_to_judge,
    placed,
    versions,
)

# `("set",)`, `("document", id)`, `("segment", document, id)` or `("system", name)`.
Subject: TypeAlias = "tuple[str, ...]"

_TAG = "tag "


class FactTable:
    """Facts by subject and field, each with the place where it was first stated."""

    def __init__(self) -> None:
        self.facts: dict[Subject, dict[str, tuple[object, Location]]] = {}
        self.locations: dict[Subject, Location] = {}
        self.problems: list[Problem] = []

    def take(self, row: Row) -> None:
        """Add the facts of a row, and a problem for each that contradicts an earlier one."""
        match row:
            case SetFacts(location=location):
                self._note(("set",), "name", row.name, location)
                self._note(("set",), "source language", row.source_language, location)
                self._note(("set",), "target language", row.target_language, location)
            case DocumentFacts(location=location):
                subject: Subject = ("document", tidy(row.document))
                self._note(subject, "source language", row.source_language, location)
                self._note(subject, "comprehension", row.comprehension, location)
                self._tags(subject, row.tags, location)
            case SegmentFacts(location=location):
                subject = ("segment", tidy(row.document), tidy(row.segment))
                self._note(subject, "concepts", row.concepts, location)
                self._tags(subject, row.tags, location)
            case SystemFacts(location=location, system=system):
                subject = ("system", tidy(system.name))
                self._note(subject, "kind", system.kind, location)
                self._note(subject, "site", system.site, location)
                self._note(subject, "reference", system.reference, location)
                self._tags(subject, system.tags, location)

    def text(self, subject: Subject, field: str) -> str:
        """A fact that is a text; empty if it is unknown."""
        value = self.fact(subject, field)
        return "" if value is None else str(value)

    def fact(self, subject: Subject, field: str) -> object:
        """A fact; None if it is unknown."""
        return self.facts.get(subject, {}).get(field, (None,))[0]

    def tags(self, subject: Subject) -> Tags:
        """The tags of a subject."""
        fields = self.facts.get(subject, {})
        return {k.removeprefix(_TAG): str(v) for k, (v, _) in fields.items() if k.startswith(_TAG)}

    def subjects(self) -> Iterator[tuple[Subject, Location]]:
        """All subjects, each with the place where it was first mentioned."""
        yield from self.locations.items()

    def _tags(self, subject: Subject, tags: Mapping[str, str], location: Location) -> None:
        for name, value in tags.items():
            self._note(subject, _TAG + tidy(name), value, location)

    def _note(self, subject: Subject, field: str, value: object, location: Location) -> None:
        fields = self.facts.setdefault(subject, {})
        # also without a value: a document that is only mentioned must have texts as well
        self.locations.setdefault(subject, location)
        if isinstance(value, str):
            value = tidy(value)
        # unknown, which contradicts nothing
        if value in ("", (), None):
            return
        said, before = fields.setdefault(field, (value, location))
        if said != value:
            shown = f"'{value}' here, but '{said}'" if isinstance(value, str) else "not the one"
            message = f"the {field} of the {_what(subject)} is {shown} at {before}"
            self.problems.append(_problem(message, subject, location))
        # only when the fact is new, or each repetition would repeat the problem
        elif before is location:
            self._check_characters(subject, field, value, location)

    def _check_characters(
        self, subject: Subject, field: str, value: object, location: Location
    ) -> None:
        for wrong in filter(None, map(wrong_character, (field, *_texts(value)))):
            message = f"there is {wrong} in the {field} of the {_what(subject)}"
            self.problems.append(_problem(message, subject, location))


def _texts(value: object) -> Iterator[str]:
    """The texts in a fact, which may be a text, concepts, or questions with options."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, ReadingQuestion):
        yield from (value.ask, *value.options)
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)


def _what(subject: Subject) -> str:
    return "test set" if subject[0] == "set" else subject[0]


def _problem(message: str, subject: Subject, location: Location) -> Problem:
    if subject[0] in ("set", "system"):
        return location.problem(message)
    _, document, *segment = subject
    return location.problem(message, document=document, segment=segment[0] if segment else None)


# Problems that are listed at most.
MOST_PROBLEMS = 10_000


def assemble(rows: Sequence[Row], *, unreadable: bool = False) -> TestSet:
    """The test set of these rows; raises `InputError` with all problems.

    If a file was `unreadable`, nothing is reported as missing, since that file may contain it.
    """
    problems = [row for row in rows if isinstance(row, Problem)]
    entries, misplaced = placed(
        [row for row in rows if isinstance(row, TextEntry)],
        [row for row in rows if isinstance(row, DocumentLine)],
    )
    found = versions(entries)
    facts = FactTable()
    for row in rows:
        facts.take(row)
    problems += misplaced
    # all checks, even after the first has failed: a user should correct a file once
    problems += [problem for check in CHECKS for problem in check(found)]
    problems += facts.problems
    # texts of files with a wrong number of lines were left out, and are not reported as missing
    if not unreadable and not misplaced:
        # where no row could be read, the rows say why
        problems += nothing_to_judge(found) if found or not problems else ()
        problems += _without_texts(facts, found)
    raise_problems(_readable(problems))
    return with_languages(_Builder(found, facts).test_set())


def _readable(problems: list[Problem]) -> list[Problem]:
    """The problems, or the first of them and the number of the others."""
    if len(problems) <= MOST_PROBLEMS:
        return problems
    rest = Problem(message=f"and {len(problems) - MOST_PROBLEMS:,} more problems")
    return [*problems[:MOST_PROBLEMS], rest]


def _without_texts(facts: FactTable, found: Sequence[TextVersion]) -> Iterator[Problem]:
    """A problem for each document, segment and system that is declared but has no texts."""
    keys = frame(found)
    known: set[Subject] = {("set",), *(("document", document) for document, _ in keys)}
    known |= {("segment", *key) for key in keys}
    known |= {("system", version.name) for version in found if version.kind == "system"}
    references = {version.name for version in found if version.kind == "reference"}
    for subject, location in facts.subjects():
        if subject not in known:
            name = subject[-1]
            yield location.problem(f"the {subject[0]} '{name}' is declared here, but has no texts")
        own = facts.fact(subject, "reference")
        if own is not None and own not in references:
            yield location.problem(
                f"system {subject[-1]} is declared as reference {own}, which does not exist"
            )


class _Builder:
    """Builds the test set from texts and facts that have passed all checks."""

    def __init__(self, found: Sequence[TextVersion], facts: FactTable) -> None:
        self.facts = facts
        self.source = next((v for v in found if v.kind == "source"), None)
        self.references = [v for v in found if v.kind == "reference"]
        self.systems = [v for v in found if v.kind == "system"]
        self.documents: dict[str, list[Key]] = {}
        # all checks have passed, so every version has exactly these segments
        for key in frame(found):
            self.documents.setdefault(key[0], []).append(key)

    def test_set(self) -> TestSet:
        return TestSet(
            name=self.facts.text(("set",), "name"),
            source_language=self.facts.text(("set",), "source language"),
            target_language=self.facts.text(("set",), "target language"),
            documents=tuple(self._document(*both) for both in self.documents.items()),
            systems=tuple(self._ordered_systems()),
            references=tuple(version.name for version in self.references),
        )

    def _document(self, name: str, keys: Sequence[Key]) -> Document:
        subject = ("document", name)
        questions = self.facts.fact(subject, "comprehension") or ()
        return Document(
            id=name,
            segments=tuple(map(self._segment, keys)),
            source_language=self.facts.text(subject, "source language"),
            tags=self.facts.tags(subject),
            comprehension=cast("tuple[ReadingQuestion, ...]", questions),
        )

    def _segment(self, key: Key) -> Segment:
        concepts = self.facts.fact(("segment", *key), "concepts") or ()
        return Segment(
            id=key[1],
            # empty only where media are the source
            source=self.source.entries[key].text or None if self.source else None,
            references={v.name: v.entries[key].text for v in self.references},
            translations={v.name: _translation(v.entries[key]) for v in self.systems},
            tags=self.facts.tags(("segment", *key)),
            concepts=cast("tuple[str, ...]", concepts),
        )

    def _ordered_systems(self) -> Iterator[System]:
        """The declared systems in their order, then those that only have texts."""
        declared = [subject[1] for subject, _ in self.facts.subjects() if subject[0] == "system"]
        # dict.fromkeys removes the second mention and keeps the order
        for name in dict.fromkeys([*declared, *(version.name for version in self.systems)]):
            yield self._system(name)

    def _system(self, name: str) -> System:
        subject = ("system", name)
        own = self.facts.fact(subject, "reference")
        return System(
            name=name,
            kind="human" if self.facts.text(subject, "kind") == "human" else "machine",
            site=self.facts.text(subject, "site"),
            reference=None if own is None else str(own),
            tags=self.facts.tags(subject),
        )


def _translation(entry: TextEntry) -> Translation:
    return Translation(entry.text, _without_empty(entry.tags))


def _without_empty(tags: Mapping[str, str]) -> dict[str, str]:
    pairs = ((tidy(name), tidy(value)) for name, value in tags.items())
    return {name: value for name, value in pairs if value}
