import numpy as np

from jurat.stats.settings import SystemSettings
from jurat.stats.systems.connectivity import (
    connected_groups,
    strongly_connected,
    why_no_maximum,
    why_not_connected,
)
from jurat.stats.systems.win_counts import preference_win_counts
from tests.stats.tables import comparison


def test_strong_connection():
    ring = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    chain = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    assert strongly_connected(np.stack([ring, chain])).tolist() == [True, False]


def test_systems_that_never_met_are_groups():
    table = comparison("judge,item,better,worse\nx,1,a,b\nx,2,b,a\nx,3,c,d\nx,4,d,c")
    (found,) = preference_win_counts(table, SystemSettings())
    assert connected_groups(found) == [["a", "b"], ["c", "d"]]
    assert "2 groups" in why_not_connected(found)
    assert why_no_maximum(found) == why_not_connected(found)
