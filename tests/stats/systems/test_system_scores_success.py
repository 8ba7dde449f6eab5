import pytest

from jurat.stats.systems.system_scores import SuccessRates
from tests.stats.systems.finding import only, results
from tests.stats.tables import evaluation

READING = """judge,item,system,reading.1,reading.2,other
    x,1,a,1,0,3
    x,1,b,1,1,4
    y,2,a,1,1,5
    y,2,b,1,1,1"""


def found():
    table = evaluation(READING, questions=("reading.1", "reading.2", "other"))
    return results(SuccessRates, table)


def test_numbered_questions_count_together():
    share = found()["success-share"]
    assert only(share, system="a", question="reading").value == 0.75
    assert only(share, system="a", question="reading").n == 4
    assert {e.by["question"] for e in share.estimates} == {"reading"}


def test_odds():
    odds = found()["success-odds"]
    assert only(odds, system="a").value == pytest.approx(3)
    assert only(odds, system="b").value is None
    assert "nothing went wrong" in only(odds, system="b").reason


def test_scales_with_more_points_are_neither_right_nor_wrong():
    (estimate,) = results(SuccessRates, evaluation("item,system,value\n1,a,3\n1,b,1"))[
        "success-share"
    ].estimates
    assert estimate.value is None
    assert "right and wrong" in estimate.reason
