"""The columns of a user's table, by their own names or those that options give them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import polars as pl

from jurat.errors import unknown_name
from jurat.tables.column_map import mapped, parse_columns
from jurat.tables.schema import (
    JUDGMENTS,
    OF_FILE,
    cast_column,
    hidden,
    words,
)

# Columns whose names are common words, which may mean something else in a user's table.
_COMMON = ("phase", "position", "probability", "status")
_KINDS = {c.name: c for c in JUDGMENTS.columns if c.name in _COMMON}


def is_foreign(name: str, values: pl.Series) -> bool:
    """Whether a column has one of Jurat's names but no value that fits, as a `status` of "ok".

    Such a column means something else, and only conditions use it.
    """
    column = _KINDS.get(name)
    # an empty column says nothing either way
    if column is None or values.null_count() == len(values):
        return False
    if column.allowed:
        return not words(values).is_in(column.allowed).any()
    return cast_column(values, column.type).null_count() == len(values)


def visible(frame: pl.DataFrame) -> dict[str, pl.Series]:
    """The columns that a user can name; where both have a name, the file's column."""
    # hidden names begin with NUL, and so does OF_FILE: these columns are added below
    own = {name: frame[name] for name in frame.columns if not hidden(name)}
    return own | {n.removeprefix(OF_FILE): frame[n] for n in frame.columns if n.startswith(OF_FILE)}


def names_in_file(frame: pl.DataFrame) -> tuple[str, ...]:
    """The names of the file's columns; those of the frame where they have no prefix."""
    told = tuple(n.removeprefix(OF_FILE) for n in frame.columns if n.startswith(OF_FILE))
    return told or tuple(visible(frame))


def with_own_names(table: pl.DataFrame, columns: str, known: Collection[str]) -> pl.DataFrame:
    """The file's columns with the prefix `OF_FILE`, and Jurat's columns by the column map."""
    chosen = parse_columns(columns, known)
    file_columns = {name: table[name] for name in table.columns if not hidden(name)}
    own = {
        name: series
        for name, series in file_columns.items()
        if name in known and not is_foreign(name, series)
    }
    own |= {name: mapped(parts, file_columns, table.height) for name, parts in chosen.items()}
    # results are listed by question, and the column's name is the best there is
    if "value" in chosen and "question" not in own:
        question = "+".join(part.text for part in chosen["value"])
        own["question"] = pl.repeat(question, table.height, eager=True)
    # a file's `value` may mean something else than Jurat's: both are kept, under two names
    frame = table.rename({name: OF_FILE + name for name in file_columns})
    return frame.with_columns(series.alias(name) for name, series in own.items())


def columns_named(names: Iterable[str], frame: pl.DataFrame) -> dict[str, pl.Series]:
    """The file's or Jurat's columns of these names; raises `InputError` for an unknown one."""
    there = visible(frame)
    for name in names:
        if name not in there:
            raise unknown_name("column in the file", name, there)
    return {name: there[name] for name in names}
