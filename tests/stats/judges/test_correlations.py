"""Correlations of short lists."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from jurat.stats.judges.correlations import kendall, midranks, pearson, places, spearman

lists = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=12)


@given(lists)
def test_they_are_those_of_scipy_or_undefined(pairs):
    one, other = np.array(pairs, float).T
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        assert all(np.isnan(f(one, other)) for f in (pearson, spearman, kendall))
        return
    assert pearson(one, other) == pytest.approx(scipy.stats.pearsonr(one, other).statistic)
    assert spearman(one, other) == pytest.approx(scipy.stats.spearmanr(one, other).statistic)
    assert kendall(one, other) == pytest.approx(scipy.stats.kendalltau(one, other).statistic)
    assert midranks(one).tolist() == scipy.stats.rankdata(one).tolist()


def test_places_share_the_better_and_leave_out_the_missing():
    assert places(np.array([3.0, 5.0, 3.0, 1.0])).tolist() == [2, 1, 2, 4]
    assert np.isnan(places(np.array([3.0, np.nan]))[1])
