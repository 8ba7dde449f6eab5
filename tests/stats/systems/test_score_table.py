import gc
import weakref

import numpy as np
import pytest

from jurat.errors import InputError
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.score_table import score_table_of, score_tables, sentences_of
from tests.stats.tables import evaluation, ratings

PLAIN = SystemSettings()


@pytest.mark.parametrize(
    ("csv", "options", "sentences", "unit"),
    [
        ("document,segment,system,value\nd,1,a,1\nd,1,b,2\ne,1,a,3", {}, [0, 0, 1], "sentence"),
        ("segment,system,value\n1,a,1\n2,a,2\n1,b,3", {}, [0, 1, 0], "sentence"),
        ("item,system,value\nx,a,1\nx,b,2\ny,a,3", {}, [0, 0, 1], "sentence"),
        (
            "doc,seg,sys,value\nd,1,a,1\nd,1,b,2\nd,2,a,3",
            {"columns": "item=sys+doc+seg,system=sys"},
            [0, 0, 1],
            "item",
        ),
        (
            "doc,seg,sys,value\nd,1,a,1\nd,1,b,2\nd,2,a,3",
            {"columns": "item=doc+sys+seg,system=sys"},
            [0, 0, 1],
            "item",
        ),
        (
            "doc,sys,value\nd,a|x,1\nd,b,2\ne,b,3",
            {"columns": "item=doc+sys,system=sys"},
            [0, 0, 1],
            "item",
        ),
        ("document,system,value\nd,a,1\nd,b,2\ne,a,3", {}, [0, 0, 1], "document"),
        ("item,system,value\nx,a,1\ny,b,2\nz,a,3", {}, [0, 1, 2], "item"),
    ],
    ids=[
        "segments",
        "no document",
        "items",
        "joined",
        "in the middle",
        "escaped",
        "documents",
        "apart",
    ],
)
def test_a_sentence_is_what_several_systems_translate(csv, options, sentences, unit):
    codes, what = sentences_of(ratings(csv, **options).frame)
    same = [[a == b for b in codes] for a in codes]
    assert same == [[a == b for b in sentences] for a in sentences]
    assert what == unit


def test_means_by_sentence_and_system():
    rated = ratings("judge,segment,system,value\nx,1,a,1\ny,1,a,3\nx,1,b,5\nx,2,b,6")
    table = score_table_of(rated, PLAIN)
    assert table.systems == ("a", "b")
    np.testing.assert_array_equal(table.means, [[2, 5], [np.nan, 6]])


def test_scores_given_together_are_of_a_judge_where_judges_see_systems_side_by_side():
    rated = ratings("judge,segment,system,value\nx,1,a,1\nx,1,b,2\ny,1,a,3\ny,1,b,1\ny,2,a,1")
    joint = score_table_of(rated, PLAIN).joint_scores
    assert joint.words == "within judge and sentence"
    np.testing.assert_array_equal(joint.means, [[1, 2], [3, 1]])


def test_scores_given_together_are_of_all_judges_where_each_sees_one_system():
    rated = ratings("judge,segment,system,value\nx,1,a,1\ny,1,b,2\nx,2,b,3\ny,2,a,1")
    joint = score_table_of(rated, PLAIN).joint_scores
    assert joint.words == "within sentence"
    np.testing.assert_array_equal(joint.means, [[1, 2], [1, 3]])


def test_only_some_systems():
    rated = evaluation("segment,system,value\n1,a,1\n1,b,2\n1,c,3")
    (table,) = score_tables(rated, SystemSettings(only=("c", "a")))
    assert table.systems == ("a", "c")
    assert table.values.tolist() == [1, 3]
    with pytest.raises(InputError, match="unknown system 'd'"):
        score_tables(rated, SystemSettings(only=("d",)))


def test_words_and_nameless_systems_make_no_table():
    assert score_tables(evaluation("segment,system,value\n1,a,good\n1,b,bad"), PLAIN) == []
    assert score_tables(evaluation("segment,system,value\n1,,3"), PLAIN) == []


def test_a_table_is_made_once_and_goes_with_its_ratings():
    rated = ratings("segment,system,value\n1,a,1")
    assert score_table_of(rated, PLAIN) is score_table_of(rated, PLAIN)
    assert score_table_of(rated, PLAIN) is not score_table_of(
        rated, SystemSettings(lower_better=True)
    )
    gone = weakref.ref(score_table_of(rated, PLAIN))
    del rated
    gc.collect()
    assert gone() is None
