"""Mean scores of judges: hand calculations, and Hamon et al.'s rule.

A judge's mean against the others' on the same items.

A judge's mean distance to the others.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from jurat.stats.judges.peer_comparison import distance, others_count, others_mean
from tests.stats.judges.asking import crossed, diagnosed
from tests.stats.tables import evaluation, matrix

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
    # of errors and ranks, many are strict
    found = diagnosed(evaluation(FIVE), lower_better=True)
    assert found.one("judge-outlier", way="score", judge="e").side == "strict"


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
    # two scores, 2 and 4: the mean ± t(1) · 1
    assert (one.low, one.high) == pytest.approx((3 - 12.7062, 3 + 12.7062))
    assert diagnosed(evaluation(FIVE)).one("judge-mean", judge="b").low is None


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


scores = st.lists(
    st.lists(st.none() | st.integers(0, 100), min_size=4, max_size=4), min_size=2, max_size=6
)


@given(scores)
def test_distances_are_those_of_scipy(rows):
    if all(value is None for row in rows for value in row):
        return
    ratings = matrix(rows)
    found = distance(ratings)
    for item in range(len(ratings.items)):
        of_item = ratings.item_codes == item
        values = ratings.values[of_item][:, None]
        apart = cdist(values, values, "cityblock").sum(axis=1)
        others = len(values) - 1
        expected = apart / others if others else np.full(1, np.nan)
        assert found[of_item] == pytest.approx(expected, nan_ok=True)


@given(scores)
def test_nobody_is_nearer_to_each_other_than_to_their_mean(rows):
    if all(value is None for row in rows for value in row):
        return
    ratings = matrix(rows)
    known = others_count(ratings) > 0
    gap = np.abs(ratings.values - others_mean(ratings))
    assert (distance(ratings)[known] >= gap[known] - 1e-9).all()


def test_mean_of_an_items_others_then_of_items():
    # item 1: |5−3|, |5−1| → 3; item 2: |4−1| = 3; a's mean is 3, b's ((2+2)/2 + 3)/2 = 2.5
    found = diagnosed(evaluation("judge,item,value\na,1,5\nb,1,3\nc,1,1\na,2,4\nb,2,1\nc,3,5"))
    assert found.values("judge-distance") == {"a": 3, "b": 2.5, "c": 3}


def test_words_differ_or_not():
    found = diagnosed(evaluation("judge,item,value\na,1,A\nb,1,A\nc,1,C\na,2,A\nb,2,B"))
    assert found.values("judge-distance") == {"a": 0.75, "b": 0.75, "c": 1}


def test_only_the_far_ones_are_found_and_take_their_side_from_the_difference():
    table = [row for row in crossed(each=4) if row["judge"] != "j0"]
    wild = [{**row, "judge": "wild", "value": 5} for row in table if row["judge"] == "j1"]
    found = diagnosed(table + wild)
    assert found.found("distance") == {"wild"}
    assert found.one("judge-outlier", way="distance", judge="wild").side == "lenient"
    near = min(found.values("judge-distance").items(), key=lambda pair: pair[1])[0]
    assert found.value("judge-outlier", way="distance", judge=near) == 0
