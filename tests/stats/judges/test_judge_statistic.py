"""The rules by which judges are found."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from jurat.stats.judges import judge_statistic

many = st.lists(st.floats(-100, 100), min_size=2, max_size=30).map(np.array)


@given(many, st.floats(0.1, 3))
def test_outside_is_above_or_below(values, k):
    outside = judge_statistic.flag_outside(values, k).found
    above, below = (
        judge_statistic.flag_above(values, k).found,
        judge_statistic.flag_below(values, k).found,
    )
    assert np.array_equal(outside, np.fmax(above, below), equal_nan=True)


@given(many)
def test_not_everybody_lies_outside_one_deviation(values):
    assert not (judge_statistic.flag_outside(values, 1.0).found == 1).all()


@pytest.mark.parametrize("values", [[], [1.0], [np.nan, 2.0], [2.0, 2.0], [0.1 + 0.2, 0.3]])
def test_too_few_or_equal_values_say_nothing(values):
    verdict = judge_statistic.flag_outside(np.array(values), 1.0)
    assert np.isnan(verdict.found).all()
    assert verdict.reason


def test_who_has_no_value_is_neither_found_nor_counted():
    found = judge_statistic.flag_above(np.array([0.0, 0.0, 0.0, 10.0, np.nan]), 1.0).found
    assert found[:4].tolist() == [0, 0, 0, 1]
    assert np.isnan(found[4])


@given(st.integers(1, 60), st.data())
def test_the_binomial_tail_is_that_of_scipy(trials, data):
    hits, rate = data.draw(st.integers(0, trials)), data.draw(st.floats(0.01, 0.99))
    expected = binomtest(hits, trials, rate, alternative="greater").pvalue
    found = judge_statistic.binomial_tail(np.array([hits], float), np.array([trials], float), rate)
    assert found[0] == pytest.approx(expected, abs=1e-9)


def test_without_trials_there_is_no_p():
    assert np.isnan(judge_statistic.binomial_tail(np.array([0.0]), np.array([0.0]), 0.5)).all()
    assert np.isnan(judge_statistic.binomial_tail(np.array([1.0]), np.array([2.0]), np.nan)).all()
    assert np.isnan(judge_statistic.flag_unlikely(np.array([np.nan])).found).all()


def test_limits():
    assert judge_statistic.mean_and_limits(np.array([1.0, 3.0, np.nan]), 2.0) == pytest.approx(
        (2, 2 - 2 * np.sqrt(2), 2 + 2 * np.sqrt(2))
    )
    assert np.isnan(judge_statistic.mean_and_limits(np.array([]), 1.0)).all()
