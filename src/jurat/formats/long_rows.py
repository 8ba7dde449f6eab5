"""Collects the rows of long tables, and puts the tables of several files together."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from jurat.formats.file_format import ReadTables
from jurat.tables.column_map import joined
from jurat.tables.io import concatenated
from jurat.tables.schema import FILE, LINE, TIME, Table, conform, words

# What a judgment's item consists of, in every format.
ITEM_PARTS = ("document", "segment", "system")
# Tags that hold numbers: the place on the screen, the right answer of a control, and where in the
# source an error is marked.
NUMBERS = {
    LINE: pl.Int64,
    "slot": pl.Int64,
    "expected": pl.Float64,
    "source_start": pl.Int64,
    "source_end": pl.Int64,
}
TRANSLATION_COLUMNS = ("document", "segment", "system", "source", "translation", "reference")

# Source, translation and reference by document, segment and system.
Texts = dict[tuple[str | None, str | None, str | None], tuple[str | None, ...]]


class LongRows:
    """Rows of one long table; a cell that is not given is missing.

    Columns that the table does not have are tags: texts, but for those in `NUMBERS`.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._cells: dict[str, list[object]] = {}
        self._height = 0
        # the names in the last row and their columns: nearly all rows have the same names
        self._names: tuple[str, ...] = ()
        self._columns: list[list[object]] = []

    def __len__(self) -> int:
        return self._height

    def add(self, file: str, line: int | None, **cells: object) -> None:
        """Add a row that stands in a line of a file; times are Unix seconds."""
        cells[FILE], cells[LINE] = file, line
        names = tuple(cells)
        if names != self._names:
            self._fill()
            self._names = names
            self._columns = [self._cells.setdefault(n, [None] * self._height) for n in names]
        for column, cell in zip(self._columns, cells.values(), strict=True):
            column.append(cell)
        self._height += 1

    def _fill(self) -> None:
        """Make all columns as long as there are rows; what was not given is missing."""
        for column in self._cells.values():
            column.extend([None] * (self._height - len(column)))

    def frame(self) -> pl.DataFrame:
        """The rows, with `item` made of document, segment and system; empty columns are left out.

        It can be called once, since it frees the rows. Raises `InputError` for values that do not
        fit the table.
        """
        self._fill()
        self._names, self._columns = (), []
        columns = []
        for name in list(self._cells):
            # each column is freed once it is converted, so that a large table is not held twice
            cells = self._cells.pop(name)
            columns.append(pl.Series(name, cells, dtype=self._type(name), strict=False))
        told = [column for column in columns if column.null_count() < len(column)]
        frame = pl.DataFrame(told)
        parts = [words(frame[name]) for name in ITEM_PARTS if name in frame.columns]
        if "item" not in frame.columns:
            frame = frame.with_columns(joined(parts).alias("item"))
        elif parts and frame["item"].null_count():
            frame = frame.with_columns(pl.coalesce("item", joined(parts)))
        return conform(frame, self.table)

    def _type(self, name: str) -> pl.DataType | type[pl.DataType]:
        kind = self.table.schema.get(name, NUMBERS.get(name, pl.String))
        # `conform` turns Unix seconds into times
        return pl.Float64 if kind == TIME else kind


def tables_of(*rows: LongRows) -> dict[str, pl.DataFrame]:
    """The frames of those tables that have rows, by name."""
    return {each.table.name: each.frame() for each in rows if len(each)}


def merged(parts: Iterable[ReadTables]) -> ReadTables:
    """The tables of several parts, one under the other, and all their notes."""
    found = list(parts)
    names = dict.fromkeys(name for part in found for name in part.tables)
    tables = {
        name: concatenated([p.tables[name] for p in found if name in p.tables]) for name in names
    }
    return ReadTables(
        tables=tables, notes=tuple(dict.fromkeys(note for p in found for note in p.notes))
    )


def translation_table(texts: Texts) -> pl.DataFrame:
    """The table of translations, from the texts of each."""
    # by column, which is faster than by row
    columns = [*zip(*texts, strict=True), *zip(*texts.values(), strict=True)]
    named = zip(TRANSLATION_COLUMNS, columns or [()] * len(TRANSLATION_COLUMNS), strict=True)
    return pl.DataFrame([pl.Series(name, cells, dtype=pl.String) for name, cells in named])
