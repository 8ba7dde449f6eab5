"""Results in files: every ending holds the same numbers, and figures can be opened."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import openpyxl
import pytest

from jurat import figure_files
from jurat.csv_cells import restore
from jurat.errors import InputError
from jurat.result_files import ENDINGS, content, ending_of, to_markdown, write
from jurat.results import Estimate, Result
from jurat.stats.figures import coefficient_figure

ALPHA = (
    Estimate(0.42871, 2479, by={"question": "adequacy"}, low=0.39, high=0.46),
    Estimate(None, 0, by={"question": "fluency"}, reason="no judgments"),
)


def result(name: str = "krippendorff-alpha", *estimates: Estimate) -> Result:
    values = estimates or ALPHA
    return Result(
        name=name,
        estimates=values,
        method="interval; n items",
        signature=f"{name}|jurat:1",
        headline="Judges agree <a little>.",
        draw=lambda: coefficient_figure(name, values),
    )


BOTH = [result(), result("fleiss-kappa")]
SYMBOLS = Estimate(1.5, 3, by={"system": "=1+1 | <b>&"})


def test_json_holds_notes_analysis_and_numbers() -> None:
    made = json.loads(content(BOTH, "json", notes=["look"], analysis={"command": "agreement"}))
    assert made["notes"] == ["look"]
    assert made["analysis"] == {"command": "agreement"}
    assert [row["value"] for row in made["results"]] == [0.42871, None] * 2


def test_excel_holds_what_csv_holds() -> None:
    asked = [*BOTH, result("counts", SYMBOLS)]
    book = openpyxl.load_workbook(io.BytesIO(content(asked, "xlsx")))
    (sheet,) = book.worksheets
    rows = [["" if cell is None else str(cell) for cell in row] for row in sheet.values]
    # where a text looks like a formula, CSV has an apostrophe, and a sheet the kind "text"
    lines = csv.reader(io.StringIO(content(asked, "csv").decode()))
    assert rows == [[restore(cell) for cell in line] for line in lines]
    assert sheet.cell(2, rows[0].index("value") + 1).value == 0.42871


def test_markdown_escapes_the_bars_of_cells() -> None:
    made = to_markdown([result("counts", SYMBOLS)], ["a note"])
    assert made.startswith("> a note\n")
    assert r"| =1+1 \| <b>& | 1.50 | 3 |" in made
    assert "| --- | --: | --: |" in made


def test_html_is_one_page_with_tables_and_figures() -> None:
    made = content([*BOTH, result("counts", SYMBOLS)], "html", title="My & study").decode()
    assert "<h1>My &amp; study</h1>" in made
    assert made.count("<table>") == made.count("<figure><svg") == 3
    assert "Judges agree &lt;a little&gt;." in made
    assert "=1+1 | &lt;b&gt;&amp;" in made
    assert "<script" not in made
    assert "[0.390, 0.460]" in made


def test_html_lists_what_could_not_be_computed() -> None:
    missing = Result.unavailable("kendall", method="", signature="", missing=["judge"])
    made = content([missing], "html").decode()
    assert "Left out: kendall (needs the column judge)" in made
    assert "<table>" not in made


def test_html_without_figures_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jurat.result_html.can_draw", lambda: False)
    made = content(BOTH, "html").decode()
    assert "Figures are not shown" in made
    assert "<figure>" not in made


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-")])
def test_a_figure_is_a_picture(ending: str, start: bytes) -> None:
    assert content(BOTH[:1], ending).startswith(start)


def test_figures_of_several_results_stand_below_each_other() -> None:
    texts = [
        " ".join(ET.fromstring(content(asked, "svg")).itertext()) for asked in (BOTH, BOTH[:1])
    ]
    assert "krippendorff-alpha" in texts[0]
    assert "fleiss-kappa" in texts[0]
    assert "fleiss-kappa" not in texts[1]


def test_results_without_a_figure_cannot_be_drawn() -> None:
    missing = Result.unavailable("kendall", method="", signature="", missing=["judge"])
    with pytest.raises(InputError, match="none of these results has a figure"):
        content([missing], "png")


@pytest.mark.parametrize("module", ["vl_convert", "xlsxwriter"])
def test_a_missing_package_is_named_by_its_extra(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, module, None)
    ending, extra = {"vl_convert": ("svg", "figures"), "xlsxwriter": ("xlsx", "excel")}[module]
    with pytest.raises(InputError, match=rf"pip install 'jurat\[{extra}\]'"):
        content(BOTH, ending)


@pytest.mark.parametrize("ending", [e for e in ENDINGS if e not in ("png", "pdf")])
def test_write_knows_the_kind_by_the_ending(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"out.{ending.upper()}"
    write(BOTH[:1], path)
    assert b"krippendorff-alpha" in path.read_bytes() or ending == "xlsx"
    with pytest.raises(InputError, match="exists already"):
        write(BOTH[:1], path)
    write(BOTH[:1], path, force=True)


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unknown kind of file 'jsn'.*did you mean 'json'"):
        write(BOTH, tmp_path / "out.jsn")
    with pytest.raises(InputError, match="unknown kind of file"):
        ending_of("out.csv", figure_files.DRAWN)
    assert not list(tmp_path.iterdir())
