"""What a format is: the base class of all formats, their registry, and what they return."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import msgspec
import polars as pl

from jurat.errors import input_error
from jurat.formats.file_head import Sample
from jurat.model import File, TestSet
from jurat.registry import Registry


@dataclass(frozen=True, kw_only=True)
class ReadTables:
    """The long tables that files hold, by name, and what a reader of results has to know.

    The names are those of `jurat.tables.TABLES`, and `translations`: a row for each translation,
    with document, segment, system, source, translation and reference.
    """

    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ImportedCampaign:
    """A campaign of another tool, with what Jurat needs to create it."""

    title: str
    protocol: str
    wanted: int
    """Judgments of each translation, by different judges."""
    judges: int
    documents: int
    """The number of documents in a kit."""
    test_set: TestSet
    notes: tuple[str, ...] = ()
    """What is not carried over."""
    assignment: str = ""
    """How translations were given to judges, in words, where a new campaign does it otherwise."""
    users: tuple[str, ...] = ()
    """The names of its judges, where the files tell them."""
    documents_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The documents of each user, in order, where users have documents of their own."""
    protocol_file: File | None = None
    """The protocol, where it is none of Jurat's: with what the other tool shows beside."""

    absent: frozenset[tuple[str, str, str]] = frozenset()
    """Document, segment and system of translations that nobody was to judge; the test set has an
    empty text in their place."""

    def complete(self) -> Self:
        """The campaign with those segments alone that all systems have translated.

        Raises `InputError` if there are none.
        """
        short = {(document, segment) for document, segment, _ in self.absent}
        if not short:
            return self
        kept = [
            msgspec.structs.replace(
                one, segments=tuple(s for s in one.segments if (one.id, s.id) not in short)
            )
            for one in self.test_set.documents
        ]
        documents = tuple(one for one in kept if one.segments)
        if not documents:
            raise input_error(
                "no segment has translations of all systems, which new kits need: move the "
                "campaign with what was judged (jurat campaign move), or take the systems' "
                "outputs of which it was made"
            )
        note = f"segments that not all systems have translated: {len(short):,}"
        reduced = msgspec.structs.replace(self.test_set, documents=documents)
        return replace(self, test_set=reduced, absent=frozenset(), notes=(*self.notes, note))

    @property
    def name(self) -> str:
        """The title as a name that Jurat allows."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-") or "imported"

    @property
    def declared_protocol(self) -> str:
        """The protocol as a declaration names it: by its file, if it has one."""
        return self.protocol_file.name if self.protocol_file else self.protocol

    def declaration(self, test_set: str) -> dict[str, object]:
        """The content of its `campaign.yaml`; `test_set` is the name of that file."""
        task = {
            "name": self.protocol,
            "protocol": self.declared_protocol,
            "wanted": self.wanted,
            "kits": {"documents": self.documents},
        }
        return {"name": self.name, "title": self.title, "test_set": test_set, "tasks": [task]}


@dataclass(frozen=True, kw_only=True)
class WrittenFiles:
    """The files that a format makes of tables, and what it could not hold.

    One file is written under whatever name a user gives; several go into a folder.
    """

    files: Sequence[File]
    notes: Sequence[str] = ()


class FileFormat:
    """The base of all formats; a subclass with a `name` is a format."""

    name: ClassVar[str]
    title: ClassVar[str] = ""
    """What messages call a file of this format: `Pearmut annotations`."""
    endings: ClassVar[tuple[str, ...]] = ()
    """Endings of file names; where two formats recognise a file, the ending decides."""
    holds: ClassVar[tuple[str, ...]] = ()
    """The tables that `write` writes; that others are left out is said for it."""

    names_tell: ClassVar[bool] = False
    """Whether files of the same content say different things, by their names."""

    def recognises(self, sample: Sample) -> bool:
        """Whether a file is of this format, by its content."""
        raise NotImplementedError

    def accompanies(self, sample: Sample) -> bool:
        """Whether a plain table belongs to this format, where others of its files are given."""
        return False

    def read(self, files: Sequence[File]) -> ReadTables:
        """The tables of files of this format, which belong together.

        Raises `InputError` with the file and line of what cannot be read.
        """
        raise NotImplementedError

    def campaign(self, files: Sequence[File]) -> ImportedCampaign:
        """The campaign that files declare, as one of Jurat.

        Raises `InputError` with what is missing, or cannot be judged in Jurat. A format without
        campaigns lacks this.
        """
        raise NotImplementedError

    def write(self, tables: Mapping[str, pl.DataFrame], *, ending: str) -> WrittenFiles:
        """Tables, as `ReadTables` names them, as files of this format.

        `ending` is that of the file to be written; it is empty for a folder. Raises `InputError`
        where the tables have nothing that the format holds. A format that only reads lacks this.
        """
        raise NotImplementedError


# Formats whose files hold texts and never judgments.
TEXTS_ALONE = ("tmx", "wmt-testset")

FORMATS: Registry[FileFormat] = Registry("jurat.formats", FileFormat, word="format")


def writers() -> dict[str, type[FileFormat]]:
    """The formats that can be written, by name."""
    return {kind.name: kind for kind in FORMATS if kind.write is not FileFormat.write}
