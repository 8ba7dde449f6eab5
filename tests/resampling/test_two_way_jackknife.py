"""Intervals over units and judges at once, beside the plain jackknife and simulated tables."""

import numpy as np
import pytest
from scipy import stats

from jurat.resampling.two_way_jackknife import LeftOut, two_way_interval

IDENTITY = np.array([False])


def left_out_means(table):
    """The mean of a table (judges × units) without each row, column, and both."""
    judges, n = table.shape
    total = table.sum()
    row, column = table.sum(axis=1), table.sum(axis=0)
    both = total - row[:, None] - column + table
    return LeftOut(
        np.array([table.mean()]),
        ((total - column) / (judges * (n - 1)))[:, None],
        ((total - row) / ((judges - 1) * n))[:, None],
        (both / ((judges - 1) * (n - 1)))[:, :, None],
    )


def test_of_units_alone_it_is_the_t_interval():
    """Judges who all say the same have no part in the variance."""
    scores = np.random.default_rng(1).normal(size=12)
    low, high = two_way_interval(
        left_out_means(np.tile(scores, (4, 1))), fisher=IDENTITY, confidence=0.95
    )
    theirs = stats.ttest_1samp(scores, 0).confidence_interval()
    assert np.allclose([low[0], high[0]], theirs)


def test_two_judges_cannot_speak_for_others():
    table = np.random.default_rng(1).normal(size=(2, 30))
    assert np.isnan(two_way_interval(left_out_means(table), fisher=IDENTITY, confidence=0.95)).all()


@pytest.mark.parametrize("judges", [3, 5, 10])
def test_covers_the_mean_of_all_judges(judges):
    rng, covered, items_only = np.random.default_rng(2), 0, 0
    for _ in range(400):
        table = rng.normal(size=(judges, 1)) / 2 + rng.normal(size=40) / 2
        table = table + rng.normal(size=table.shape)
        low, high = two_way_interval(left_out_means(table), fisher=IDENTITY, confidence=0.95)
        covered += low[0] <= 0 <= high[0]
        items_only += stats.ttest_1samp(table.mean(axis=0), 0).pvalue > 0.05
    assert covered >= 0.92 * 400
    assert items_only < 0.8 * 400
