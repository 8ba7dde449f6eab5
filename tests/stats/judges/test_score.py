"""Mean scores of judges: hand calculations, and Hamon et al.'s rule."""

import pytest

from tests.stats.judges.asking import diagnosed
from tests.stats.tables import evaluation

# Means: a 1, b 3, c 3, d 3, e 5; mean 3, SD (ddof 1) √(8/4) = 1.414
FIVE = """judge,item,value
a,1,1\na,2,1\nb,1,2\nb,2,4\nc,1,3\nc,2,3\nd,1,4\nd,2,2\ne,1,5\ne,2,5"""


def test_means_and_who_lies_outside_one_deviation():
    found = diagnosed(evaluation(FIVE))
    assert found.values("judge-mean") == {"a": 1, "b": 3, "c": 3, "d": 3, "e": 5}
    assert found.value("overall-mean") == 3
    assert found.found("score") == {"a", "e"}
    assert found.one("judge-outlier", way="score", judge="a").side == "strict"
    assert found.one("judge-outlier", way="score", judge="e").side == "lenient"
    assert found.one("judge-outlier", way="score", judge="b").side == ""


@pytest.mark.parametrize(("k", "who"), [(1.41, {"a", "e"}), (1.42, set())])
def test_the_limit_is_k_deviations_with_ddof_1(k, who):
    # 2 / 1.41421 = 1.41421; with ddof 0 the limit would be 2 / 1.265 = 1.58
    assert diagnosed(evaluation(FIVE), k=k).found("score") == who


def test_a_repeat_does_not_count_again():
    found = diagnosed(evaluation(f"{FIVE}\na,1,5"))
    assert found.value("judge-mean", judge="a") == 1
    assert found.one("judge-mean", judge="a").n == 2


def test_equal_means_are_no_outliers_and_say_so():
    found = diagnosed(evaluation("judge,item,value\na,1,3\nb,1,3\nc,1,3"))
    assert found.value("judge-outlier", way="score", judge="a") is None
    assert "same value" in found.one("judge-outlier", way="score", judge="a").reason


def test_words_have_no_mean():
    found = diagnosed(evaluation("judge,item,value\na,1,A\nb,1,B"))
    assert found.value("judge-mean") is None
    assert "folding" in found.one("judge-mean").reason


def test_the_figure_shows_judges_others_and_limits():
    figure = diagnosed(evaluation(FIVE)).result("judge-mean").figure()
    rows = figure["data"]["values"]
    assert {row["series"] for row in rows} == {
        "judge", "others", "mean", "mean − k SD", "mean + k SD",
    }  # fmt: skip
    ranks = {row["judge"]: row["rank"] for row in rows if row["series"] == "judge"}
    assert (ranks["a"], ranks["e"]) == (1, 5)


def test_intervals_hold_the_mean_and_can_be_left_out():
    one = diagnosed(evaluation(FIVE), bootstrap=200).one("judge-mean", judge="b")
    assert one.low <= one.value <= one.high
    assert (one.low, one.high) == (2, 4)
    assert diagnosed(evaluation(FIVE)).one("judge-mean", judge="b").low is None
