"""Reads CSV and TSV: as texts, so that an id like 007 is not changed, with the line of each row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.csv_cells import DEFUSED, restore
from jurat.decoding import decode
from jurat.errors import Problem, input_error, raise_problems
from jurat.model import File
from jurat.tables.column_checks import bare_name, check_names
from jurat.tables.schema import LINE, shortened

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


# What Python's reader says, in words for who wrote the file.
_CSV_ERRORS = {"unexpected end of data": "a quotation mark opens here and is never closed"}
# Separators of files in which numbers may have decimal commas.
_EUROPEAN = (";", "\t")
_DECIMALS = r"^\s*[+-]?\d+(,\d+)?\s*$"
# Numbers that may also be thousands: 1,234.
_THOUSANDS = r"^\s*[+-]?\d{1,3}(,\d{3})*\s*$"


def read_delimited(
    file: File, header: Sequence[str] = (), *, tabs: bool = False
) -> tuple[pl.DataFrame, list[str]]:
    """The rows of CSV (with quotes) or TSV (without), and notes on what was converted.

    `header` names the columns of a file without a heading. Raises `InputError` for rows that have
    not as many fields as headings.
    """
    text = decode(file)
    if "\r" in text and "\n" not in text:
        raise input_error("lines end with CR alone; save the file with LF or CRLF", file=file.name)
    shape = _Shape("\t", None) if tabs else _Shape(_separator(text, len(header)), '"')
    names = _given(file, text, shape, header) if header else _heading(file, text, shape)
    fast = _read_fast(text.encode(), shape, names)
    frame = fast if fast is not None else _read_slowly(file, text, shape, names)
    # for both readers the line of headings is a row like any other
    restored = _restored(frame if header else frame.slice(1))
    return with_points(restored, file) if shape.separator in _EUROPEAN else (restored, [])


def _restored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame without the apostrophes that Jurat put before what looked like formulas."""
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    marked = [name for name in texts if frame[name].str.starts_with("'").any()]
    return frame.with_columns(pl.col(marked).str.replace(DEFUSED, "$1")) if marked else frame


def _given(file: File, text: str, shape: _Shape, header: Sequence[str]) -> list[str]:
    """The names of `--header`; raises `InputError` if the first row has not as many fields."""
    _, cells = next(_split(file, text[:_LONGEST_HEADING], shape), (1, []))
    if len(cells) != len(header):
        message = f"the first row has {len(cells)} fields, and --header names {len(header)}"
        raise input_error(message, file=file.name, line=1)
    check_names(file, header)
    return list(header)


def with_points(frame: pl.DataFrame, file: File) -> tuple[pl.DataFrame, list[str]]:
    """The frame with points instead of decimal commas in columns of such numbers, and a note."""
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    decimal = [name for name in texts if _has_decimal_commas(frame[name])]
    if not decimal:
        return frame, []
    points = frame.with_columns(pl.col(decimal).str.replace(",", ".", literal=True))
    return points, [f"{file.name}: decimal commas are read as points in {', '.join(decimal)}"]


def _has_decimal_commas(values: pl.Series) -> bool:
    told = values.drop_nulls()
    # the first value alone decides for most columns that they hold no such numbers
    if not told.len() or not told.head(1).str.contains(_DECIMALS).all():
        return False
    numbers = told.str.contains(_DECIMALS).all() and told.str.contains(",", literal=True).any()
    return bool(numbers and not told.str.contains(_THOUSANDS).all())


def _separator(text: str, fields: int = 0) -> str:
    """The separator in the first line: comma, semicolon (European spreadsheets) or tab.

    Where the number of fields is known, the separator is the one that makes so many.
    """
    # commas within quoted headings do not count
    heading = re.sub('"[^"]*"', "", text.partition("\n")[0])
    fitting = (sign for sign in ",;\t" if fields > 1 and heading.count(sign) == fields - 1)
    return next(fitting, next((sign for sign in ",;\t" if sign in heading), ","))


def _heading(file: File, text: str, shape: _Shape) -> list[str]:
    """The names of the columns; a column without a name gets its number."""
    if not text.strip():
        raise input_error("the file is empty", file=file.name)
    if re.match(r"\s*<(!doctype html|html)", text, re.IGNORECASE):
        raise input_error("this is a web page (HTML), not a table", file=file.name)
    if re.match(r'\s*(\[\s*)?\{\s*"', text):
        raise input_error("this is JSON, not CSV; name it .json or .jsonl", file=file.name)
    if text.startswith("version https://git-lfs"):
        message = "this is a pointer of Git LFS, not the file itself; fetch it with git lfs pull"
        raise input_error(message, file=file.name)
    if re.match(r"sep=.\s*\n", text):
        message = (
            "the first line tells Excel the separator; remove it, so that the heading is first"
        )
        raise input_error(message, file=file.name, line=1)
    if not text.partition("\n")[0].strip():
        raise input_error(
            "the first line, which names the columns, is empty", file=file.name, line=1
        )
    # bounded: an unclosed quote in the heading would otherwise take the whole file as one name
    _, cells = next(_split(file, text[:_LONGEST_HEADING], shape))
    names = [restore(bare_name(cell)) or f"column_{n}" for n, cell in enumerate(cells, 1)]
    check_names(file, names)
    return names


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
    _refuse_title(file, [len(row) for row in rows], len(names))
    raise_problems(shortened(problems, len(problems)))
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return frame.with_columns(pl.Series(LINE, places))


def _refuse_title(file: File, lengths: Sequence[int], named: int) -> None:
    """Raise `InputError` if the first lines have a single field, and all others as many more."""
    above = next((n for n, length in enumerate(lengths) if length > 1), 0)
    if named == 1 and above and len(lengths) > above + 1 and len({*lengths[above:]}) == 1:
        lines = "line has" if above == 1 else f"{above} lines have"
        told = f"the first {lines} 1 field, and all others {lengths[above]}"
        raise input_error(f"{told}: remove what stands above the heading", file=file.name, line=1)


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
        told = _CSV_ERRORS.get(str(error), f"cannot be read as CSV: {error}")
        raise input_error(told, file=file.name, line=at) from None
