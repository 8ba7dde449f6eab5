"""Correlations of short lists, and places."""

import numpy as np
import pytest

from jurat.stats.judges.leave_out import CORRELATIONS
from jurat.stats.systems.score_table import ranked


@pytest.mark.parametrize("name", CORRELATIONS)
def test_what_lies_on_a_line_has_exactly_one(name):
    for n in range(3, 30):
        x = np.arange(float(n)) / 7
        assert CORRELATIONS[name](x, 0.3 * x - 0.1) == 1


def test_places_share_the_better_and_leave_out_the_missing():
    assert ranked(np.array([3.0, 5.0, 3.0, 1.0])).tolist() == [2, 1, 2, 4]
    assert np.isnan(ranked(np.array([3.0, np.nan]))[1])
