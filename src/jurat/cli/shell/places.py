"""Where texts stand on the command line: a file, columns of a table, or a test set."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jurat.cli.shell.files import read_file, reading
from jurat.faults import complain
from jurat.model import File
from jurat.texts import decode, lines

SETS = ("sgm", "sgml", "xml")
"""Endings of files that are test sets, or parts of one, whatever they hold."""
TABLES = ("tsv", "csv", "jsonl", "ndjson", "parquet")
_TOP = 1 << 16
_HEADING = re.compile(rb'(^|[\t,;"])(system|reference):')
_KEY = re.compile(rb'"(translations|references)"\s*:\s*\{')
"""Headings of a table, and keys of a JSON line, that say which text is whose."""


@dataclass(frozen=True)
class Place:
    """A file, or columns of it; named where the user gave a name."""

    path: Path
    columns: tuple[str, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        """As the user wrote it."""
        return f"{self.path}:{','.join(self.columns)}" if self.columns else str(self.path)

    @property
    def is_set(self) -> bool:
        """Whether the file is a test set, which says itself what it holds."""
        if self.columns or not self.path.is_file():
            return False
        ending = File(str(self.path), b"").ending
        return ending in SETS or (ending in TABLES and self._tells_roles(ending))

    def _tells_roles(self, ending: str) -> bool:
        with reading(self.path) as file:
            top = file.read(_TOP).split(b"\n", 2)
        if ending == "jsonl":
            return any(_KEY.search(line) for line in top[:2])
        return _HEADING.search(top[0]) is not None

    def names(self) -> Iterator[tuple[str, ...]]:
        """For each of its texts what it may be called, the shortest first."""
        stem, path = self.path.stem, str(self.path)
        if self.name:
            yield (self.name,)
        elif not self.columns:
            yield stem, self.path.name, path
        else:
            yield from ((c, f"{stem}:{c}", f"{path}:{c}") for c in self.columns)

    def read(self) -> list[list[str]]:
        """The texts of the file, or of each of its columns."""
        file = read_file(self.path)
        if self.columns:
            from jurat.tables.scores import column_texts

            found = column_texts(file, self.columns)
            return [found[column] for column in self.columns]
        if file.ending in TABLES:
            message = f"name the column that holds the texts: {self.path}:COLUMN"
            raise complain(message, file=file.name)
        return [lines(decode(file))]


def place(given: str) -> Place:
    """What `FILE`, `FILE:column,column` or `NAME=…` stands for; a file of that very name is it."""
    if Path(given).is_file():
        return Place(Path(given))
    for at in (n for n, sign in enumerate(given) if sign == ":"):
        if Path(given[:at]).is_file() and given[at + 1 :]:
            return Place(Path(given[:at]), tuple(given[at + 1 :].split(",")))
    name, equals, rest = given.partition("=")
    if equals and name and (found := place(rest)).path.is_file():
        if len(found.columns) > 1:
            raise complain(f"one name cannot be given to several columns: {given}")
        return replace(found, name=name)
    return Place(Path(given))


def distinct(candidates: Sequence[tuple[str, ...]], taken: Sequence[str] = ()) -> list[str]:
    """A name for each, the shortest that no other has; two of the same place are a mistake."""
    depth = [0] * len(candidates)
    while True:
        names = [ways[min(at, len(ways) - 1)] for ways, at in zip(candidates, depth, strict=True)]
        counts = Counter([*names, *taken])
        twice = [n for n, name in enumerate(names) if counts[name] > 1]
        if not twice:
            return names
        if all(depth[n] + 1 >= len(candidates[n]) for n in twice):
            name = names[twice[0]]
            raise complain(f"'{name}' is given twice; NAME=FILE gives another name", value=name)
        for n in twice:
            depth[n] += 1
