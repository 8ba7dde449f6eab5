"""Reads metric scores, and texts to be scored, from tables."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import polars as pl

from jurat.decoding import decode, lines
from jurat.errors import input_error, quoted, raise_problems, unknown_name
from jurat.model import File
from jurat.tables.column_map import parse_columns
from jurat.tables.io import read_table
from jurat.tables.named_columns import columns_named, visible, with_own_names
from jurat.tables.reshape import lengthen
from jurat.tables.row_filter import natural
from jurat.tables.schema import FILE, LINE, SCORES, conform, faulty_rows, hidden, plain, words

KEYS = ("document", "segment", "system", "reference")


def scores(table: pl.DataFrame, *, columns: str = "", metrics: Sequence[str] = ()) -> pl.DataFrame:
    """The long table of scores, from a long or a wide table.

    The metrics of a wide table are the columns in `metrics`, or else all numeric columns. A row
    without a segment is a score of the whole system. Raises `InputError` for contradictory scores.
    """
    frame = with_own_names(table, columns, SCORES.schema)
    if not ({"metric", "value"} <= set(frame.columns)):
        told = metrics or _numeric(frame, columns)
        # wide: a column per metric
        frame = lengthen(frame, columns_named(told, frame), "metric")
    elif metrics:
        known = words(frame["metric"]).unique().drop_nulls().sort().to_list()
        for name in metrics:
            if name not in known:
                raise unknown_name("metric", name, known)
        frame = frame.filter(words(frame["metric"]).is_in(metrics))
    told = [name for name in frame.columns if name in SCORES.schema or name in (FILE, LINE)]
    kept = frame.select(told).filter(~_missing(frame["value"]))
    return _once(conform(kept, SCORES)).drop(FILE, LINE, strict=False)


def _missing(values: pl.Series) -> pl.Series:
    """Which values are missing: null, or `nan` as metrics write it."""
    none = plain(values).is_null()
    return none | (values.str.to_lowercase() == "nan") if values.dtype == pl.String else none


def _once(found: pl.DataFrame) -> pl.DataFrame:
    """The scores without repetitions; raises `InputError` if two scores contradict each other.

    A table with a row per judge repeats the score of a translation in each row.
    """
    keys = [name for name in SCORES.schema if name in found.columns and name != "value"]
    single = found.unique([*keys, "value"], keep="first", maintain_order=True)
    twice = single.select(keys).is_duplicated()
    raise_problems(
        faulty_rows(single, twice, "'{}' has two different scores for the same thing", "metric")
    )
    return single


def column_texts(
    file: File, columns: Sequence[str], optional: Sequence[str] = ()
) -> dict[str, list[str]]:
    """The texts of columns of a table, or of fields of JSON Lines; missing ones are empty.

    `optional` names further columns that are read where the file has them.
    """
    if file.ending in ("jsonl", "ndjson"):
        return _fields(file, columns, optional)
    table = read_table(file)
    for column in columns:
        if column not in table.columns:
            known = [name for name in table.columns if not hidden(name)]
            raise unknown_name("column", column, known, file=file.name)
    names = (*columns, *(name for name in optional if name in table.columns))
    return {name: words(table[name]).fill_null("").to_list() for name in names}


def _fields(file: File, names: Sequence[str], optional: Sequence[str]) -> dict[str, list[str]]:
    """The fields line by line, because polars cannot read other fields of mixed types."""
    found: dict[str, list[str]] = {name: [] for name in (*names, *optional)}
    known: dict[str, None] = {}
    for number, line in enumerate(lines(decode(file)), 1):
        if line.strip():
            row = _decoded(file, number, line)
            known |= dict.fromkeys(row)
            for name, column in found.items():
                column.append(_text(file, number, row.get(name)))
    for name in names:
        if name not in known:
            raise unknown_name("field", name, known, file=file.name)
    return {name: column for name, column in found.items() if name in known}


def _decoded(file: File, number: int, line: str) -> dict[str, object]:
    try:
        return msgspec.json.decode(line, type=dict[str, object])
    except msgspec.MsgspecError as error:
        message = f"this is not a JSON object: {error}"
        raise input_error(message, file=file.name, line=number) from None


def _text(file: File, number: int, value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        # as JSON writes them: `true`, not Python's `True`
        case int() | float():
            return msgspec.json.encode(value).decode()
    raise input_error(f"expected a text, got {quoted(value)}", file=file.name, line=number)


def _numeric(frame: pl.DataFrame, columns: str) -> list[str]:
    """The numeric columns that are not document, segment, system or reference."""
    chosen = parse_columns(columns, SCORES.schema)
    # columns that the map uses for something else are no metrics
    used = {part.text for parts in chosen.values() for part in parts if not part.literal}
    others = {n: s for n, s in visible(frame).items() if n not in (*KEYS, *used)}
    told = {name: series.filter(~_missing(series)) for name, series in others.items()}
    metrics = [name for name, series in told.items() if natural(series).dtype.is_float()]
    if not metrics:
        raise input_error(
            "no column holds scores; name them with --metrics", allowed=tuple(visible(frame))
        )
    return metrics
