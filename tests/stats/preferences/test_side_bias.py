"""Whether the first side wins."""

import pytest
from scipy.stats import binomtest

from tests.stats.preferences.asking import compared, one
from tests.stats.tables import comparison

BOTH = [
    *[("j", str(n), "A", "B", "a") for n in range(6)],
    *[("j", str(n), "B", "A", "a") for n in range(4)],
    ("j", "7", "B", "A", "b"),
    ("j", "8", "B", "A", "tie"),
]


def test_the_first_side_wins_ten_of_eleven():
    share = one(compared(BOTH), "side-bias", {"bootstrap": 100})
    assert (share.value, share.n) == (pytest.approx(10 / 11), 11)
    assert share.low < share.value
    assert one(compared(BOTH), "side-bias-p").value == pytest.approx(binomtest(10, 11).pvalue)


def test_pairs_that_never_changed_sides_are_left_out():
    fixed = [("j", str(n), "A", "C", "b") for n in range(9)]
    assert one(compared([*BOTH, *fixed]), "side-bias").n == 11
    alone = one(compared(fixed), "side-bias")
    assert alone.value is None
    assert "both ways round" in alone.reason


def test_better_and_worse_tell_no_sides():
    found = one(comparison("better,worse\nA,B\nB,A"), "side-bias")
    assert found.value is None
    assert "does not tell sides" in found.reason


def test_nothing_but_ties():
    rows = [("j", "1", "A", "B", "tie"), ("j", "2", "B", "A", "tie")]
    assert one(compared(rows), "side-bias-p").reason == "every decision is a tie"
