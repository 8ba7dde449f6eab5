"""A judge's mean against the others' on the same items."""

import pytest

from tests.stats.judges.asking import diagnosed
from tests.stats.tables import evaluation

UNEVEN = """judge,item,value
a,1,5\nb,1,3\nc,1,1\na,2,4\nb,2,1\nc,3,5"""


def test_others_are_averaged_by_item_first():
    found = diagnosed(evaluation(UNEVEN))
    # a: item 1 others (3 + 1)/2 = 2, item 2 others 1; b: (5 + 1)/2 = 3 and 4; c: (5 + 3)/2 = 4
    assert found.values("judge-others-mean") == {"a": 1.5, "b": 3.5, "c": 4}
    assert found.values("judge-difference") == {"a": 3, "b": -1.5, "c": -3}


def test_items_that_nobody_else_judged_do_not_count():
    found = diagnosed(evaluation(UNEVEN))
    assert found.value("judge-mean", judge="c") == 3
    assert found.one("judge-difference", judge="c").n == 1


def test_no_overlap_is_said():
    found = diagnosed(evaluation("judge,item,value\na,1,5\nb,2,3"))
    assert found.value("judge-difference") is None
    assert found.one("judge-difference").reason == "nobody else judged the same items"


def test_a_judge_of_hard_items_is_found_by_score_and_not_by_difference():
    rows = [(j, i, 4 + (n % 2)) for n, j in enumerate("abcd") for i in range(6)]
    rows += [(j, i, 1) for j in "ef" for i in range(6, 12)]
    csv = "\n".join(["judge,item,value", *(",".join(map(str, row)) for row in rows)])
    found = diagnosed(evaluation(csv))
    assert found.found("score") == {"e", "f"}
    assert found.found("difference").isdisjoint({"e", "f"})
    assert found.value("judge-difference", judge="a") == pytest.approx(4 - 14 / 3)
