"""Reads and writes tables: CSV, TSV, JSON Lines and Parquet.

CSV and TSV are read as texts; a column becomes numbers only when it is used as numbers, so that an
id like 007 is not changed.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.csv_cells import DEFUSED, FORMULA, HARMLESS, defuse, restore
from jurat.decoding import decode
from jurat.errors import InputError, Problem, input_error, raise_problems, unknown_name
from jurat.model import File
from jurat.tables.schema import FILE, LINE, hidden, plain, shortened, words

ENDINGS = ("csv", "tsv", "jsonl", "parquet")


def read_table(file: File) -> pl.DataFrame:
    """The rows of a file, with hidden columns for the file and line of each row.

    Empty fields are missing values in every format. Raises `InputError` with all lines that cannot
    be read.
    """
    match file.ending:
        case "csv" | "tsv":
            frame = _read_delimited(file)
        case "jsonl" | "ndjson":
            frame = _read_json_lines(file)
        case "parquet":
            frame = _read_parquet(file)
        case ending:
            raise unknown_name("kind of table", ending or file.name, ENDINGS, file=file.name)
    return frame.with_columns(pl.repeat(file.name, frame.height, eager=True).alias(FILE))


def read_tables(files: Sequence[File]) -> pl.DataFrame:
    """The rows of several files, concatenated; a column that a file lacks is null there.

    Raises `InputError` for files that cannot be read, have no rows, or have the same content.
    """
    frames: list[pl.DataFrame] = []
    problems: list[Problem] = []
    for file in files:
        try:
            frames.append(read_table(file))
        except InputError as error:
            problems.extend(error.problems)
        else:
            problems += _empty(file, frames[-1])
    raise_problems(problems or list(same_content(files)))
    return pl.concat(alike(frames), how="diagonal") if len(frames) > 1 else frames[0]


def _empty(file: File, frame: pl.DataFrame) -> list[Problem]:
    heading = any(not hidden(name) for name in frame.columns)
    message = "the table has a heading but no rows" if heading else "the file has no rows"
    return [] if frame.height else [Problem(message=message, file=file.name)]


def same_content(files: Sequence[File]) -> Iterator[Problem]:
    """A problem for each file that is given twice, under whatever name."""
    seen: dict[bytes, str] = {}
    for file in files:
        if file.data in seen:
            message = f"the file has the same content as {seen[file.data]}; give it once"
            yield Problem(message=message, file=file.name)
        seen.setdefault(file.data, file.name)


def write_table(frame: pl.DataFrame, ending: str) -> bytes:
    """The rows as the content of a file with that ending, without the hidden columns."""
    frame = frame.drop(name for name in frame.columns if hidden(name))
    out = io.BytesIO()
    match ending:
        case "csv":
            _defused(_dated(frame)).write_csv(out)
        case "tsv":
            raise_problems(list(_unwritable(frame)))
            _defused(_dated(frame)).write_csv(out, separator="\t", quote_style="never")
        case "jsonl" | "ndjson":
            _dated(frame).write_ndjson(out)
        case "parquet":
            frame.write_parquet(out)
        case _:
            raise unknown_name("kind of table", ending, ENDINGS)
    return out.getvalue()


def alike(frames: Sequence[pl.DataFrame]) -> list[pl.DataFrame]:
    """The frames, with columns converted to texts where their types differ between frames."""
    kinds: dict[str, set[pl.DataType]] = defaultdict(set)
    for frame in frames:
        for name, kind in frame.schema.items():
            kinds[name].add(kind)
    mixed = [name for name, found in kinds.items() if len(found) > 1]
    return [frame.with_columns(words(frame[n]) for n in mixed if n in frame) for frame in frames]


def _dated(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with times as texts."""
    return frame.with_columns(words(frame[n]) for n, k in frame.schema.items() if k == pl.Datetime)


def _defused(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with headings and texts that no spreadsheet takes for formulas."""
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    cells = (pl.col(texts).str.contains(FORMULA)) & ~pl.col(texts).str.contains(HARMLESS)
    safe = pl.when(cells).then(pl.col(texts).str.replace("^", "'")).otherwise(pl.col(texts))
    return (frame.with_columns(safe) if texts else frame).rename(defuse)


def _restored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame without the apostrophes of `_defused`."""
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    marked = [name for name in texts if frame[name].str.starts_with("'").any()]
    return frame.with_columns(pl.col(marked).str.replace(DEFUSED, "$1")) if marked else frame


def _unwritable(frame: pl.DataFrame) -> Iterator[Problem]:
    for name, kind in frame.schema.items():
        # numbers and times have no tabs; an empty series stands in for them
        told = frame[name] if kind == pl.String else pl.Series([""])
        if told.str.contains(r"[\t\n\r]").any() or re.search(r"[\t\n\r]", name):
            message = (
                f"'{name}' has tabs or line ends, which TSV cannot hold; write CSV or JSON Lines"
            )
            yield Problem(message=message, field=name)


# Characters within which the line of headings must end.
_LONGEST_HEADING = 1 << 20


class _Shape(NamedTuple):
    """The separator of a file's fields, and its quote character, if it has one."""

    separator: str
    quote: str | None


class _Rows(NamedTuple):
    """For each row: the line where it begins, its number of fields, and whether it is blank."""

    line: NDArray[np.int64]
    fields: NDArray[np.int64]
    blank: NDArray[np.bool_]


def _read_delimited(file: File) -> pl.DataFrame:
    """The rows of CSV (with quotes) or TSV (without); all must have as many fields as headings."""
    text = decode(file)
    if "\r" in text and "\n" not in text:
        raise input_error("lines end with CR alone; save the file with LF or CRLF", file=file.name)
    shape = _Shape("\t", None) if file.ending == "tsv" else _Shape(_separator(text), '"')
    names = _heading(file, text, shape)
    fast = _read_fast(text.encode(), shape, names)
    frame = fast if fast is not None else _read_slowly(file, text, shape, names)
    # for both readers the line of headings is a row like any other
    return _restored(frame.slice(1))


def _separator(text: str) -> str:
    """The separator in the line of headings: comma, semicolon (European spreadsheets) or tab."""
    # commas within quoted headings do not count
    heading = re.sub('"[^"]*"', "", text.partition("\n")[0])
    return next((sign for sign in ",;\t" if sign in heading), ",")


def _heading(file: File, text: str, shape: _Shape) -> list[str]:
    """The names of the columns; a column without a name gets its number."""
    if not text.partition("\n")[0].strip():
        raise input_error(
            "the first line, which names the columns, is empty", file=file.name, line=1
        )
    # bounded: an unclosed quote in the heading would otherwise take the whole file as one name
    _, cells = next(_split(file, text[:_LONGEST_HEADING], shape))
    names = [restore(cell.strip()) or f"column_{n}" for n, cell in enumerate(cells, 1)]
    _check_names(file, names)
    return names


def _check_names(file: File, names: Sequence[str]) -> None:
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    problems = [
        Problem(message=f"two columns are called '{n}'", file=file.name, line=1) for n in twice
    ]
    if any("\0" in name for name in names):
        problems.append(Problem(message="a column's name has a NUL character", file=file.name))
    raise_problems(problems)


def _read_fast(data: bytes, shape: _Shape, names: Sequence[str]) -> pl.DataFrame | None:
    """All rows, read by polars; None if rows differ in length or quotes are misplaced.

    polars silently fills short rows, so the lengths of rows are checked first.
    """
    rows = _layout(data, shape)
    if rows is None or (rows.fields != len(names))[~rows.blank].any():
        return None
    try:
        frame = pl.read_csv(
            data,
            separator=shape.separator,
            quote_char=shape.quote,
            has_header=False,
            new_columns=names,
            infer_schema=False,
            null_values="",
        )
    except pl.exceptions.PolarsError:
        return None
    # polars skips some blank lines: then the line of each row would be unknown
    if frame.height != len(rows.line):
        return None
    placed = frame.with_columns(pl.Series(LINE, rows.line))
    # a blank line is not a row, except in a table with one column, where it is an empty text
    return placed.filter(~rows.blank) if len(names) > 1 and rows.blank.any() else placed


def _layout(data: bytes, shape: _Shape) -> _Rows | None:
    """Line, number of fields and blankness of each row, computed from the bytes.

    None if quotes are not in pairs around whole fields.
    """
    signs = np.frombuffer(data, dtype=np.uint8)
    is_break, is_mark = signs == ord("\n"), signs == ord(shape.separator)
    breaks = np.flatnonzero(is_break)
    if shape.quote and shape.quote.encode() in data:
        is_quote = signs == ord(shape.quote)
        if not _well_quoted(signs, np.flatnonzero(is_quote), shape.separator):
            return None
        # after an odd number of quotes, separators and line ends belong to a field; the parity
        # of the sum is right even if it overflows
        outside = np.cumsum(is_quote, dtype=np.uint8) & 1 == 0
        is_break, is_mark = is_break & outside, is_mark & outside
    ends, marks = np.flatnonzero(is_break), np.flatnonzero(is_mark)
    # the last line may lack its line end
    if not len(ends) or ends[-1] != len(signs) - 1:
        ends = np.append(ends, len(signs))
    starts = np.concatenate([[0], ends[:-1] + 1])[: len(ends)]
    length = ends - starts
    blank = (length == 0) | ((length == 1) & (signs[starts.clip(max=len(signs) - 1)] == ord("\r")))
    # separators before the end of each row, less those before its beginning
    fields = np.diff(np.searchsorted(marks, ends), prepend=0) + 1
    return _Rows(np.searchsorted(breaks, starts) + 1, fields, blank)


def _well_quoted(signs: NDArray[np.uint8], quotes: NDArray[np.int64], separator: str) -> bool:
    """Whether quotes are in pairs around whole fields, and doubled inside them."""
    if len(quotes) % 2:
        return False
    allowed = np.zeros(256, dtype=bool)
    # a quote next to another is a doubled one within a field
    allowed[list(f'{separator}\r\n"'.encode())] = True
    before = signs[np.maximum(quotes[::2] - 1, 0)]
    after = signs[np.minimum(quotes[1::2] + 1, len(signs) - 1)]
    return bool(allowed[before].all() and allowed[after].all())


def _read_slowly(file: File, text: str, shape: _Shape, names: Sequence[str]) -> pl.DataFrame:
    """The rows read one by one with `csv`, which handles odd quotes and finds faulty lines."""
    rows: list[list[str | None]] = []
    places: list[int] = []
    problems: list[Problem] = []
    for line, cells in _split(file, text, shape):
        # in a table of one column, an empty line is an empty value
        if not cells and len(names) > 1:
            continue
        row = cells or [""]
        if len(row) != len(names):
            message = _wrong_length(len(row), len(names), shape)
            problems.append(Problem(message=message, file=file.name, line=line))
        rows.append([cell or None for cell in row])
        places.append(line)
    raise_problems(shortened(problems, len(problems)))
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return frame.with_columns(pl.Series(LINE, places))


def _wrong_length(found: int, wanted: int, shape: _Shape) -> str:
    quotable = found > wanted and shape.quote
    hint = f"; put a field that contains '{shape.separator}' in quotes" if quotable else ""
    return f"{found} field{'' if found == 1 else 's'} where the heading has {wanted}{hint}"


def _split(file: File, text: str, shape: _Shape) -> Iterator[tuple[int, list[str]]]:
    """Each row's first line and cells; no cells for a blank line."""
    each_line = io.StringIO(text, newline="\n")
    if not shape.quote:
        for n, line in enumerate(each_line, 1):
            text = line.removesuffix("\n").removesuffix("\r")
            yield n, text.split(shape.separator) if text else []
        return
    reader = csv.reader(each_line, delimiter=shape.separator, strict=True)
    at = 1
    try:
        for row in reader:
            yield at, row
            # line_num is the last line read so far, and a row may have several
            at = reader.line_num + 1
    except csv.Error as error:
        raise input_error(f"cannot be read as CSV: {error}", file=file.name, line=at) from None


def _read_json_lines(file: File) -> pl.DataFrame:
    data = decode(file).encode()
    # polars skips blank lines, so the lines of its rows have to be counted here
    told = [n for n, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if not told:
        return pl.DataFrame({LINE: []}, schema={LINE: pl.Int64})
    try:
        frame = pl.read_ndjson(data, infer_schema_length=None)
    except pl.exceptions.PolarsError:
        frame = _json_frame(list(_json_rows(file, data)))
    _check_kinds(file, frame)
    return _nothing_empty(frame).with_columns(pl.Series(LINE, told))


def _json_rows(file: File, data: bytes) -> Iterator[dict[str, object]]:
    """The rows read one by one; raises `InputError` with the faulty lines."""
    problems = []
    for n, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=dict[str, str | int | float | bool | None])
        except msgspec.MsgspecError as error:
            message = f"this is not a JSON object of plain values: {error}"
            problems.append(Problem(message=message, file=file.name, line=n))
    raise_problems(shortened(problems, len(problems)))


def _json_frame(rows: Sequence[dict[str, object]]) -> pl.DataFrame:
    """A frame of rows in which a column may have values of several types."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pl.DataFrame([_json_column(name, [row.get(name) for row in rows]) for name in names])


def _json_column(name: str, cells: Sequence[object]) -> pl.Series:
    """A column of the values' type if they have only one, else of texts."""
    kinds = {type(cell) for cell in cells if cell is not None}
    # JSON has whole numbers beyond 64 bits: as texts they stay exact, for they may be ids
    small = all(not isinstance(cell, int) or abs(cell) < 2**63 for cell in cells)
    if kinds <= {int, float} and small:
        kind = pl.Int64 if kinds == {int} else pl.Float64
        return pl.Series(name, cells, dtype=kind, strict=False)
    if len(kinds) == 1 and small:
        return pl.Series(name, cells)
    return pl.Series(name, [None if cell is None else _json_text(cell) for cell in cells])


def _json_text(cell: object) -> str:
    """A value as a text, as JSON writes it; msgspec writes no numbers beyond 64 bits."""
    whole = isinstance(cell, int) and not isinstance(cell, bool)
    return str(cell) if whole or isinstance(cell, str) else msgspec.json.encode(cell).decode()


def _read_parquet(file: File) -> pl.DataFrame:
    try:
        frame = pl.read_parquet(io.BytesIO(file.data))
    except pl.exceptions.PolarsError as error:
        raise input_error(
            f"cannot be read as Parquet: {str(error).splitlines()[0]}", file=file.name
        ) from None
    _check_kinds(file, frame)
    number = pl.int_range(1, frame.height + 1, dtype=pl.Int64, eager=True)
    return _nothing_empty(frame).with_columns(number.alias(LINE))


def _check_kinds(file: File, frame: pl.DataFrame) -> None:
    """Raise `InputError` for columns of lists, objects or bytes."""
    _check_names(file, frame.columns)
    odd = [n for n, kind in frame.schema.items() if kind.is_nested() or kind == pl.Binary]
    problems = [
        Problem(message=f"'{name}' holds lists, objects or bytes, not values", file=file.name)
        for name in odd
    ]
    raise_problems(problems)


def _nothing_empty(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with null for empty texts, which CSV and TSV cannot distinguish."""
    simple = frame.with_columns(plain(frame[name]) for name in frame.columns)
    return simple.with_columns(pl.col(pl.String).replace("", None))
