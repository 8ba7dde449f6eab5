"""Excel and OpenDocument sheets: chosen, with headings found below titles, and bounded."""

import io
import zipfile
from datetime import UTC, datetime

import pytest
import xlsxwriter

from jurat.errors import InputError
from jurat.model import File
from jurat.tables import archives
from jurat.tables.io import TableOptions, open_table

ROWS: list[list[object]] = [["judge", "item", "value"], ["007", 1, 3.5], ["008", 1, 4]]


def excel(**sheets: list[list[object]]) -> File:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"default_date_format": "yyyy-mm-dd"}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return File("t.xlsx", out.getvalue())


def open_document(rows: list[list[str]], *, below: str = "") -> File:
    """A sheet as LibreOffice writes it, as far as readers need it; `below` are further rows."""
    cells = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{c}</text:p></table:table-cell>'
            for c in row
        )
        + "</table:table-row>"
        for row in rows
    )
    names = "".join(
        f' xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"'
        for n in ("office", "table", "text")
    )
    content = (
        f"<?xml version='1.0'?><office:document-content{names}><office:body><office:spreadsheet>"
        f'<table:table table:name="S">{cells}{below}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    out = io.BytesIO()
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content)
    return File("t.ods", out.getvalue())


def test_values_keep_their_kinds() -> None:
    frame = open_table(excel(S=ROWS)).frame
    assert frame.select("judge", "item", "value").rows() == [("007", 1, 3.5), ("008", 1, 4.0)]


def test_open_document() -> None:
    frame = open_table(open_document([["judge", "value"], ["a", "3"]])).frame
    assert frame.select("judge", "value").rows() == [("a", "3")]


def test_title_above_the_heading_and_empty_columns() -> None:
    rows: list[list[object]] = [["Evaluation 2024"], [], ["", *ROWS[0]], ["", *ROWS[1]]]
    frame, notes = open_table(excel(S=rows))
    assert frame.select("judge", "item", "value").rows() == [("007", 1, 3.5)]
    assert notes == ("t.xlsx: the heading of the sheet 'S' is taken from row 3",)


def test_sheet_by_name() -> None:
    book = excel(Notes=[], First=ROWS, Second=[*ROWS, ["009", 1, 5]])
    frame, notes = open_table(book)
    assert frame.height == 2
    assert notes == ("t.xlsx: the sheet 'First' is read; --sheet names another (Notes, Second)",)
    assert open_table(book, TableOptions(sheet="Second")).frame.height == 3
    with pytest.raises(InputError, match=r"unknown sheet 'Secnd'.*did you mean 'Second'"):
        open_table(book, TableOptions(sheet="Secnd"))


def test_header_for_a_sheet_without_heading() -> None:
    options = TableOptions(header=("judge", "item", "value"))
    assert open_table(excel(S=ROWS[1:]), options).frame["item"].to_list() == [1, 1]
    with pytest.raises(InputError, match=r"t.xlsx:1: more cells than the 1 names"):
        open_table(excel(S=ROWS[1:]), TableOptions(header=("judge",)))


def test_dates_are_texts() -> None:
    day = datetime(2024, 5, 1, tzinfo=UTC).replace(tzinfo=None)
    frame = open_table(excel(S=[["a", "b"], ["x", day]])).frame
    assert frame["b"].to_list()[0].startswith("2024-05-01")


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (excel(S=[]), "has no rows"),
        (excel(S=[[1, 2], [3, 4]]), "no row of headings"),
        (excel(S=[["a", "a"], [1, 2]]), "two columns are called 'a'"),
        (File("t.xlsx", b"judge,value\n"), "this is not a spreadsheet"),
    ],
)
def test_sheets_that_cannot_be_read(file: File, message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_table(file)


def test_huge_sheets_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "SMALL", 1 << 12)
    monkeypatch.setattr(archives, "MOST_TIMES", 2)
    with pytest.raises(InputError, match="expands to more than"):
        open_table(excel(S=[["a", "b"], *([["x" * 50, n] for n in range(3000)])]))


def empty_rows(count: int) -> str:
    cells = '<table:table-cell table:number-columns-repeated="16384"/>'
    return f'<table:table-row table:number-rows-repeated="{count}">{cells}</table:table-row>'


def test_empty_rows_to_the_end_of_a_sheet_and_equal_neighbours_do_no_harm() -> None:
    same = '<table:table-cell office:value-type="string" table:number-columns-repeated="60">'
    row = f"<table:table-row>{same}<text:p>5</text:p></table:table-cell></table:table-row>"
    heading = [f"judge{n}" for n in range(60)]
    file = open_document([heading], below=row + empty_rows(1_048_574))
    assert open_table(file).frame.select(heading).rows() == [("5",) * 60]


def test_a_cell_far_from_the_others_is_refused() -> None:
    cell = '<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>'
    before = '<table:table-cell table:number-columns-repeated="16000"/>'
    far = f"<table:table-row>{before}{cell}</table:table-row>"
    file = open_document([["judge", "value"], ["a", "3"]], below=empty_rows(1_000_000) + far)
    with pytest.raises(InputError, match=r"reaches to row 1,000,003 and column 16,001; delete"):
        open_table(file)


def test_sheet_is_for_spreadsheets() -> None:
    with pytest.raises(InputError, match="--sheet is for spreadsheets"):
        open_table(File("t.csv", b"a,b\n1,2\n"), TableOptions(sheet="S"))


def test_a_cover_is_passed_over_and_decimal_commas_are_read() -> None:
    rows: list[list[object]] = [["judge", "item", "value"], ["a", 1, "3,5"], ["b", 1, "4,0"]]
    frame, notes = open_table(excel(Cover=[["Report"], ["by Ada"]], Data=rows))
    assert frame["value"].to_list() == ["3.5", "4.0"]
    assert any("the sheet 'Data' is read" in note for note in notes)
    assert any("decimal commas are read as points in value" in note for note in notes)
    only, _ = open_table(excel(Cover=[["judge"], ["Ada"]]))
    assert only["judge"].to_list() == ["Ada"]
