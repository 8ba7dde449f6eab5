import pytest

from jurat.stats.agreement.gwet_ac import brennan_prediger
from tests.stats.agreement.asking import long, one
from tests.stats.tables import evaluation, matrix


def test_by_hand():
    # Three of four pairs agree; of three answers each has the chance of a third.
    ratings = matrix([[1, 2, 3, 1], [1, 2, 3, 2]])
    assert brennan_prediger(ratings) == pytest.approx((0.75 - 1 / 3) / (2 / 3))


def test_linear_weights_by_hand():
    # Weights 1, ½, 0 of three points: their sum is 3 + 4 · ½, hence chance 5/9.
    ratings = matrix([[1, 2, 3, 1], [1, 2, 3, 2]])
    expected = 5 / 9
    mine = brennan_prediger(ratings, weights="linear")
    assert mine == pytest.approx((3.5 / 4 - expected) / (1 - expected))


def test_a_single_answer_has_a_reason():
    assert one(evaluation(long([[3], [3]])), "brennan-prediger", weights="none").reason
