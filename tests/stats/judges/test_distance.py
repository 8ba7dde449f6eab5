"""A judge's mean distance to the others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from jurat.stats.judges.panel import distance, others_count, others_mean
from tests.stats.judges.asking import crossed, diagnosed
from tests.stats.tables import evaluation, matrix

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
