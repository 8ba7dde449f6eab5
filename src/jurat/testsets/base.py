"""What formats share: the rows that they read, and cleaning the text of files.

A format only reports what its file contains; `assembly` checks whether the rows of all files make a
test set.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from jurat.decoding import unmarked
from jurat.errors import Problem, input_error, raise_problems
from jurat.model import File, ReadingQuestion, System, Tags

Kind = Literal["source", "reference", "system"]

# The document of all segments in files without documents.
ONLY_DOCUMENT = "1"


class Role(msgspec.Struct, frozen=True):
    """What a file or a column of a table holds; references and systems have a name."""

    kind: Literal["source", "reference", "system", "documents", "document", "segment", "ignore"]
    name: str = ""


class SetFile(File, frozen=True):
    """A file of a test set, with the roles that the caller gives it."""

    role: Role | None = None
    """What the file holds, which plain text does not say. Of other files only this is read."""
    columns: Mapping[str, Role] = {}
    """Roles of columns whose headings do not say them."""


# gc=False here and below: large sets have millions of these, which never form cycles.
class Location(msgspec.Struct, frozen=True, gc=False):
    """A place in a file."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        """The place as editors write it: `news.sgm:12`."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    def problem(self, message: str, **more: Any) -> Problem:
        """A problem at this place; `more` are further fields of `Problem`."""
        return Problem(message=message, file=self.file, line=self.line, **more)


class TextEntry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The source, one reference or one system's translation of one segment."""

    kind: Kind
    name: str = ""
    document: str
    segment: str
    text: str
    location: Location
    tags: Tags = {}


class SetFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about the whole test set; unknown facts are empty."""

    location: Location
    name: str = ""
    source_language: str = ""
    target_language: str = ""


class DocumentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about a document."""

    location: Location
    document: str
    source_language: str = ""
    tags: Tags = {}
    comprehension: tuple[ReadingQuestion, ...] = ()


class SegmentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about a segment besides its texts."""

    location: Location
    document: str
    segment: str
    tags: Tags = {}
    concepts: tuple[str, ...] = ()


class SystemFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about a system."""

    location: Location
    system: System


class DocumentLine(msgspec.Struct, frozen=True, kw_only=True):
    """The document and segment of the line with the same number in all plain text files."""

    location: Location
    document: str
    segment: str = ""


Row: TypeAlias = (
    "TextEntry | SetFacts | DocumentFacts | SegmentFacts | SystemFacts | DocumentLine | Problem"
)


def in_role(rows: Sequence[Row], file: SetFile) -> list[Row]:
    """The rows of the file's role, under the role's name; all rows if it has no role.

    Raises `InputError` if the file has nothing of that role, or several texts for one name.
    """
    role = file.role
    if role is None or role.kind == "documents":
        return list(rows)
    held = {row.name for row in rows if isinstance(row, TextEntry) and row.kind == role.kind}
    if not held:
        raise input_error(f"there is no {role.kind} in this file", file=file.name)
    if role.name and len(held) > 1:
        named = ", ".join(sorted(held))
        message = f"this file holds several {role.kind}s ({named}); one name cannot be given to all"
        raise input_error(message, file=file.name)
    return list(_renamed(rows, role))


def _renamed(rows: Iterable[Row], role: Role) -> Iterable[Row]:
    for row in rows:
        if isinstance(row, TextEntry) and row.kind == role.kind:
            yield msgspec.structs.replace(row, name=role.name or row.name)
        elif isinstance(row, SystemFacts) and role.kind == "system":
            # texts and facts of a system are joined by its name, so both have to be renamed
            system = msgspec.structs.replace(row.system, name=role.name or row.system.name)
            yield SystemFacts(location=row.location, system=system)
        # facts about the set and its documents are kept, whatever the file's role
        elif not isinstance(row, TextEntry | SystemFacts):
            yield row


# Bytes of a file at most.
LARGEST = 1 << 30
# Bytes of a line at most.
LONGEST_LINE = 1 << 25
# Characters of a segment or a name at most.
LONGEST_TEXT = 100_000
# Lines of a file at most, where it is read line by line.
MOST_LINES = 1_000_000
# Lines with bad bytes that are reported at most.
MOST_PROBLEMS = 20

# Bytes that are decoded at once: a compromise between memory and speed.
_CHUNK = 1 << 20
# All of Unicode's white space, with the byte order mark and the zero-width space.
_BLANKS = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "\ufeff\u200b"
# control characters but tab, LF and CR; CR alone; U+FFFE and U+FFFF
_BAD_BYTES = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|\xef\xbf[\xbe\xbf]")
_BAD_CHARACTERS = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufeff\ufffe\uffff\ud800-\udfff]")


def clean(file: SetFile) -> SetFile:
    """The file without a byte order mark.

    Raises `InputError` if it is not UTF-8, empty or too large, or has control characters other than
    tabs and line ends.
    """
    if len(file.data) > LARGEST:
        message = f"the file has {len(file.data):,} bytes; at most {LARGEST:,} are read"
        raise input_error(message, file=file.name)
    data = unmarked(file.name, file.data)
    if not data or data.isspace():
        raise input_error("the file is empty", file=file.name)
    raise_problems(_byte_problems(file.name, data))
    return replace(file, data=data)


def lines(file: SetFile) -> Iterator[tuple[int, str]]:
    r"""The lines with their numbers; they end with `\n` or `\r\n` only."""
    # counted before decoding, which needs several times the file's size in memory
    if (count := file.data.count(b"\n")) > MOST_LINES:
        message = f"the file has {count:,} lines; at most {MOST_LINES:,} are read"
        raise input_error(message, file=file.name)
    for number, line in enumerate(io.BytesIO(file.data), start=1):
        if len(line) > LONGEST_LINE:
            message = f"the line has {len(line):,} bytes; at most {LONGEST_LINE:,} are read"
            raise input_error(message, file=file.name, line=number)
        yield number, line.decode().removesuffix("\n").removesuffix("\r")


def tidy(text: str) -> str:
    """A text without surrounding white space, and with `\\n` as its only line end."""
    # concatenated files have byte order marks in the middle, which count as white space
    return text.strip(_BLANKS).replace("\r\n", "\n")


def tidy_offset(text: str, at: int) -> int:
    """Where a place in a text is once the text is `tidy`."""
    before = text[:at].lstrip(_BLANKS).replace("\r\n", "\n")
    return min(len(before), len(tidy(text)))


def wrong_character(text: str) -> str:
    """The first control character or half surrogate in a text, in words; empty if there is none.

    `clean` checks the bytes of files, but escapes (`&#0;`) can still produce such characters.
    """
    found = _BAD_CHARACTERS.search(text)
    return _named(found[0]) if found else ""


def unwrapped(text: str) -> str:
    """A text that is wrapped over several lines of markup, in one line."""
    if "\n" not in text:
        return text
    return " ".join(filter(None, (line.strip() for line in text.split("\n"))))


def flat(text: str) -> str:
    """A text with spaces for line ends and tabs, for formats that cannot hold them."""
    return text.replace("\n", " ").replace("\t", " ")


def _byte_problems(name: str, data: bytes) -> list[Problem]:
    found = [*islice(_not_utf8(data), MOST_PROBLEMS), *islice(_bad_bytes(data), MOST_PROBLEMS)]
    problems: list[Problem] = []
    line, counted = 1, 0
    for at, message in sorted(found)[:MOST_PROBLEMS]:
        # counted from the previous problem on, so that the file is gone through once
        line, counted = line + data.count(b"\n", counted, at), at
        problems.append(Problem(message=message, file=name, line=line))
    if len(found) > MOST_PROBLEMS:
        problems.append(Problem(message="there are more lines like these", file=name))
    return problems


def _not_utf8(data: bytes) -> Iterator[tuple[int, str]]:
    """The first bad byte of every line that has one."""
    start = 0
    while start < len(data):
        # pieces end at line ends, so that no character is split
        stop = data.find(b"\n", start + _CHUNK) + 1 or len(data)
        try:
            data[start:stop].decode()
            start = stop
        except UnicodeDecodeError as error:
            at = start + error.start
            column = at - data.rfind(b"\n", 0, at)
            yield at, f"byte 0x{data[at]:02X} is not UTF-8 (byte {column} of the line)"
            # on with the next line: in a Latin-1 file nearly every line has several bad bytes
            start = data.find(b"\n", at) + 1 or len(data)


def _bad_bytes(data: bytes) -> Iterator[tuple[int, str]]:
    """The first unwanted character of every line that has one."""
    start = 0
    while found := _BAD_BYTES.search(data, start):
        yield found.start(), f"there is {_named(found[0].decode())} in this line"
        start = data.find(b"\n", found.start()) + 1 or len(data)


def _named(character: str) -> str:
    words = {
        "\0": "a NUL character",
        "\r": "a carriage return without a line feed",
        "\ufeff": "a byte order mark (U+FEFF)",
    }
    if "\ud800" <= character <= "\udfff":
        return "half a character (a surrogate)"
    return words.get(character, f"a control character (U+{ord(character):04X})")
