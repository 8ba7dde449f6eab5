"""Adjusted p-values beside hand-computed ones and scipy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jurat.errors import InputError
from jurat.resampling import adjust

P = [0.01, 0.04, 0.03, 0.005, 0.5]
BY_HAND = {
    # times 5, 4, 3, 2, 1 from the smallest, never falling
    "holm": [0.04, 0.09, 0.09, 0.025, 0.5],
    # times 5/1, 5/2, 5/3, 5/4, 5/5 from the smallest, never rising from the largest down
    "bh": [0.025, 0.05, 0.05, 0.025, 0.5],
    "bonferroni": [0.05, 0.2, 0.15, 0.025, 1],
    "none": P,
}
families = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@pytest.mark.parametrize("method", BY_HAND)
def test_by_hand(method):
    assert adjust(P, method) == pytest.approx(BY_HAND[method])


@given(families)
def test_bh_is_scipys(p):
    assert np.allclose(adjust(p, "bh"), stats.false_discovery_control(p))


@given(families)
def test_order_of_strictness(p):
    none, bh, holm, bonferroni = (adjust(p, m) for m in ("none", "bh", "holm", "bonferroni"))
    for less, more in ((none, bh), (bh, holm), (holm, bonferroni)):
        assert (less <= more * (1 + 1e-12)).all()
    assert np.array_equal(np.sort(holm), holm[np.argsort(p, kind="stable")])


@pytest.mark.parametrize("method", BY_HAND)
def test_missing_stays_missing_and_shape_stays(method):
    table = np.array([[0.01, np.nan, 0.04], [0.03, 0.005, 0.5]])
    adjusted = adjust(table, method)
    assert adjusted.shape == (2, 3)
    assert np.isnan(adjusted[0, 1])
    assert adjusted[~np.isnan(table)] == pytest.approx(BY_HAND[method])
    assert adjust([], method).shape == (0,)


@pytest.mark.parametrize(
    ("p", "method", "field"), [([1.2], "holm", "p_values"), ([0.1], "homl", "method")]
)
def test_faults_name_the_argument(p, method, field):
    with pytest.raises(InputError, match=field):
        adjust(p, method)
