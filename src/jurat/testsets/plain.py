"""Parallel plain text: one line per segment, and a file with the document of each line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from jurat.errors import input_error, raise_problems
from jurat.model import Segment, TestSet
from jurat.testsets import Format, file_names
from jurat.testsets.base import (
    DocumentLine,
    Location,
    Role,
    Row,
    SetFile,
    TextEntry,
    flat,
    lines,
    tidy,
)


class Plain(Format):
    """A file for the source, each reference and each system, line by line the same segments."""

    name: ClassVar[str] = "plain"
    endings: ClassVar[tuple[str, ...]] = ("txt",)
    about: ClassVar[str] = "parallel text files, one line per segment; options name their roles"

    def recognises(self, file: SetFile) -> bool:
        # any file with a role may be plain text, unless it begins like markup or JSON
        markup = file.data[:1] in (b"<", b"{")
        return file.ending == "txt" or (file.role is not None and not markup)

    def read(self, file: SetFile) -> Iterator[Row]:
        role = file.role
        if role is None:
            message = "plain text needs a role: source, reference, system or documents"
            raise input_error(message, file=file.name)
        if role.kind == "documents":
            yield from _document_lines(file)
        elif role.kind in ("source", "reference", "system"):
            entry = partial(TextEntry, kind=role.kind, name=role.name)
            # empty lines are kept: lines correspond to those of the other files by their numbers
            for number, line in lines(file):
                # `validate.placed` adds document and segment when all files have been read
                place = Location(file.name, number)
                yield entry(document="", segment="", text=line, location=place)

    def write(self, test_set: TestSet) -> list[SetFile]:
        roles = [
            *([Role("source")] if _has_source(test_set) else []),
            *(Role("reference", name) for name in test_set.references),
            *(Role("system", system.name) for system in test_set.systems),
        ]
        names = file_names((".".join(filter(None, (r.kind, r.name))) for r in roles), "txt")
        files = [
            SetFile(name, _column(test_set, role), role)
            for name, role in zip(names, roles, strict=True)
        ]
        # without this file, ids of documents and segments would be lost
        ids = "".join(f"{document.id}\t{segment.id}\n" for document, segment in test_set.segments())
        return [*files, SetFile("documents.txt", ids.encode(), Role("documents"))]


def _document_lines(file: SetFile) -> list[DocumentLine]:
    """The lines of a file of documents; raises `InputError` if any has no document."""
    # a single missing line would shift all that follow
    found: list[DocumentLine] = []
    for number, line in lines(file):
        document, _, segment = map(tidy, line.partition("\t"))
        location = Location(file.name, number)
        found.append(DocumentLine(location=location, document=document, segment=segment))
    nameless = [each.location for each in found if not each.document]
    raise_problems([location.problem("this line names no document") for location in nameless])
    return found


def _has_source(test_set: TestSet) -> bool:
    return any(segment.source is not None for _, segment in test_set.segments())


def _column(test_set: TestSet, role: Role) -> bytes:
    texts = (_text(segment, role) for _, segment in test_set.segments())
    return "".join(f"{flat(text)}\n" for text in texts).encode()


def _text(segment: Segment, role: Role) -> str:
    if role.kind == "source":
        return segment.source or ""
    if role.kind == "reference":
        return segment.references[role.name]
    return segment.translations[role.name].text
