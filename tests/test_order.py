"""The order of the tests: long files first, the browser last."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests import ROOT
from tests.order import LONGEST, in_order


def item(file: str, *fixtures: str) -> Any:
    return SimpleNamespace(nodeid=f"{file}::test_something", fixturenames=fixtures)


@pytest.mark.parametrize("file", LONGEST)
def test_the_longest_files_are_there(file: str):
    assert (ROOT / file).is_file()


def test_long_files_begin_first_and_the_browser_last():
    short, shown = item("tests/test_short.py"), item("tests/test_shown.py", "page", "browser")
    first, second = map(item, LONGEST[:2])
    long_shown = item(LONGEST[2], "browser")
    told = in_order([shown, short, second, long_shown, first])
    assert told == [first, second, short, long_shown, shown]


def test_a_file_that_needs_the_browser_goes_last_as_a_whole():
    alone, drawn = item("tests/test_drawn.py"), item("tests/test_drawn.py", "browser")
    short = item("tests/test_short.py")
    assert in_order([alone, drawn, short]) == [short, alone, drawn]
