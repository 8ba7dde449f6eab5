"""Cells that a spreadsheet would take for formulas."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.csv_cells import defuse, restore
from jurat.model import File
from jurat.tables.io import read_table, write_table

TEXTS = st.text("'\"=+-@\t\r1e.a ", max_size=6)


@pytest.mark.parametrize(
    "text", ["=1+1", "@SUM(A1)", "+cmd", "- so", "\t=1", "'=1", "-1-1", "\r=", '"=1"']
)
def test_formulas_are_defused(text):
    assert defuse(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a=b", "-1", "+2.5", "-1e-3", "-.5", "-", "'tis", "1-1"])
def test_other_texts_stay(text):
    assert defuse(text) == restore(text) == text


@given(TEXTS)
def test_every_text_comes_back(text):
    assert restore(defuse(text)) == text


def test_tables_are_written_safely_and_read_as_they_were():
    texts = ["=HYPERLINK(1)", "'@x", "plain", "-2", "- he said", "'twas", None, '"=1"']
    frame = pl.DataFrame({"=heading": texts, "score": [-1.5, 2, 3, 4, 5, 6, 7, 8]})
    for ending in ("csv", "tsv"):
        data = write_table(frame, ending)
        assert b"'=heading" in data
        assert not any(line.startswith((b"=", b"@", b"- ")) for line in data.splitlines())
        found = read_table(File(f"table.{ending}", data))
        assert found["=heading"].to_list() == texts
