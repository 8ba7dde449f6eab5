import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.stats.ratings import coded, numbered
from tests.stats.tables import matrix, ratings


@given(st.lists(st.integers(0, 40), min_size=1))
def test_numbered_is_numpy_s_unique(codes):
    known, found = numbered(np.array(codes), 41)
    expected = np.unique(codes, return_inverse=True)
    np.testing.assert_array_equal(known, expected[0])
    np.testing.assert_array_equal(found, expected[1])


def test_numbers_as_codes_of_the_points_in_use():
    found = ratings("judge,item,value\na,x,7\nb,x,2\na,y,2.5")
    assert found.points == (2.0, 2.5, 7.0)
    assert found.codes.tolist() == [2, 0, 1]
    assert found.places.tolist() == [2.0, 2.5, 7.0]
    assert not found.nominal
    assert found.counts.tolist() == [[1, 0, 1], [0, 1, 0]]


def test_words_have_codes_and_no_numbers():
    found = ratings("judge,item,value\na,x,yes\nb,x,no\na,y,yes")
    assert found.nominal
    assert found.points == ("no", "yes")
    assert found.codes.tolist() == [1, 0, 1]
    assert found.values.tolist() == [1, 0, 1]


def test_codes_stand_for_sorted_names():
    codes, names = coded(pl.Series(["b", None, "a", "b"]))
    assert names == ["", "a", "b"]
    assert codes.tolist() == [2, 0, 1, 2]


def test_first_answers_by_time_and_not_by_the_files_order():
    found = ratings(
        """judge,item,value,decided_at
        a,x,1,2026-01-02T00:00:00Z
        a,x,5,2026-01-01T00:00:00Z
        b,x,3,2026-01-03T00:00:00Z"""
    )
    assert len(found.firsts) == 2
    assert dict(found.firsts.frame.select("judge", "value").rows()) == {"a": 5.0, "b": 3.0}


def test_first_answers_by_the_files_order_where_nothing_else_tells():
    found = ratings("judge,item,value\na,x,1\na,x,5\nb,x,3")
    assert dict(found.firsts.frame.select("judge", "value").rows()) == {"a": 1.0, "b": 3.0}


def test_without_judges_every_answer_is_somebodys_first():
    found = ratings("item,value\nx,1\nx,2")
    assert len(found.firsts) == 2


def test_some_of_the_answers():
    found = matrix([[1, 2], [3, None]])
    assert found.where(found.values > 1).values.tolist() == [2, 3]
    assert found.where(np.array([True, False, False])).judges == ["j0"]


@pytest.mark.parametrize(("column", "there"), [("value", True), ("seconds", False), ("x", False)])
def test_a_column_that_says_nothing_is_not_there(column, there):
    found = ratings("judge,item,value,seconds\na,x,1,\nb,x,2,")
    assert found.has(column) is there
