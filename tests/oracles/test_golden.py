"""Every golden row of the shared data comes out of Jurat's commands."""

import pytest

from tests.oracles.golden import DATA, DATASETS, Row, answers, difference, golden
from tests.oracles.page import PAGE, page

ROWS = [row for name in DATASETS for row in golden(name)] if DATA.is_dir() else []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.dataset}-{row.id}")
def test_the_number_comes_out(row: Row) -> None:
    found = answers(row.dataset)
    assert row.id in found, "nobody answers for this row"
    assert difference(row, found[row.id]) == ""


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("dataset", DATASETS)
def test_every_answer_has_its_row(dataset: str) -> None:
    assert set(answers(dataset)) <= {row.id for row in golden(dataset)}


@pytest.mark.usefixtures("shared")
def test_the_page_shows_what_was_found() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `make oracles`"
