"""Checks a whole test set, version by version: the source, each reference, each system's output.

A check yields the problems of all versions. Problems of one kind in one document are reported once,
with the segments concerned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from msgspec.structs import replace

from jurat.errors import Problem, counted
from jurat.model import MEDIA, TestSet
from jurat.testsets.base import (
    LONGEST_TEXT,
    ONLY_DOCUMENT,
    DocumentLine,
    Kind,
    Location,
    TextEntry,
    tidy,
    wrong_character,
)

# A document and a segment in it.
Key: TypeAlias = "tuple[str, str]"
# A plain text file, its role and its name.
PlainColumn: TypeAlias = "tuple[str, Kind, str]"


@dataclass
class TextVersion:
    """The texts of the source, a reference or a system, in their own order."""

    kind: Kind
    name: str
    location: Location
    entries: dict[Key, TextEntry] = field(default_factory=dict)
    doubles: list[TextEntry] = field(default_factory=list)
    """Further texts of the same document and segment."""
    starts: dict[str, Location] = field(default_factory=dict)
    """Where each document begins."""

    def __str__(self) -> str:
        """`the source`, `reference A`, `system X`."""
        return "the source" if self.kind == "source" else f"{self.kind} {self.name}"

    def add(self, entry: TextEntry) -> None:
        """Add a text; of several texts of a segment, the first is kept."""
        key = (entry.document, entry.segment)
        first = self.entries.setdefault(key, entry)
        self.starts.setdefault(entry.document, entry.location)
        # a second text is reported
        if first is not entry and not self._repeats(first, entry):
            self.doubles.append(entry)

    @staticmethod
    def _repeats(first: TextEntry, again: TextEntry) -> bool:
        """Whether another file repeats the same source or reference, as systems' files often do."""
        elsewhere = first.location.file != again.location.file
        return again.kind != "system" and elsewhere and again.text == first.text


def versions(entries: Iterable[TextEntry]) -> list[TextVersion]:
    """The texts sorted into versions, in order of first appearance."""
    found: dict[tuple[Kind, str], TextVersion] = {}
    for entry in map(_tidied, entries):
        version = found.get((entry.kind, entry.name))
        if version is None:
            location = Location(entry.location.file)
            version = found[entry.kind, entry.name] = TextVersion(entry.kind, entry.name, location)
        version.add(entry)
    return list(found.values())


def _tidied(entry: TextEntry) -> TextEntry:
    names = ("name", "document", "segment", "text")
    changed = {n: new for n in names if (new := tidy(old := getattr(entry, n))) != old}
    return replace(entry, **changed) if changed else entry


def placed(
    entries: Sequence[TextEntry], lines: Sequence[DocumentLine]
) -> tuple[list[TextEntry], list[Problem]]:
    """The entries, with document and segment for those of plain text files; and problems.

    A plain text file with a wrong number of lines is left out, with one problem.
    """
    counts = Counter(_column(entry) for entry in entries if not entry.document)
    # formats with documents have set them, so only plain text is left without
    wanted, standard = _standard(counts, lines)
    wrong = {column: n for column, n in counts.items() if n != wanted}
    places = list(_places(lines, wanted))
    kept = [_with_place(e, places) for e in entries if e.document or _column(e) not in wrong]
    right = f"but {standard} has {counted(wanted, 'line')}"
    return kept, [
        Problem(message=f"this file has {counted(n, 'line')}, {right}", file=file)
        for (file, *_), n in wrong.items()
    ]


def _column(entry: TextEntry) -> PlainColumn:
    return entry.location.file, entry.kind, entry.name


def _standard(counts: Mapping[PlainColumn, int], lines: Sequence[DocumentLine]) -> tuple[int, str]:
    """The right number of lines, and the file that it comes from."""
    if lines:
        return len(lines), lines[0].location.file
    if not counts:
        return 0, ""
    # the source is most likely complete; without one, the first file sets the standard
    column = next((column for column in counts if column[1] == "source"), next(iter(counts)))
    return counts[column], column[0]


def _places(lines: Sequence[DocumentLine], wanted: int) -> Iterator[Key]:
    """The document and segment of every line; segments without an id are numbered."""
    if not lines:
        yield from ((ONLY_DOCUMENT, str(number)) for number in range(1, wanted + 1))
    counts: dict[str, int] = {}
    for line in lines:
        counts[line.document] = counts.get(line.document, 0) + 1
        yield line.document, line.segment or str(counts[line.document])


def _with_place(entry: TextEntry, places: Sequence[Key]) -> TextEntry:
    if entry.document:
        return entry
    assert entry.location.line is not None
    document, segment = places[entry.location.line - 1]
    return replace(entry, document=document, segment=segment)


# Segments that a message lists; the others are only counted.
FEW = 5

Check = Callable[[Sequence[TextVersion]], Iterator[Problem]]


def nothing_to_judge(versions: Sequence[TextVersion]) -> Iterator[Problem]:
    """Problems: no system, or neither source nor reference to compare with."""
    kinds = {version.kind for version in versions}
    if "system" not in kinds:
        yield Problem(message="there are no translations by a system", code="no-systems")
    if not kinds & {"source", "reference"}:
        yield Problem(message="there is neither a source nor a reference", code="no-source")


def bad_names(versions: Sequence[TextVersion]) -> Iterator[Problem]:
    """Problems of names: systems and references need different ones."""
    references = {version.name for version in versions if version.kind == "reference"}
    for version in versions:
        if not version.name and version.kind != "source":
            yield version.location.problem(f"this file holds a {version.kind} without a name")
        elif version.kind == "system" and version.name in references:
            message = f"the name '{version.name}' is used for a system and for a reference"
            yield version.location.problem(message)
        if reason := _bad_name(version.name):
            yield version.location.problem(f"the name of {version} {reason}")


def bad_ids(versions: Sequence[TextVersion]) -> Iterator[Problem]:
    """Problems of ids: documents and segments need ids without control characters."""
    seen: set[str] = set()
    for version in versions:
        for (document, segment), entry in version.entries.items():
            for word, name in (("document", document), ("segment", segment)):
                if name not in seen and (reason := _bad_name(name) if name else "is empty"):
                    yield _at(entry, f"the id of this {word} {reason}")
                # an id is reported once, not for every version and segment
                seen.add(name)


def doubled(versions: Sequence[TextVersion]) -> Iterator[Problem]:
    """Problems: segments that occur twice in a version."""
    for version in versions:
        for entries in _by_document(version.doubles):
            first = version.entries[entries[0].document, entries[0].segment]
            before = f"first at {first.location}"
            if first.kind != "system" and first.location.file != entries[0].location.file:
                message = f"{version} is not the same text here as at {first.location}"
                yield _folded(entries, message, message + " in {n} segments: {ids}")
            else:
                yield _folded(
                    entries,
                    f"this segment occurs twice in {version}, {before}",
                    f"{{n}} segments occur twice in {version}: {{ids}}; the {before}",
                )


def empty(versions: Sequence[TextVersion]) -> Iterator[Problem]:
    """Problems: empty texts of the source and the references, and systems without any text.

    A system may have no output for a segment: that is its translation, and judged as such.
    """
    for version in versions:
        if version.kind == "system" and any(entry.text for entry in version.entries.values()):
            continue
        what = str(version) if version.kind != "system" else f"the translation of {version}"
        blank = (
            entry
            for entry in version.entries.values()
            # a video or a recording can be all that there is of a source
            if not entry.text and not (version.kind == "source" and MEDIA in entry.tags)
        )
        for entries in _by_document(blank):
            many = f"{what} is empty in {{n}} segments: {{ids}}"
            yield _folded(entries, f"{what} is empty", many)


def empty_translations(test_set: TestSet) -> dict[str, list[str]]:
    """By system, the segments whose translation is empty: `document:segment`."""
    found: dict[str, list[str]] = {}
    for document, segment in test_set.segments():
        for system, made in segment.translations.items():
            if not made.text:
                found.setdefault(system, []).append(f"{document.id}:{segment.id}")
    return found


def bad_texts(versions: Sequence[TextVersion]) -> Iterator[Problem]:
    """Problems: control characters in texts (from escapes), and texts that are too long."""
    for version in versions:
        for entry in version.entries.values():
            tags = (part for pair in entry.tags.items() for part in pair)
            if wrong := next(filter(None, map(wrong_character, (entry.text, *tags))), None):
                yield _at(entry, f"there is {wrong} in {version}")
            elif len(entry.text) > LONGEST_TEXT:
                size = f"{len(entry.text):,} characters; at most {LONGEST_TEXT:,} are allowed"
                yield _at(entry, f"the text of {version} has {size}")


def missing(versions: Sequence[TextVersion]) -> Iterator[Problem]:
    """Problems: documents and segments that a version lacks."""
    keys = frame(versions)
    for version in versions:
        absent = [key for key in keys if key not in version.entries]
        for document, segments in _grouped(absent):
            if document in version.starts:
                yield _absent_segments(version, document, segments)
            else:
                message = (
                    f"this document is missing from {version} ({counted(len(segments), 'segment')})"
                )
                yield version.location.problem(message, document=document)


def extra(versions: Sequence[TextVersion]) -> Iterator[Problem]:
    """Problems: documents and segments that the source (or first reference) lacks."""
    keys = frame(versions)
    known = {document for document, _ in keys}
    base = _base(versions)
    for version in versions:
        found = [entry for key, entry in version.entries.items() if key not in keys]
        for entries in _by_document(found):
            where = f"in {version}, but not in {base}"
            if entries[0].document in known:
                one, many = f"this segment is {where}", f"{{n}} segments are {where}: {{ids}}"
                yield _folded(entries, one, many)
            else:
                message = f"this document is {where} ({counted(len(entries), 'segment')})"
                yield entries[0].location.problem(message, document=entries[0].document)


def disordered(versions: Sequence[TextVersion]) -> Iterator[Problem]:
    """Problems: references whose segments are in another order than the source's."""
    base = _base(versions)
    for version in versions:
        # missing and extra segments have checks of their own; systems may have any order
        same = base and version.entries.keys() == base.entries.keys()
        if version.kind != "reference" or not same or not base:
            continue
        for key, wanted in zip(version.entries, base.entries, strict=True):
            if key != wanted:
                there = f"{wanted[0]}:{wanted[1]}"
                message = f"{version} has another order than {base}, which has {there} here"
                yield _at(version.entries[key], message)
                break


CHECKS: tuple[Check, ...] = (
    bad_names,
    bad_ids,
    doubled,
    empty,
    bad_texts,
    missing,
    extra,
    disordered,
)


def frame(versions: Sequence[TextVersion]) -> dict[Key, None]:
    """The segments that every version should have, in order.

    These are the segments of the source (or of the first reference, without a source), and those
    that all other versions have: these are missing from the source.
    """
    base = _base(versions)
    if base is None:
        return {}
    others = [version for version in versions if version is not base]
    keys = dict.fromkeys(base.entries)
    # a single other version may just as well have a segment too many
    if len(others) > 1:
        keys |= {key: None for key in others[0].entries if all(key in o.entries for o in others)}
    return keys


def _base(versions: Sequence[TextVersion]) -> TextVersion | None:
    for kind in ("source", "reference", "system"):
        for version in versions:
            if version.kind == kind:
                return version
    return None


def _absent_segments(version: TextVersion, document: str, segments: list[str]) -> Problem:
    location = version.starts[document]
    if len(segments) == 1:
        message = f"this segment is missing from {version}"
        return location.problem(message, document=document, segment=segments[0])
    message = f"{len(segments):,} segments are missing from {version}: {_listed(segments)}"
    return location.problem(message, document=document)


def _bad_name(name: str) -> str:
    if wrong := wrong_character(name):
        return f"holds {wrong}"
    if "\t" in name or "\n" in name:
        return "holds a tab or a line end"
    return "is too long" if len(name) > LONGEST_TEXT else ""


def _at(entry: TextEntry, message: str) -> Problem:
    return entry.location.problem(message, document=entry.document, segment=entry.segment)


def _folded(entries: Sequence[TextEntry], one: str, many: str) -> Problem:
    """One problem for several entries of a document, at the place of the first."""
    if len(entries) == 1:
        return _at(entries[0], one)
    ids = _listed([entry.segment for entry in entries])
    # not str.format: names of systems in the message may contain braces
    message = many.replace("{n}", f"{len(entries):,}").replace("{ids}", ids)
    return entries[0].location.problem(message, document=entries[0].document)


def _by_document(entries: Iterable[TextEntry]) -> Collection[list[TextEntry]]:
    groups: dict[str, list[TextEntry]] = {}
    for entry in entries:
        groups.setdefault(entry.document, []).append(entry)
    return groups.values()


def _grouped(keys: Iterable[Key]) -> Iterable[tuple[str, list[str]]]:
    groups: dict[str, list[str]] = {}
    for document, segment in keys:
        groups.setdefault(document, []).append(segment)
    return groups.items()


def _listed(ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:FEW])
    return shown if len(ids) <= FEW else f"{shown} and {len(ids) - FEW:,} more"
