"""What a paper needs: a PDF, and figures and tables as files, without a browser."""

from itertools import islice
from pathlib import Path
from xml.parsers import expat

import pypdfium2
import pytest

from jurat.report.compute import Report, compute
from jurat.report.paper_figures import figure_files
from jurat.report.pdf import to_pdf
from jurat.report.settings import ReportSettings
from jurat.report.svg.standalone import standalone
from jurat.report.tables import table_files
from tests.cli.run_command import jurat
from tests.report.judged_table import JUDGES, evaluation, table


@pytest.fixture(scope="module", name="report")
def computed() -> Report:
    settings = ReportSettings(bootstrap=20, group="seen", title='Three "plants" #1 \\ $x$')
    return compute(evaluation(), settings)


def test_the_pdf_says_what_the_page_says(report: Report) -> None:
    document = pypdfium2.PdfDocument(to_pdf(report))
    pages = [page.get_textpage().get_text_bounded() for page in document]
    text = " ".join(" ".join(pages).split())
    # typst's own signs are plain letters in a title or a name
    assert 'Three "plants" #1 \\ $x$' in pages[0]
    assert "What to mistrust" in text
    assert all(
        section.kind.title in text for section in report.sections if section.kind.name != "heval"
    )
    assert not [name for name in JUDGES if name in text]
    document.close()


def test_figures_are_files_that_need_nothing_else(report: Report) -> None:
    tables = dict(table_files(report))
    # each takes a while, and all are drawn in the same way
    files = dict(islice(figure_files(report), 16))
    drawn = {name for name in files if name.endswith(".svg")}
    assert "systems-system-score.svg" in drawn
    for name in drawn:
        svg = files[name].decode()
        expat.ParserCreate().Parse(svg, True)
        # places are pixels and colours are written out, for programs that know no style sheets
        assert "%" not in svg.partition("</title>")[2].replace("%<", "")
        assert "class=" not in svg
        assert files[name.replace(".svg", ".png")].startswith(b"\x89PNG")
        assert name.replace(".svg", ".csv") in tables


def test_a_place_in_percent_becomes_pixels_of_the_plot() -> None:
    drawing = (
        '<p class="axis">score &amp; more</p>'
        '<svg class="plot l100 r20" height="50" role="img" aria-label="a &lt; b">'
        '<svg x="100%" overflow="visible"><text x="8" y="4" class="l">Ännchen</text></svg>'
        '<circle cx="50.00%" cy="11" r="4" class="c2"></circle></svg>'
    )
    made = standalone(drawing, width=720)
    assert made is not None
    assert made.alternative == "a < b"
    assert 'cx="300"' in made.svg
    assert "translate(600 0)" in made.svg
    assert "score &amp; more" in made.svg
    assert standalone("") is None


def test_the_ending_tells_what_is_written(tmp_path: Path) -> None:
    judged = tmp_path / "judged.csv"
    table().write_csv(judged)
    read = (str(judged), "--columns", "value=adequacy", "--bootstrap", "0", "--out")
    refused = jurat("report", *read, str(tmp_path / "report.doc"))
    assert refused.returncode == 2
    assert "html" in refused.stderr
    assert "pdf" in refused.stderr
    written = jurat("report", *read, str(tmp_path / "report.pdf"))
    assert written.returncode == 0
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
