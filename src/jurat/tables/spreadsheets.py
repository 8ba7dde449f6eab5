"""Reads sheets of Excel (.xlsx) and OpenDocument (.ods) files, and writes Excel workbooks."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

import polars as pl

from jurat.errors import InputError, Problem, input_error, unknown_name
from jurat.model import File
from jurat.tables.archives import expanded_size, is_spreadsheet, largest_expansion, too_large
from jurat.tables.column_checks import bare_name, check_names, nothing_empty, value_column
from jurat.tables.delimited import with_points
from jurat.tables.schema import LINE

# Rows at the top of a sheet among which the heading is looked for.
TOP = 50
# The share of the widest row's cells that a heading must fill.
FILLED = 0.6
# What the members of a damaged spreadsheet may raise; NotImplementedError: an unknown compression,
# ValueError: a place before the beginning.
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)
# Cells of the smallest rectangle that has all cells of a sheet.
MOST_CELLS = 50_000_000
_CELL = re.compile(rb'<(?:\w+:)?c\b[^>]*? r="([A-Z]+)(\d+)"')
# Of OpenDocument: sheets, rows and cells, and how often a row or cell is repeated.
_ELEMENT = re.compile(rb"<table:(table|table-row|table-cell|covered-table-cell)(?![\w-])([^>]*)>")
_REPEATED = re.compile(rb'number-(?:rows|columns)-repeated="(\d+)"')

Row = Sequence[object]


def read_sheet(
    file: File, *, sheet: str = "", header: Sequence[str] = ()
) -> tuple[pl.DataFrame, list[str]]:
    """The rows of a sheet, and notes on what was chosen; the line of a row is its row in the sheet.

    Without a name, the first sheet with a table is read. The heading is the first of the rows at
    the top that is nearly full and has only texts: sheets often begin with a title.

    Raises `InputError` for damaged files, unknown sheets, and sheets without a heading.
    """
    if not is_spreadsheet(file):
        message = "this is not a spreadsheet, whatever its name says; name a text table .csv"
        raise input_error(message, file=file.name)
    # a small file may declare a huge sheet
    if expanded_size(file) > largest_expansion(file):
        raise too_large(file)
    try:
        _refuse_sparse(file)
    except InputError:
        raise
    except DAMAGED as error:
        raise input_error(f"the spreadsheet is damaged: {error}", file=file.name) from None
    name, rows, notes = _chosen(file, sheet)
    at = -1 if header else _heading(rows)
    if at is None:
        raise input_error(f"the sheet '{name}' has no row of headings", file=file.name)
    if at > 0:
        notes.append(f"{file.name}: the heading of the sheet '{name}' is taken from row {at + 1}")
    width = len(header) if header else len(rows[at])
    told = header or [_name(cell, n) for n, cell in enumerate(rows[at], 1)]
    body = [(n, row) for n, row in enumerate(rows[at + 1 :], at + 2) if any(map(_told, row))]
    if wrong := [n for n, row in body if any(map(_told, row[width:]))]:
        message = f"more cells than the {width} names of --header"
        raise InputError(Problem(message=message, file=file.name, line=wrong[0]))
    kept = [k for k in range(width) if not _unnamed_and_empty(told[k], k, body)]
    names = [told[k] for k in kept]
    check_names(file, names)
    columns = [value_column(told[k], [_value(_at(row, k)) for _, row in body]) for k in kept]
    frame = pl.DataFrame(columns).with_columns(
        pl.Series(LINE, [n for n, _ in body], dtype=pl.Int64)
    )
    converted, more = with_points(nothing_empty(frame), file)
    return converted, [*notes, *more]


def write_workbook(sheets: Mapping[str, tuple[Sequence[str], Iterable[Row]]]) -> bytes:
    """An Excel workbook with these sheets, each with a heading and rows.

    Raises `InputError` if the extra for it is not installed.
    """
    try:
        import xlsxwriter
    except ModuleNotFoundError as error:
        message = "Excel files need the extra 'excel': pip install 'jurat[excel]'"
        raise input_error(message) from error
    out = io.BytesIO()
    # written as texts: a system called =1+1 is a name and not a formula
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(out, options) as book:
        bold = book.add_format({"bold": True})
        for name, (heading, rows) in sheets.items():
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, heading, bold)
            last = 0
            for last, row in enumerate(rows, 1):
                sheet.write_row(last, 0, row)
            sheet.freeze_panes(1, 1)
            sheet.autofilter(0, 0, last, max(len(heading) - 1, 0))
            sheet.autofit(300)
    return out.getvalue()


def sheet_names(file: File) -> list[str]:
    """The names of the sheets of a spreadsheet, in order; raises `InputError` if it is damaged."""
    import python_calamine

    try:
        return list(
            python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(file.data)).sheet_names
        )
    except (python_calamine.CalamineError, ValueError, OSError) as error:
        raise input_error(f"the spreadsheet cannot be read: {error}", file=file.name) from None


def _refuse_sparse(file: File) -> None:
    """Refuse sheets whose cells lie so far apart that the rectangle of all of them is huge.

    The library that reads them makes that rectangle, for a single cell in the last corner, too.
    """
    with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
        for name in archive.namelist():
            if name.startswith("xl/worksheets/") and name.endswith(".xml"):
                corners = [_last_of_excel(archive.read(name))]
            elif name == "content.xml":
                corners = list(_last_of_open_document(archive.read(name)))
            else:
                continue
            for height, width in corners:
                if height * width > MOST_CELLS:
                    place = f"row {height:,} and column {width:,}"
                    message = f"the sheet reaches to {place}; delete the cells beyond the table"
                    raise input_error(message, file=file.name)


def _last_of_excel(sheet: bytes) -> tuple[int, int]:
    """The last row and the last column of a sheet's cells."""
    places = _CELL.findall(sheet)
    height = max((int(row) for _, row in places), default=0)
    return height, max((_column_number(letters) for letters in {c for c, _ in places}), default=0)


def _last_of_open_document(content: bytes) -> Iterator[tuple[int, int]]:
    """The last row and the last column with a value of each sheet.

    Rows and cells without any are repeated to the end of what a sheet can have.
    """
    row = column = height = width = 0
    for tag, attributes in _ELEMENT.findall(content):
        times = int(found[1]) if (found := _REPEATED.search(attributes)) else 1
        if tag == b"table":
            yield height, width
            row = height = width = 0
        elif tag == b"table-row":
            row, column = row + times, 0
        else:
            column += times
            if b"value-type" in attributes:
                height, width = row, max(width, column)
    yield height, width


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


def _chosen(file: File, sheet: str) -> tuple[str, list[Row], list[str]]:
    """The name and the rows of the sheet, and a note where there are others."""
    import python_calamine

    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(file.data))
        if sheet and sheet not in book.sheet_names:
            raise unknown_name("sheet", sheet, book.sheet_names, file=file.name)
        filled: dict[str, list[Row]] = {}
        for name in [sheet] if sheet else book.sheet_names:
            rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
            if any(_told(cell) for row in rows for cell in row):
                filled[name] = list(rows)
            if _is_table(filled.get(name, ())):
                break
        if filled:
            # a cover has no two rows of two cells; a sheet that is no more is read all the same
            name = next((n for n, rows in filled.items() if _is_table(rows)), next(iter(filled)))
            return name, filled[name], [] if sheet else _others(file, name, book.sheet_names)
    except (python_calamine.CalamineError, ValueError, OSError) as error:
        if isinstance(error, InputError):
            raise
        raise input_error(f"the spreadsheet cannot be read: {error}", file=file.name) from None
    raise input_error("the spreadsheet has no rows", file=file.name)


def _is_table(rows: Sequence[Row]) -> bool:
    wide = (row for row in rows if sum(map(_told, row)) > 1)
    return next(wide, None) is not None and next(wide, None) is not None


def _others(file: File, name: str, names: Sequence[str]) -> list[str]:
    if len(names) == 1:
        return []
    listed = ", ".join(n for n in names if n != name)
    return [f"{file.name}: the sheet '{name}' is read; --sheet names another ({listed})"]


def _heading(rows: Sequence[Row]) -> int | None:
    top = rows[:TOP]
    widest = max((sum(map(_told, row)) for row in top), default=0)
    for number, row in enumerate(top):
        told = [cell for cell in row if _told(cell)]
        if told and len(told) >= FILLED * widest and all(isinstance(cell, str) for cell in told):
            return number
    return None


def _told(cell: object) -> bool:
    return cell is not None and cell != ""


def _name(cell: object, number: int) -> str:
    return bare_name(str(cell)) or f"column_{number}"


def _unnamed_and_empty(name: str, at: int, body: Sequence[tuple[int, Row]]) -> bool:
    """Whether a column without a heading has no cells either."""
    return name == f"column_{at + 1}" and not any(_told(_at(row, at)) for _, row in body)


def _at(row: Row, number: int) -> object:
    return row[number] if number < len(row) else None


def _value(cell: object) -> object:
    """A cell as a value of a table; whole numbers are stored as floats in spreadsheets."""
    if isinstance(cell, datetime.datetime | datetime.date):
        return cell.isoformat()
    if isinstance(cell, datetime.time | datetime.timedelta):
        return str(cell)
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return int(cell)
    return cell if _told(cell) else None
