"""Reads tables from JSON: an object a line, or a list of objects."""

from __future__ import annotations

import codecs
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec
import polars as pl

from jurat.decoding import decode
from jurat.errors import Problem, input_error, raise_problems
from jurat.model import File
from jurat.tables.column_checks import check_kinds, check_names, nothing_empty, value_column
from jurat.tables.schema import LINE, shortened

# The values that a cell may have.
Cell = str | int | float | bool | None
Decoded = TypeVar("Decoded")


def read_json_lines(file: File) -> pl.DataFrame:
    """The rows of JSON Lines; raises `InputError` with the lines that are no objects of values."""
    data = decode(file).encode()
    # polars skips blank lines, so the lines of its rows have to be counted here
    told = [n for n, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if not told:
        return pl.DataFrame({LINE: []}, schema={LINE: pl.Int64})
    try:
        frame = pl.read_ndjson(data, infer_schema_length=None)
    except pl.exceptions.PolarsError:
        frame = _json_frame(file, list(_json_rows(file, data)))
    check_kinds(file, frame)
    return nothing_empty(frame).with_columns(pl.Series(LINE, told))


def _json_rows(file: File, data: bytes) -> Iterator[Mapping[str, object]]:
    """The rows read one by one; raises `InputError` with the faulty lines."""
    problems = []
    for n, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            yield decoded(line, dict[str, Cell])
        except msgspec.MsgspecError as error:
            message = f"this is not a JSON object of plain values: {error}"
            problems.append(Problem(message=message, file=file.name, line=n))
    raise_problems(shortened(problems, len(problems)))


def decoded(data: bytes, kind: type[Decoded]) -> Decoded:
    """JSON of that kind, also with Python's NaN for a missing number.

    Raises `msgspec.MsgspecError` for anything else.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except UnicodeDecodeError:
        raise msgspec.DecodeError("this is not UTF-8; save it as UTF-8") from None
    except msgspec.MsgspecError:
        if not any(word in data for word in (b"NaN", b"Infinity")):
            raise
        try:
            told = json.loads(data, parse_constant=_NUMBERS.get)
        except (ValueError, RecursionError):
            told = None
        if told is None:
            raise
    return msgspec.convert(told, kind)


# What Python writes where JSON has no number; a table with infinite ones is refused later.
_NUMBERS = {"NaN": None, "Infinity": math.inf, "-Infinity": -math.inf}


def _json_frame(file: File, rows: Sequence[Mapping[str, object]]) -> pl.DataFrame:
    """A frame of rows in which a column may have values of several types."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    check_names(file, names)
    return pl.DataFrame([value_column(name, [row.get(name) for row in rows]) for name in names])


def read_json_list(file: File) -> pl.DataFrame:
    """The rows of a list of objects; the line of a row is its number in the list.

    Raises `InputError` for other JSON, and for values that are lists or objects.
    """
    data = file.data.removeprefix(codecs.BOM_UTF8)
    try:
        rows = decoded(data, list[dict[str, Cell]])
    except msgspec.MsgspecError as error:
        message = f"this is not a JSON list of objects with plain values: {error}"
        # pandas writes a frame as an object of columns, unless it is told otherwise
        hint = '; pandas writes one with orient="records"' if data.lstrip()[:1] == b"{" else ""
        raise input_error(f"{message}{hint}", file=file.name) from None
    except RecursionError:
        raise input_error("the JSON is nested too deeply", file=file.name) from None
    if not rows:
        return pl.DataFrame({LINE: []}, schema={LINE: pl.Int64})
    frame = _json_frame(file, rows)
    check_kinds(file, frame)
    number = pl.int_range(1, frame.height + 1, dtype=pl.Int64, eager=True)
    return nothing_empty(frame).with_columns(number.alias(LINE))
