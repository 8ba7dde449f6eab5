"""Tables that a program has in memory, as polars frames: pandas, polars, Arrow, dicts and lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from jurat.errors import input_error
from jurat.tables.schema import FILE, LINE

KINDS = "a path, a frame of pandas, polars or Arrow, a list of dicts, or a dict of columns"
# What messages call a table that has no file.
NAME = "table"


def frame_of(source: Any, *, what: str = "data") -> pl.DataFrame:
    """A table in memory as a polars frame, with hidden columns for the place of each row.

    Raises `InputError` if it is no table, or has no rows.
    """
    frame = _converted(source, what)
    if not frame.height:
        raise input_error(f"{what}: the table has no rows")
    place = pl.repeat(NAME, frame.height, eager=True).alias(FILE)
    return frame.with_columns(place).with_columns(
        pl.int_range(1, frame.height + 1, eager=True).alias(LINE)
    )


def _converted(source: Any, what: str) -> pl.DataFrame:
    if isinstance(source, pl.DataFrame):
        return _plain_columns(source)
    if isinstance(source, pl.LazyFrame):
        return _plain_columns(source.collect())
    # pandas itself is not imported: whoever has such a frame has it already
    if _is_pandas(source):
        return _plain_columns(pl.DataFrame(list(_pandas_columns(source))))
    if isinstance(source, Mapping):
        return _plain_columns(_of_columns(source, what))
    # a column of polars or Arrow has the same door as a table
    one_column = type(source).__name__ in ("Series", "ChunkedArray")
    if hasattr(source, "__arrow_c_stream__") and not one_column:
        return _plain_columns(pl.DataFrame(source))
    listed = isinstance(source, Sequence) and not isinstance(source, str | bytes)
    if listed and all(isinstance(row, Mapping) for row in source):
        return _plain_columns(_of_rows(source))
    kind = type(source).__name__
    raise input_error(f"{what}: this is no table, but of type {kind}; give {KINDS}")


def _is_pandas(source: object) -> bool:
    kind = type(source)
    return kind.__module__.partition(".")[0] == "pandas" and kind.__name__ == "DataFrame"


def _pandas_columns(frame: Any) -> Iterator[pl.Series]:
    """The columns of a pandas frame, and the levels of its index that have a name."""
    if frame.columns.nlevels > 1:
        raise input_error("the frame's columns have several levels; flatten them first")
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    twice = [str(name) for name in frame.columns[frame.columns.duplicated()]]
    if twice:
        raise input_error(f"the frame has several columns '{twice[0]}'")
    for name in frame.columns:
        yield _pandas_series(str(name), frame[name])


def _pandas_series(name: str, column: Any) -> pl.Series:
    # numpy's own numbers; pandas' nullable ones have no plain array
    if type(column.dtype).__module__.startswith("numpy") and column.dtype.kind in "iufb":
        return pl.Series(name, column.to_numpy(), nan_to_null=True)
    missing = column.isna()
    values = [None if lost else value for value, lost in zip(column, missing, strict=True)]
    return _series(name, values)


def _of_columns(columns: Mapping[Any, Any], what: str) -> pl.DataFrame:
    for name, column in columns.items():
        if isinstance(column, str | bytes) or not isinstance(column, Iterable):
            told = f"'{name}' holds one value, not a column"
            raise input_error(f"{what}: {told}; give lists, or a list of dicts")
    made = [
        column.alias(str(name))
        if isinstance(column, pl.Series)
        else _series(str(name), list(column))
        for name, column in columns.items()
    ]
    if len({len(series) for series in made}) > 1:
        sizes = ", ".join(f"{series.name} {len(series):,}" for series in made)
        raise input_error(f"{what}: the columns have different lengths: {sizes}")
    return pl.DataFrame(made)


def _of_rows(rows: Sequence[Mapping[Any, Any]]) -> pl.DataFrame:
    found = dict.fromkeys(name for row in rows for name in row)
    return pl.DataFrame([_series(str(name), [row.get(name) for row in rows]) for name in found])


def _series(name: str, values: list[Any]) -> pl.Series:
    """A column of values; where their types differ, numbers and texts become texts."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) > 1 and not all(issubclass(kind, int | float) for kind in kinds):
        values = [None if value is None else _text(value) for value in values]
    return pl.Series(name, values, strict=False, nan_to_null=True)


def _text(value: Any) -> str:
    # 7 and 7.0 are the same id, as in files
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _plain_columns(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame without columns of lists, structs or objects, which hold no answers."""
    nested = [name for name, kind in frame.schema.items() if kind.is_nested() or kind == pl.Object]
    return frame.drop(nested)
