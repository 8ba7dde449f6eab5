"""The notebooks run, and show what is stored in them: numbers, tables and charts."""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.notebooks import NOTEBOOKS, executed, kernel

VEGA_LITE = "application/vnd.vegalite.v5+json"


def test_there_are_four() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["agreement", "judges", "metrics", "systems"]


@pytest.fixture(scope="module")
def client() -> Iterator[NotebookClient]:
    """A kernel that runs one notebook after the other."""
    with kernel() as client:
        yield client


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_is_stored_in_it(path: Path, client: NotebookClient) -> None:
    stored = nbformat.read(path, as_version=4)
    now = executed(path, client)
    for number, (old, new) in enumerate(zip(stored.cells, now.cells, strict=True)):
        assert words(old) == words(new), f"cell {number}: python -m tests.notebooks writes it anew"
    kinds = {
        kind
        for cell in now.cells
        for output in cell.get("outputs", ())
        for kind in output.get("data", {})
    }
    assert {"text/html", VEGA_LITE, "image/svg+xml"} <= kinds


def words(cell: NotebookNode) -> list[str]:
    """What a cell shows in words, without the styles of tables."""
    found = []
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        text = data.get("text/html") or data.get("text/plain") or output.get("text", "")
        text = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)
        # other processors add in another order, which shows in the last digits
        found.append(re.sub(r"-?\d+\.\d+(e-?\d+)?", _rounded, text))
    return found


def _rounded(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 9):.9g}"
