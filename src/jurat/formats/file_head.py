"""The beginning of a file, by which formats are recognised."""

from __future__ import annotations

import codecs
import csv
import re
from functools import cached_property

import msgspec

from jurat.model import File
from jurat.tables.json_rows import decoded

# Bytes at the top of a file that are looked at.
TOP = 1 << 16
# Bytes of an object that is decoded whole, because it may have NaN for a missing number.
MOST_WITH_NAN = 1 << 25
_ROOT = re.compile(r"<(?![?!])(?:[\w.-]+:)?([\w.-]+)([^>]*)>")


class Sample:
    """The first lines of a file, as text, as cells of a table and as JSON."""

    def __init__(self, file: File) -> None:
        self.file = file

    @property
    def name(self) -> str:
        """The file's name, without folders."""
        return re.split(r"[/\\]", self.file.name)[-1]

    @cached_property
    def text(self) -> str:
        """The beginning as text, whatever its bytes are."""
        with self.file.open() as stream:
            return stream.read(TOP).removeprefix(codecs.BOM_UTF8).decode(errors="replace")

    @cached_property
    def first_line(self) -> str:
        """The first line that is not blank."""
        return next((line for line in self.text.split("\n") if line.strip()), "").rstrip("\r")

    @cached_property
    def cells(self) -> list[str]:
        """The cells of the first line, separated by tabs or else by commas."""
        if "\t" in self.first_line:
            return self.first_line.split("\t")
        try:
            # all of the sample, since a quoted cell may hold line ends
            return next(csv.reader(self.text.splitlines(keepends=True)), [])
        except csv.Error:
            return []

    @cached_property
    def heading(self) -> frozenset[str]:
        """The cells of the first line, in lower case, as names of columns."""
        return frozenset(cell.strip(' "\r').lower() for cell in self.cells)

    @cached_property
    def _first(self) -> bytes:
        """The first line that is not blank, however long it is."""
        with self.file.open() as stream:
            first = next(
                (line for line in stream if line.removeprefix(codecs.BOM_UTF8).strip()), b""
            )
        return first.removeprefix(codecs.BOM_UTF8)

    @cached_property
    def _is_several(self) -> bool:
        """Whether there is something after the first line that is not blank."""
        with self.file.open() as stream:
            return next((True for n, line in enumerate(filter(bytes.strip, stream)) if n), False)

    @cached_property
    def record(self) -> dict[str, object]:
        """The JSON object in the first line, or the first of a list; empty if there is none."""
        if self.text.lstrip().startswith("["):
            return self.first_of_list
        if not self.first_line.startswith("{"):
            return {}
        return _object(self._first)

    def has_object(self, name: str) -> bool:
        """Whether the object in the first line has an object under that name."""
        told = self.record.get(name)
        return isinstance(told, dict) or (
            isinstance(told, msgspec.Raw) and bytes(memoryview(told)[:1]) == b"{"
        )

    @cached_property
    def json(self) -> dict[str, msgspec.Raw]:
        """The names and undecoded values of a file that is one JSON object; empty if it is not."""
        # a line that is an object, with others after it, is no file that is one
        if not self.text.lstrip().startswith("{") or (self.record and self._is_several):
            return {}
        data = self.file.data.removeprefix(codecs.BOM_UTF8)
        try:
            return msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            return {}

    @cached_property
    def first_of_list(self) -> dict[str, object]:
        """The first object of a file that is a JSON list; empty if it is not."""
        if not self.text.lstrip().startswith("["):
            return {}
        data = self.file.data.removeprefix(codecs.BOM_UTF8)
        try:
            found = msgspec.json.decode(data, type=list[msgspec.Raw])
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            return {}
        return _object(bytes(found[0])) if found else {}

    @cached_property
    def root(self) -> tuple[str, str]:
        """The name and the attributes of the first XML tag; empty texts if there is none."""
        if not self.text.lstrip().startswith("<"):
            return "", ""
        found = _ROOT.search(self.text)
        return (found[1], found[2]) if found else ("", "")


def _object(data: bytes) -> dict[str, object]:
    """The names of an object, with values not decoded: a line may be a whole file."""
    try:
        return dict(msgspec.json.decode(data, type=dict[str, msgspec.Raw]))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return _object_with_nan(data) if len(data) < MOST_WITH_NAN else {}


def _object_with_nan(data: bytes) -> dict[str, object]:
    try:
        return decoded(data, dict[str, object])
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return {}
