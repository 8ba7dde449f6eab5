"""Intervals of every judge at once."""

import numpy as np
import pytest
from scipy.stats import bootstrap

from jurat.stats import Settings
from jurat.stats.judges.judge_intervals import MOST_GROUPS, judge_intervals
from tests.stats.tables import matrix


def mean(totals):
    return totals[:, 1:] / totals[:, :1]


def means(table, **settings):
    ratings = matrix(table)
    rows = np.column_stack([np.ones(len(ratings)), ratings.values])
    return judge_intervals(rows, ratings, mean, Settings(**settings))


def test_the_interval_of_a_mean_is_as_wide_as_scipys():
    values = np.random.default_rng(1).integers(1, 8, (3, 80)).astype(float)
    found = means(values.tolist(), bootstrap=2000)
    for at, judge in enumerate(values):
        low, high = bootstrap((judge,), np.mean, method="percentile", rng=1).confidence_interval
        assert found.low[at, 0] == pytest.approx(low, abs=0.1)
        assert found.high[at, 0] == pytest.approx(high, abs=0.1)


def test_groups_of_items_give_the_same_width():
    values = np.random.default_rng(2).normal(0, 1, (2, 2 * MOST_GROUPS + 500))
    found = means(values.tolist())
    width = (found.high - found.low)[:, 0]
    expected = 2 * 1.96 * values.std(axis=1) / np.sqrt(values.shape[1])
    assert width == pytest.approx(expected, rel=0.12)
    assert "4,500 items in 2,000 groups" in found.method


def test_a_single_judgment_has_no_interval():
    found = means([[1, 2, 3, 4], [5, None, None, None]], bootstrap=50)
    assert np.isfinite(found.low[0, 0])
    assert np.isnan(found.low[1, 0])
    assert found.values[:, 0].tolist() == [2.5, 5]


def test_no_bootstrap_no_interval():
    found = means([[1, 2], [2, 3]], bootstrap=0)
    assert np.isnan(found.low).all()
    assert found.method == ""
