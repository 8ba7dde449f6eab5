"""What a reader gives: flat rows, each with the place it comes from.

A reader only says what stands in its file. Whether the rows of all files make a whole test set is
decided in one place, the assembly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from jurat.faults import Fault, complain
from jurat.model import File, ReadingQuestion, System, Tags

Kind = Literal["source", "reference", "system"]

ONLY_DOCUMENT = "1"
"""The document of all segments where a file knows no documents."""


class Role(msgspec.Struct, frozen=True):
    """What a file, or a column of a table, holds; a reference and a system have a name."""

    kind: Literal["source", "reference", "system", "documents", "document", "segment", "ignore"]
    name: str = ""


class SetFile(File, frozen=True):
    """A file of a test set, with what the caller knows about it."""

    role: Role | None = None
    """Plain text does not say what it is; other files are renamed or read in part by it."""
    columns: Mapping[str, Role] = {}
    """Roles of columns whose headings do not tell."""


class Spot(msgspec.Struct, frozen=True, gc=False):
    """A place in a file."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        """Say it as editors do: `news.sgm:12`."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    def fault(
        self, message: str, *, document: str | None = None, segment: str | None = None
    ) -> Fault:
        """What is wrong here."""
        return Fault(
            message=message, file=self.file, line=self.line, document=document, segment=segment
        )


class Entry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The source, one reference or one system's translation of one segment."""

    kind: Kind
    name: str = ""
    document: str
    segment: str
    text: str
    spot: Spot
    tags: Tags = {}


class SetFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about the whole test set; nothing is the empty text."""

    spot: Spot
    name: str = ""
    source_language: str = ""
    target_language: str = ""


class DocumentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about a document."""

    spot: Spot
    document: str
    source_language: str = ""
    tags: Tags = {}
    comprehension: tuple[ReadingQuestion, ...] = ()


class SegmentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about a segment beside its texts."""

    spot: Spot
    document: str
    segment: str
    tags: Tags = {}
    concepts: tuple[str, ...] = ()


class SystemFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about a system."""

    spot: Spot
    system: System


class DocumentLine(msgspec.Struct, frozen=True, kw_only=True):
    """Where the same line of the plain text files belongs."""

    spot: Spot
    document: str
    segment: str = ""


Row: TypeAlias = (
    "Entry | SetFacts | DocumentFacts | SegmentFacts | SystemFacts | DocumentLine | Fault"
)


def in_role(rows: Sequence[Row], file: SetFile) -> list[Row]:
    """Of a file that was given as something, only that, under the name that was given."""
    role = file.role
    if role is None or role.kind == "documents":
        return list(rows)
    held = {row.name for row in rows if isinstance(row, Entry) and row.kind == role.kind}
    if not held:
        raise complain(f"there is no {role.kind} in this file", file=file.name)
    if role.name and len(held) > 1:
        named = ", ".join(sorted(held))
        message = f"this file holds several {role.kind}s ({named}); one name cannot be given to all"
        raise complain(message, file=file.name)
    return list(_renamed(rows, role))


def _renamed(rows: Iterable[Row], role: Role) -> Iterable[Row]:
    for row in rows:
        if isinstance(row, Entry) and row.kind == role.kind:
            yield msgspec.structs.replace(row, name=role.name or row.name)
        elif isinstance(row, SystemFacts) and role.kind == "system":
            system = msgspec.structs.replace(row.system, name=role.name or row.system.name)
            yield SystemFacts(spot=row.spot, system=system)
        elif not isinstance(row, Entry | SystemFacts):
            yield row
