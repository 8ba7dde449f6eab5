"""Test sets from bytes with a name, and back: one file per format.

A format reads its file into flat rows; the assembly checks the rows of all files together and makes
the `TestSet`, or lists everything that is wrong. To add a format, put a module with a subclass of
`Format` into this folder, or offer one by an entry point in the group `jurat.formats`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from jurat.faults import Fault, FaultyInput, complain
from jurat.formats.rows import Role, Row, SetFile, in_role
from jurat.formats.text import clean
from jurat.model import File, TestSet
from jurat.registry import Registry

__all__ = [
    "FORMATS",
    "Format",
    "Role",
    "SetFile",
    "file_names",
    "format_for",
    "lost",
    "read_test_set",
    "recognise",
    "write_test_set",
]

MOST_FAULTS = 1000
"""Faults of one file after which the rest of it is not read."""
MOST_ROWS = 1_000_000
"""Texts of one file, with what is said of documents and segments."""


class Format:
    """A way to keep a test set in files; a subclass with a `name` is one."""

    name: ClassVar[str]
    endings: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[str] = ""
    carries: ClassVar[tuple[str, ...]] = ()
    """What it holds beside the texts and the names of documents, segments, references, systems."""
    has_columns: ClassVar[bool] = False

    def recognises(self, file: SetFile) -> bool:
        """Whether a file looks like this format, from its content or from what is known of it."""
        return False

    def read(self, file: SetFile) -> Iterator[Row]:
        """The rows of a file that is clean UTF-8; a fault among them does not stop the reading.

        Where the rest of the file cannot be read, a `FaultyInput` is raised.
        """
        raise NotImplementedError

    def write(self, test_set: TestSet) -> list[SetFile]:
        """The test set in one file or several, with their roles where the files do not tell."""
        raise NotImplementedError


FORMATS: Registry[Format] = Registry("jurat.formats", Format, word="format")


def read_test_set(files: Sequence[SetFile], *, format: str | None = None) -> TestSet:  # noqa: A002
    """The test set that the files make together; a `FaultyInput` lists all that is wrong with them.

    `format` is that of all files; by default each of them tells its own.
    """
    from jurat.formats.assembly import assemble

    kind = FORMATS[format] if format else None
    rows: list[Row] = []
    unreadable = False
    for file in files:
        try:
            rows.extend(_read(file, kind))
        except FaultyInput as error:
            rows.extend(error.faults)
            unreadable = True
    return assemble(rows, unreadable=unreadable)


def write_test_set(test_set: TestSet, format: str) -> list[SetFile]:  # noqa: A002
    """The test set as files of a format."""
    return FORMATS[format]().write(test_set)


def lost(test_set: TestSet, format: str) -> list[str]:  # noqa: A002
    """What a format would not keep of a test set; it is written, read again and compared."""
    from jurat.formats.losses import losses

    return losses(test_set, read_test_set(write_test_set(test_set, format), format=format))


def recognise(file: SetFile) -> type[Format]:
    """The format of a file, by its content; the ending of its name decides between several."""
    candidates = [kind for kind in FORMATS if kind().recognises(file)]
    found = [kind for kind in candidates if file.ending in kind.endings] or candidates
    if len(found) == 1:
        return found[0]
    names = tuple(kind.name for kind in found)
    if names:
        message = "this file could be of several formats; name one"
        raise complain(message, file=file.name, allowed=names)
    message = "this file is of no format that can be recognised; name its format, or what it holds"
    raise complain(message, file=file.name, allowed=tuple(FORMATS.kinds))


def format_for(name: str) -> str:
    """The format that a file to be written has by the ending of its name."""
    ending = File(name, b"").ending
    found = [kind.name for kind in FORMATS if ending in kind.endings]
    if len(found) == 1:
        return found[0]
    reason = "does not tell its format" if not found else "may stand for several formats"
    names = tuple(found or FORMATS.kinds)
    raise complain(f"the ending of the file {reason}; name one", file=name, allowed=names)


def file_names(stems: Iterable[str], ending: str) -> list[str]:
    """Different names for files, of letters that every system allows."""
    names: list[str] = []
    for stem in stems:
        plain = re.sub(r"[^\w.-]+", "_", stem)[:100]
        numbered = (f"{plain}{f'-{n}' * (n > 0)}.{ending}" for n in range(len(names) + 1))
        # some file systems take capitals and small letters for the same
        taken = {name.lower() for name in names}
        names.append(next(name for name in numbered if name.lower() not in taken))
    return names


def _read(file: SetFile, kind: type[Format] | None) -> list[Row]:
    file = clean(file)
    kind = kind or recognise(file)
    if file.columns and not kind.has_columns:
        named = ", ".join(file.columns)
        message = f"this file is {kind.name} and has no columns; roles were given to {named}"
        raise complain(message, file=file.name)
    return in_role(list(_bounded(kind().read(file), file)), file)


def _bounded(rows: Iterable[Row], file: File) -> Iterator[Row]:
    """The rows, until there are more of them, or more faults among them, than can be of use."""
    faults: list[Fault] = []
    for number, row in enumerate(rows):
        if isinstance(row, Fault):
            faults.append(row)
        if len(faults) > MOST_FAULTS:
            gave_up = Fault(message="the rest of the file was not read", file=file.name)
            raise FaultyInput([*faults[:MOST_FAULTS], gave_up])
        if number > MOST_ROWS:
            raise complain(f"the file holds more than {MOST_ROWS:,} texts", file=file.name)
        yield row
