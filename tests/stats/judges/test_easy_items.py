"""Easy items by length, frequency, tag, list and condition."""

import polars as pl
import pytest

from jurat.errors import InputError
from jurat.stats.judges.easy_items import LISTED, easy_rows, with_listed

ROWS = pl.DataFrame(
    {
        "segment": ["1", "2", "3", "4", "4"],
        "source": ["Hello.", "hello", "It is a long day", None, None],
        "genre": ["chat", "chat", "news", "news", "news"],
        "size": ["short", "short", "long", "long", "long"],
    }
)


@pytest.mark.parametrize(
    ("rule", "easy"),
    [
        ("length=1", [True, True, False, False, False]),
        ("length:genre=9", [True, True, True, True, True]),
        ("frequency=2", [True, True, False, False, False]),
        ("genre=news", [False, False, True, True, True]),
        ("size = short", [True, True, False, False, False]),
        ("segment in ('1', '3')", [True, False, True, False, False]),
        ("genre == 'chat'", [True, True, False, False, False]),
    ],
)
def test_rules(rule, easy):
    assert easy_rows(ROWS, rule).to_list() == easy


def test_a_number_is_the_length_itself():
    assert easy_rows(pl.DataFrame({"words": ["3", "12"]}), "length=5").to_list() == [True, False]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("length=few", "takes a number"),
        ("gerne=news", "did you mean 'genre'"),
        ("length:text=5", "unknown column 'text'"),
    ],
)
def test_mistakes_are_told(rule, words):
    with pytest.raises(InputError, match=words):
        easy_rows(ROWS, rule)


def test_a_list_is_matched_by_the_columns_of_both():
    listed = pl.DataFrame({"segment": [2, 4], "remark": ["x", "y"]})
    assert with_listed(ROWS, listed)[LISTED].to_list() == [0, 1, 0, 1, 1]
    with pytest.raises(InputError, match="no column of the judgments"):
        with_listed(ROWS, pl.DataFrame({"id": [1]}))
    with pytest.raises(InputError, match="no judgment is of an easy item"):
        with_listed(ROWS, pl.DataFrame({"segment": [9]}))
