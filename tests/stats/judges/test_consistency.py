"""Consistency with other judges, and with a judge's own answers."""

import pytest

from tests.stats.judges.asking import diagnosed
from tests.stats.tables import evaluation

ROWS = "a,1,0,x\na,2,10,y\na,3,5,x\nb,1,40,x\nb,2,60,y\nb,3,60,y"
TABLE = f"judge,item,value,kind\n{ROWS}"
# a normalised: 0 100 50; b: 0 100 100; means 0, 100, 75; deviations 0 0 −25, 0 0 25


def test_deviation_from_the_mean_of_normalised_scores():
    found = diagnosed(evaluation(TABLE))
    assert found.value("consistency-sd") == pytest.approx((2 * 25**2 / 6) ** 0.5)


def test_a_split_keeps_the_ranges_and_means_of_the_whole():
    found = diagnosed(evaluation(TABLE, by=("kind",)))
    assert found.value("consistency-sd", kind="x") == pytest.approx((25**2 / 3) ** 0.5)
    assert found.value("consistency-sd", kind="y") == pytest.approx((25**2 / 3) ** 0.5)


def test_a_condition_keeps_them_too():
    found = diagnosed(evaluation(TABLE, where="item == '3'"))
    assert found.value("consistency-sd") == pytest.approx(25)


def test_a_judge_without_a_range_does_not_count():
    found = diagnosed(evaluation(f"{TABLE}\nc,1,7,x\nc,3,7,x"))
    assert found.one("consistency-sd").n == 6
    found = diagnosed(evaluation("judge,item,value\na,1,5\nb,1,5"))
    assert found.value("consistency-sd") is None
    assert "only one score" in found.one("consistency-sd").reason


def test_words_have_none():
    found = diagnosed(evaluation("judge,item,value\na,1,A\nb,1,B"))
    assert "folding" in found.one("consistency-sd").reason


def test_every_later_answer_is_held_against_the_first():
    rows = "a,1,5,3\na,1,1,1\na,1,2,2\na,2,4,4\nb,1,3,1\nb,1,3,2\nc,1,3,1"
    found = diagnosed(evaluation(f"judge,item,value,position\n{rows}"))
    # a's first answer to item 1 is the 1: |2 − 1| and |5 − 1|
    assert found.value("judge-self-distance", judge="a") == 2.5
    assert found.one("judge-self-distance", judge="a").n == 2
    assert found.value("judge-self-distance", judge="b") == 0
    assert found.value("judge-self-distance", judge="c") is None


def test_who_contradicts_their_own_answers_is_found():
    rows = [f"{j},{i},3\n{j},{i},{5 if j == 'x' else 3 + i % 2}" for j in "abcdx" for i in range(4)]
    found = diagnosed(evaluation("\n".join(["judge,item,value", *rows])))
    assert found.found("self") == {"x"}


def test_words_are_the_same_or_not():
    found = diagnosed(evaluation("judge,item,value\na,1,A\na,1,C\na,2,B\na,2,B\nb,1,A\nb,1,A"))
    assert found.values("judge-self-distance") == {"a": 0.5, "b": 0}


def test_without_repeats_there_is_a_reason():
    found = diagnosed(evaluation("judge,item,value\na,1,5\nb,1,4"))
    assert found.one("judge-self-distance").reason == "nobody judged an item twice"
