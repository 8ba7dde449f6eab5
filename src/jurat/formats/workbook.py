"""Excel workbooks of Jurat: a sheet for each of the long tables, and one for the texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import polars as pl

from jurat.errors import InputError, input_error
from jurat.formats.file_format import FileFormat, ReadTables, WrittenFiles
from jurat.formats.file_head import Sample
from jurat.formats.long_rows import TRANSLATION_COLUMNS
from jurat.model import File
from jurat.tables import TABLES, conform
from jurat.tables.archives import expanded_size, is_spreadsheet, largest_expansion
from jurat.tables.preferences import expand
from jurat.tables.schema import hidden, words
from jurat.tables.spreadsheets import read_sheet, sheet_names, write_workbook

TRANSLATIONS = "translations"
# What a preference is about, and what it says.
PAIR = ("judge", "item", "question", "position", "decided_at", "system_a", "system_b", "outcome")
# What a sheet of Excel holds at most, with the heading.
MOST_ROWS, LONGEST_CELL = 1_048_576, 32_767


class Workbook(FileFormat):
    """A workbook whose sheets are called like Jurat's tables."""

    name: ClassVar[str] = "excel"
    title: ClassVar[str] = "Jurat's tables in a workbook"
    endings: ClassVar[tuple[str, ...]] = ("xlsx",)
    holds: ClassVar[tuple[str, ...]] = (*TABLES,)

    def recognises(self, sample: Sample) -> bool:
        file = sample.file
        # a small file may declare a huge workbook: the reader of sheets says so
        if not is_spreadsheet(file) or expanded_size(file) > largest_expansion(file):
            return False
        try:
            names = sheet_names(file)
        except InputError:
            return False
        # a sheet of that name alone may be anybody's
        return len(names) > 1 and {*names} <= {*TABLES, TRANSLATIONS}

    def read(self, files: Sequence[File]) -> ReadTables:
        parts: dict[str, list[pl.DataFrame]] = {}
        for file in files:
            for name in sheet_names(file):
                frame, _ = read_sheet(file, sheet=name)
                parts.setdefault(name, []).append(_typed(name, frame))
        tables = {name: pl.concat(frames, how="diagonal") for name, frames in parts.items()}
        return ReadTables(tables=_apart(tables))

    def write(self, tables: Mapping[str, pl.DataFrame], *, ending: str) -> WrittenFiles:
        named = {name: frame for name, frame in tables.items() if frame.height}
        for name, frame in named.items():
            _check_size(name, frame)
        shown = {name: _shown(frame) for name, frame in named.items()}
        sheets = {name: (frame.columns, frame.iter_rows()) for name, frame in shown.items()}
        return WrittenFiles(files=[File("judgments.xlsx", write_workbook(sheets))])


def _apart(tables: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """The tables without preferences that follow from rankings, from which they are made again."""
    if "preferences" not in tables or "rankings" not in tables:
        return dict(tables)
    pairs, given = expand(tables["rankings"]), tables["preferences"]
    keys = [name for name in PAIR if name in pairs.columns and name in given.columns]
    others = given.join(pairs.select(keys), on=keys, how="anti", nulls_equal=True)
    return {**tables, "preferences": others}


def _typed(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    """A sheet with the types of its table; texts only for translations."""
    if name in TABLES:
        return conform(frame, TABLES[name])
    missing = [pl.lit(None, pl.String).alias(n) for n in TRANSLATION_COLUMNS if n not in frame]
    told = frame.with_columns(words(frame[n]) for n in TRANSLATION_COLUMNS if n in frame.columns)
    return told.with_columns(missing).select(TRANSLATION_COLUMNS)


def _check_size(name: str, frame: pl.DataFrame) -> None:
    """Raise `InputError` for a table that Excel would cut."""
    if frame.height >= MOST_ROWS:
        message = f"'{name}' has {frame.height:,} rows; a sheet of Excel holds {MOST_ROWS - 1:,}"
        raise input_error(f"{message}: write CSV or Parquet")
    for column, kind in frame.schema.items():
        longest = frame[column].str.len_chars().max() if kind == pl.String else 0
        if isinstance(longest, int) and longest > LONGEST_CELL:
            message = f"a text in '{name}' has {longest:,} characters; Excel holds {LONGEST_CELL:,}"
            raise input_error(f"{message}: write CSV or Parquet", field=column)


def _shown(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as cells: without hidden columns, times as texts."""
    shown = frame.drop(name for name in frame.columns if hidden(name))
    return shown.with_columns(
        words(shown[name]) for name, kind in shown.schema.items() if kind == pl.Datetime
    )
