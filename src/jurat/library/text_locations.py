"""Where texts are: files, columns of tables and test sets, as a user writes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from jurat.decoding import decode, lines
from jurat.errors import Problem, input_error, raise_problems
from jurat.files import read_file, reading
from jurat.model import File, TestSet

# Endings of tables, which may be test sets, or hold texts in columns.
TABLES = ("tsv", "csv", "jsonl", "ndjson", "parquet")
# Columns of a table that say which segment a row is, and what kind of segment.
ROW_IDS = ("document", "segment", "item", "domain", "language")
# Bytes at the top of a table by which a test set is recognised: by its headings, or by the keys
# of its first JSON lines.
_TOP = 1 << 16
_HEADING = re.compile(rb'(^|[\t,;"])(system|reference):')
_KEY = re.compile(rb'"(translations|references)"\s*:\s*\{')


@cache
def _set_endings() -> frozenset[str]:
    """The endings of all test set formats, also of those from outside packages."""
    from jurat.testsets import FORMATS

    return frozenset(ending for kind in FORMATS for ending in kind.endings)


@dataclass(frozen=True)
class TextLocation:
    """A file, or columns of a file, with the name that the user gave it, if any."""

    path: Path
    columns: tuple[str, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        """As the user wrote it."""
        return f"{self.path}:{','.join(self.columns)}" if self.columns else str(self.path)

    @property
    def is_set(self) -> bool:
        """Whether the file is a test set, which names the texts in it."""
        if self.columns or not self.path.is_file():
            return False
        ending = File(str(self.path), b"").ending
        if ending in TABLES:
            return self._names_texts(ending)
        # parallel text has this ending too, but does not name its texts
        return ending != "txt" and ending in _set_endings()

    def _names_texts(self, ending: str) -> bool:
        with reading(self.path) as file:
            # the first line may describe the set, the second is then the first segment
            top = file.read(_TOP).split(b"\n", 2)
        if ending == "jsonl":
            return any(_KEY.search(line) for line in top[:2])
        return _HEADING.search(top[0]) is not None

    def names(self) -> Iterator[tuple[str, ...]]:
        """Candidates for the name of each of its texts, the shortest first."""
        stem, path = self.path.stem, str(self.path)
        if self.name:
            yield (self.name,)
        elif not self.columns:
            yield stem, self.path.name, path
        else:
            yield from ((c, f"{stem}:{c}", f"{path}:{c}") for c in self.columns)

    def read(self) -> list[list[str]]:
        """The texts of the file, or of each of its columns."""
        return self.read_rows()[0]

    def read_rows(self) -> tuple[list[list[str]], RowIds]:
        """The same, and what the file's own columns say of each row; lines of text say nothing."""
        file = read_file(self.path)
        if self.columns:
            from jurat.tables.scores import column_texts

            others = [name for name in ROW_IDS if name not in self.columns]
            found = column_texts(file, self.columns, others)
            texts = [found[column] for column in self.columns]
            return texts, {n: found[n] for n in others if any(found.get(n, ()))}
        if file.ending in TABLES:
            message = f"name the column that holds the texts: {self.path}:COLUMN"
            raise input_error(message, file=file.name)
        return [lines(decode(file))], {}


def text_location(given: str) -> TextLocation:
    """The location that `FILE`, `FILE:column,column` or `NAME=…` stands for.

    A file whose name is the whole text comes first: it may contain `:` or `=`.
    """
    if Path(given).is_file():
        return TextLocation(Path(given))
    # any colon may be the one before the columns, since paths may contain colons
    for at in (n for n, sign in enumerate(given) if sign == ":"):
        if Path(given[:at]).is_file() and given[at + 1 :]:
            return TextLocation(Path(given[:at]), tuple(given[at + 1 :].split(",")))
    name, equals, rest = given.partition("=")
    if equals and name and (found := text_location(rest)).path.is_file():
        if len(found.columns) > 1:
            raise input_error(f"several columns cannot have one name: {given}")
        return replace(found, name=name)
    return TextLocation(Path(given))


def distinct(candidates: Sequence[tuple[str, ...]], taken: Sequence[str] = ()) -> list[str]:
    """A name for each text: the shortest candidate that no other text has.

    Raises `InputError` where a text is given twice.
    """
    # how far each text has moved along its candidates; depths only grow, so the loop ends
    depth = [0] * len(candidates)
    while True:
        names = [ways[min(at, len(ways) - 1)] for ways, at in zip(candidates, depth, strict=True)]
        counts = Counter([*names, *taken])
        twice = [n for n, name in enumerate(names) if counts[name] > 1]
        if not twice:
            return names
        # none of them has a longer name left
        if all(depth[n] + 1 >= len(candidates[n]) for n in twice):
            name = names[twice[0]]
            raise input_error(f"'{name}' is given twice; NAME=FILE gives another name", value=name)
        # all texts with a doubled name get a longer one, not only the later ones
        for n in twice:
            depth[n] += 1


@dataclass(frozen=True)
class SetTexts:
    """The texts of a test set, in columns with a text for each segment."""

    test_set: TestSet
    label: str

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(system.name for system in self.test_set.systems)

    def read(self) -> tuple[list[list[str]], RowIds]:
        """The texts of each system, in the order of `systems`; ids are the test set's own."""
        texts = [
            [segment.translations[name].text for _, segment in self.test_set.segments()]
            for name in self.systems
        ]
        return texts, {}

    def references(self) -> dict[str, list[str]]:
        """The texts of each reference, by name."""
        return {
            name: [segment.references[name] for _, segment in self.test_set.segments()]
            for name in self.test_set.references
        }


def read_set(
    systems: Sequence[TextLocation], references: Sequence[TextLocation]
) -> SetTexts | None:
    """The test set that the files make, if any; other files of references are matched by ids."""
    from jurat.testsets import Role, SetFile, read_test_set

    given = [(at, Role("system", at.name) if at.name else None) for at in systems if at.is_set]
    if not given:
        return None
    # files of references are read together with the set, so that ids are matched
    given += [(at, Role("reference", at.name)) for at in references if at.is_set]
    files = [(read_file(at.path), role) for at, role in given]
    test_set = read_test_set([SetFile(file.name, file.data, role) for file, role in files])
    return SetTexts(test_set, files[0][0].name)


def set_references(at: TextLocation) -> dict[str, list[str]]:
    """The references in a file of a test set, in its own order."""
    from jurat.testsets import Role, SetFile, recognise
    from jurat.testsets.base import TextEntry, clean, in_role, tidy

    file = read_file(at.path)
    # the steps of `read_test_set` without `assemble`, which needs systems
    whole = clean(SetFile(file.name, file.data, Role("reference", at.name)))
    rows = in_role(list(recognise(whole)().read(whole)), whole)
    raise_problems([row for row in rows if isinstance(row, Problem)])
    found: dict[str, list[str]] = {}
    for row in rows:
        if isinstance(row, TextEntry) and row.kind == "reference":
            found.setdefault(row.name, []).append(tidy(row.text))
    return found


# A text for each segment.
TextColumn = Sequence[str]
# The columns of `ROW_IDS` that a table has.
RowIds = Mapping[str, TextColumn]
