"""Marked errors from any file of judgments, to be shown to other judges as suggestions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from jurat.errors import input_error
from jurat.formats.detection import recognise
from jurat.formats.file_format import ReadTables
from jurat.formats.read import open_files, read_judgments
from jurat.model import File
from jurat.tables import conform
from jurat.tables.io import concatenated, open_table
from jurat.tables.schema import SPANS

# What a plain table of marked errors has.
NEEDED = ("document", "segment", "system", "start", "end", "severity")
# Rows of a campaign that count; without a status all do.
COUNTING = ("valid", "adjudicated")
# Controls whose texts are those of the test set.
UNCHANGED = ("repeat", "easy", "gold")


@dataclass(frozen=True, kw_only=True)
class MarkedErrors:
    """Marked errors, with what was looked at and the texts, where files say it."""

    spans: pl.DataFrame
    judged: pl.DataFrame | None
    """Judgments, which also say where nothing was marked; None where only errors are listed."""
    texts: pl.DataFrame | None
    """The translations in which the errors were marked."""
    notes: tuple[str, ...]


def read_marked_errors(files: Sequence[File]) -> MarkedErrors:
    """The errors that are marked in files of any format, or in plain tables of errors.

    Rows that do not count, of tutorials and of damaged translations are left out. Raises
    `InputError` for files without marked errors.
    """
    opened = open_files(files)
    plain = [file for file in opened.files if _is_table_of_errors(file)]
    others = [file for file in opened.files if file not in plain]
    read = read_judgments(others) if others else ReadTables()
    found = read.tables
    frames = [_typed(open_table(file).frame) for file in plain]
    frames += [found["spans"]] if "spans" in found else []
    if not frames:
        message = "there are no marked errors in these files"
        raise input_error(message, file=files[0].name, allowed=NEEDED)
    judged = found.get("judgments")
    return MarkedErrors(
        spans=_counting(concatenated(frames)),
        judged=None if judged is None else _counting(judged),
        texts=found.get("translations"),
        notes=(*opened.notes, *read.notes),
    )


def _is_table_of_errors(file: File) -> bool:
    if recognise(file) is not None:
        return False
    return {*NEEDED[3:]} <= {*open_table(file).frame.columns}


def _typed(frame: pl.DataFrame) -> pl.DataFrame:
    """A plain table of marked errors with the types of the long table."""
    if "item" not in frame.columns:
        frame = frame.with_columns(pl.lit("").alias("item"))
    return conform(frame, SPANS)


def _counting(table: pl.DataFrame) -> pl.DataFrame:
    """The rows of a table that count, of the evaluation and of texts as the test set has them."""
    rules = {
        "status": pl.col("status").is_in(COUNTING),
        "phase": pl.col("phase") == "evaluation",
        "control": pl.col("control").is_in(UNCHANGED),
    }
    known = [rule.fill_null(value=True) for name, rule in rules.items() if name in table.columns]
    return table.filter(pl.all_horizontal(known)) if known else table
