"""Reads and writes tables: CSV, TSV, JSON, Parquet and spreadsheets, also compressed."""

from __future__ import annotations

import codecs
import io
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import polars as pl

from jurat.csv_cells import FORMULA, HARMLESS, defuse
from jurat.errors import InputError, Problem, input_error, raise_problems, unknown_name
from jurat.model import File
from jurat.tables.archives import is_spreadsheet, unpacked
from jurat.tables.column_checks import check_kinds, nothing_empty
from jurat.tables.delimited import read_delimited
from jurat.tables.json_rows import read_json_lines, read_json_list
from jurat.tables.schema import FILE, LINE, hidden, words
from jurat.tables.spreadsheets import read_sheet

# Endings of tables that are written, and of those that are read.
ENDINGS = ("csv", "tsv", "jsonl", "parquet")
READABLE = (*ENDINGS, "json", "xlsx", "ods")
# Endings that may hold any kind of text table.
_UNCLEAR = ("", "txt", "dat", "log", "data", "xls")
# The first bytes of Word's and Excel's files until 2003.
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"


class TableOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options for opening tables, named as on the command line."""

    header: tuple[str, ...] = ()
    """The names of the columns of a file that has no heading."""
    sheet: str = ""
    """The sheet of a spreadsheet."""
    read_as: str = ""
    """The name of the files' format, or `table`, if they are not to be recognised."""


class OpenedTable(NamedTuple):
    """The rows of files, and what a reader of results has to know about how they were read."""

    frame: pl.DataFrame
    notes: tuple[str, ...] = ()


def read_table(file: File, options: TableOptions | None = None) -> pl.DataFrame:
    """The rows of a file, with hidden columns for the file and line of each row.

    Empty fields are missing values in every format. Raises `InputError` with all lines that cannot
    be read.
    """
    return open_table(file, options).frame


def open_table(file: File, options: TableOptions | None = None) -> OpenedTable:
    """The rows of a file, as `read_table` gives them, and notes on what was chosen or converted."""
    chosen = options or TableOptions()
    members = unpacked(file)
    if len(members) > 1:
        names = tuple(member.name for member in members)
        raise input_error("the archive holds several files; give one of them", allowed=names)
    file = members[0]
    kind = kind_of_table(file)
    if file.data.startswith(_OLD_OFFICE) and file.ending == "xls":
        message = "this is a workbook of old Excel (.xls); save it as .xlsx or .csv"
        raise input_error(message, file=file.name)
    if chosen.sheet and kind not in ("xlsx", "ods"):
        raise input_error("--sheet is for spreadsheets (.xlsx, .ods)", file=file.name)
    notes: list[str] = []
    match kind:
        case "csv" | "tsv":
            frame, notes = read_delimited(file, chosen.header, tabs=kind == "tsv")
        case "xlsx" | "ods":
            frame, notes = read_sheet(file, sheet=chosen.sheet, header=chosen.header)
        case _ if chosen.header:
            message = "--header is for files without names of columns: CSV, TSV, spreadsheets"
            raise input_error(message, file=file.name)
        case "jsonl" | "ndjson":
            frame = read_json_lines(file)
        case "json":
            frame = read_json_list(file)
        case "parquet":
            frame = _read_parquet(file)
        case ending:
            raise unknown_name("kind of table", ending or file.name, READABLE, file=file.name)
    named = frame.with_columns(pl.repeat(file.name, frame.height, eager=True).alias(FILE))
    return OpenedTable(named, tuple(notes))


def kind_of_table(file: File) -> str:
    """The kind of table a file holds: by its first bytes, else its ending, else its first line."""
    if file.data.startswith(b"PAR1"):
        return "parquet"
    if is_spreadsheet(file):
        return "ods" if file.ending == "ods" else "xlsx"
    if file.ending not in _UNCLEAR:
        return file.ending
    start = file.data[: 1 << 16].removeprefix(codecs.BOM_UTF8).lstrip()
    if start[:1] in (b"{", b"["):
        return "jsonl" if start[:1] == b"{" else "json"
    return "tsv" if b"\t" in start.partition(b"\n")[0] else "csv"


def read_tables(files: Sequence[File], options: TableOptions | None = None) -> pl.DataFrame:
    """The rows of several files, concatenated; a column that a file lacks is null there.

    Raises `InputError` for files that cannot be read, have no rows, or have the same content.
    """
    return open_tables(files, options).frame


def open_tables(files: Sequence[File], options: TableOptions | None = None) -> OpenedTable:
    """The rows of several files, as `read_tables` gives them, and all notes."""
    opened: list[OpenedTable] = []
    problems: list[Problem] = []
    for file in files:
        try:
            opened.append(open_table(file, options))
        except InputError as error:
            problems.extend(error.problems)
        else:
            problems += _empty(file, opened[-1].frame)
    raise_problems(problems or list(same_content(files)))
    frames = [table.frame for table in opened]
    notes = [note for table in opened for note in table.notes]
    notes += _nothing_shared([file.name for file in files], frames)
    return OpenedTable(concatenated(frames), tuple(notes))


def _nothing_shared(names: Sequence[str], frames: Sequence[pl.DataFrame]) -> Iterator[str]:
    """A note on each file that has no column of the first one, and so no row that would count."""
    first, *others = ({n for n in frame.columns if not hidden(n)} for frame in frames)
    for name, columns in zip(names[1:], others, strict=True):
        if not first & columns:
            told = ", ".join(sorted(columns))
            yield f"{name} has none of the columns of {names[0]}, but {told}"


def concatenated(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The frames one under the other; a column that a frame lacks is null there.

    Columns whose types differ become texts.
    """
    return pl.concat(_alike(frames), how="diagonal") if len(frames) > 1 else frames[0]


def _empty(file: File, frame: pl.DataFrame) -> list[Problem]:
    heading = any(not hidden(name) for name in frame.columns)
    message = "the table has a heading but no rows" if heading else "the file has no rows"
    return [] if frame.height else [Problem(message=message, file=file.name)]


def same_content(files: Sequence[File]) -> Iterator[Problem]:
    """A problem for each file that is given twice, under whatever name."""
    by_size: dict[int, list[File]] = {}
    for file in files:
        # content is compared where sizes are equal, since large files are not in memory
        others = by_size.setdefault(file.size, [])
        if same := next((one for one in others if one.data == file.data), None):
            message = f"the file has the same content as {same.name}; give it once"
            yield Problem(message=message, file=file.name)
        others.append(file)


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


def _alike(frames: Sequence[pl.DataFrame]) -> list[pl.DataFrame]:
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


def _unwritable(frame: pl.DataFrame) -> Iterator[Problem]:
    for name, kind in frame.schema.items():
        # numbers and times have no tabs; an empty series stands in for them
        told = frame[name] if kind == pl.String else pl.Series([""])
        if told.str.contains(r"[\t\n\r]").any() or re.search(r"[\t\n\r]", name):
            message = (
                f"'{name}' has tabs or line ends, which TSV cannot hold; write CSV or JSON Lines"
            )
            yield Problem(message=message, field=name)


def _read_parquet(file: File) -> pl.DataFrame:
    try:
        frame = pl.read_parquet(io.BytesIO(file.data))
    except pl.exceptions.PolarsError as error:
        raise input_error(
            f"cannot be read as Parquet: {str(error).splitlines()[0]}", file=file.name
        ) from None
    check_kinds(file, frame)
    number = pl.int_range(1, frame.height + 1, dtype=pl.Int64, eager=True)
    return nothing_empty(frame).with_columns(number.alias(LINE))
