"""The versions of a test set: its source, each reference, and what each system made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from msgspec.structs import replace

from jurat.faults import Fault
from jurat.formats.rows import ONLY_DOCUMENT, DocumentLine, Entry, Kind, Spot
from jurat.formats.text import tidy

Key: TypeAlias = "tuple[str, str]"
"""A document and a segment in it."""
Column: TypeAlias = "tuple[str, Kind, str]"
"""A plain text file and what it was given as."""


@dataclass
class Version:
    """One text of the whole set, in its own order."""

    kind: Kind
    name: str
    spot: Spot
    entries: dict[Key, Entry] = field(default_factory=dict)
    doubles: list[Entry] = field(default_factory=list)
    """What stands in this version again under the same document and segment."""
    starts: dict[str, Spot] = field(default_factory=dict)
    """Where each document begins."""

    def __str__(self) -> str:
        """Name it as people do: the source, reference A, system X."""
        return "the source" if self.kind == "source" else f"{self.kind} {self.name}"

    def add(self, entry: Entry) -> None:
        """Take one more text; the first one of a segment stays."""
        key = (entry.document, entry.segment)
        first = self.entries.setdefault(key, entry)
        self.starts.setdefault(entry.document, entry.spot)
        if first is not entry and not self._repeats(first, entry):
            self.doubles.append(entry)

    @staticmethod
    def _repeats(first: Entry, again: Entry) -> bool:
        """Every system's file may bring the same source and references along."""
        elsewhere = first.spot.file != again.spot.file
        return again.kind != "system" and elsewhere and again.text == first.text


def versions(entries: Iterable[Entry]) -> list[Version]:
    """The versions in the order in which they first appear."""
    found: dict[tuple[Kind, str], Version] = {}
    for entry in map(_tidied, entries):
        version = found.get((entry.kind, entry.name))
        if version is None:
            spot = Spot(entry.spot.file)
            version = found[entry.kind, entry.name] = Version(entry.kind, entry.name, spot)
        version.add(entry)
    return list(found.values())


def _tidied(entry: Entry) -> Entry:
    names = ("name", "document", "segment", "text")
    changed = {n: new for n in names if (new := tidy(old := getattr(entry, n))) != old}
    return replace(entry, **changed) if changed else entry


def placed(
    entries: Sequence[Entry], lines: Sequence[DocumentLine]
) -> tuple[list[Entry], list[Fault]]:
    """Entries of plain text, whose files know no documents, each in the document of its line.

    A file with another number of lines than the rest is left out, with one fault.
    """
    counts = Counter(_column(entry) for entry in entries if not entry.document)
    wanted, standard = _standard(counts, lines)
    wrong = {column: n for column, n in counts.items() if n != wanted}
    homes = list(_homes(lines, wanted))
    kept = [_at_home(e, homes) for e in entries if e.document or _column(e) not in wrong]
    return kept, [
        Fault(message=f"this file has {_lines(n)}, but {standard} has {_lines(wanted)}", file=file)
        for (file, *_), n in wrong.items()
    ]


def _column(entry: Entry) -> Column:
    return entry.spot.file, entry.kind, entry.name


def _standard(counts: Mapping[Column, int], lines: Sequence[DocumentLine]) -> tuple[int, str]:
    """How many lines there should be, and which file says so."""
    if lines:
        return len(lines), lines[0].spot.file
    if not counts:
        return 0, ""
    column = next((column for column in counts if column[1] == "source"), next(iter(counts)))
    return counts[column], column[0]


def _homes(lines: Sequence[DocumentLine], wanted: int) -> Iterator[Key]:
    """The document and segment of every line; segments without an id are counted."""
    if not lines:
        yield from ((ONLY_DOCUMENT, str(number)) for number in range(1, wanted + 1))
    counts: dict[str, int] = {}
    for line in lines:
        counts[line.document] = counts.get(line.document, 0) + 1
        yield line.document, line.segment or str(counts[line.document])


def _at_home(entry: Entry, homes: Sequence[Key]) -> Entry:
    if entry.document:
        return entry
    assert entry.spot.line is not None
    document, segment = homes[entry.spot.line - 1]
    return replace(entry, document=document, segment=segment)


def _lines(number: int) -> str:
    return f"{number:,} line{'s' * (number != 1)}"
