"""The choices of a diagnosis, and what is remembered of it."""

import gc
import weakref

import pytest

from jurat.errors import InputError
from jurat.stats.judges.settings import JudgeSettings, once, true_ratings
from tests.stats.judges.asking import crossed, diagnosed
from tests.stats.tables import evaluation

TABLE = "judge,item,value\na,1,5\nb,1,4"


@pytest.mark.parametrize("k", [0, -1, float("nan")])
def test_k_is_more_than_nothing(k):
    with pytest.raises(InputError, match="more than 0"):
        JudgeSettings(k=k)


def test_what_was_computed_is_remembered_as_long_as_its_judgments():
    calls = []

    @once
    def counted(table, settings):
        calls.append(settings)
        return len(table.ratings)

    table = evaluation(TABLE)
    assert counted(table, JudgeSettings()) == counted(table, JudgeSettings()) == 1
    counted(table, JudgeSettings(k=2))
    assert len(calls) == 2
    judgments = weakref.ref(table.judgments)
    diagnosed(table)
    del table
    gc.collect()
    assert judgments() is None


def test_rows_without_a_judge_belong_to_nobody():
    table = evaluation(f"{TABLE}\n,1,1")
    assert [len(part) for part in true_ratings(table, JudgeSettings())] == [2]
    assert diagnosed(table).values("judge-mean") == {"a": 5, "b": 4}


def test_what_adjudicators_settled_is_no_judgment():
    table = evaluation("judge,item,value,status\na,1,5,valid\nb,1,4,valid\nz,1,1,adjudicated")
    assert set(diagnosed(table).values("judge-mean")) == {"a", "b"}


def test_scores_beyond_measure_are_refused():
    with pytest.raises(InputError, match="too large"):
        diagnosed(evaluation("judge,item,value\na,1,1e300\nb,1,4"))


def test_a_table_without_judges_says_what_is_missing():
    found = diagnosed([{k: row[k] for k in ("item", "value")} for row in crossed()])
    assert {e.reason for r in found.results for e in r.estimates} == {
        "needs the column judge",
        "needs the columns judge, seconds",
        "needs the columns judge, system",
    }
