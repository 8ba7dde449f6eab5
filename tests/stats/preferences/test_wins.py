"""The matrix of preferences between every two systems."""

from typing import Any

import pytest

from jurat.stats import analyse
from jurat.stats.preferences.comparisons import Comparing
from tests.stats.preferences.asking import compared, found, one

ROWS = [
    *[("j", str(n), "A", "B", "a" if n < 6 else "b") for n in range(8)],
    *[("j", str(n), "C", "A", "b") for n in range(4)],
    ("j", "9", "B", "C", "tie"),
]


def test_both_ways_round():
    shares = {
        (e.by["system_a"], e.by["system_b"]): (e.value, e.n)
        for e in found(compared(ROWS), "preference-wins")
    }
    assert shares == {
        ("A", "B"): (0.75, 8),
        ("B", "A"): (0.25, 8),
        ("A", "C"): (1, 4),
        ("C", "A"): (0, 4),
        ("B", "C"): (None, 0),
        ("C", "B"): (None, 0),
    }


def test_the_most_compared_come_first():
    assert found(compared(ROWS), "preference-wins")[0].by["system_b"] == "B"


def test_where_all_went_one_way_the_interval_is_exact():
    """Clopper and Pearson: the lower end of 4 of 4 is .025^(1/4) = 0.3976."""
    share = one(compared(ROWS), "preference-wins", {"bootstrap": 50}, system_a="A", system_b="C")
    assert (share.low, share.high) == (pytest.approx(0.3976, abs=1e-4), 1)
    other = one(compared(ROWS), "preference-wins", {"bootstrap": 50}, system_a="C", system_b="A")
    assert (other.low, other.high) == (0, pytest.approx(0.6024, abs=1e-4))
    none = one(compared(ROWS), "preference-wins", system_a="A", system_b="C")
    assert (none.low, none.high) == (None, None)


def test_the_figure_keeps_to_the_systems_compared_most():
    rows = [("j", str(n), f"s{n}", "hub", "a") for n in range(60)]
    results = analyse("preferences", compared(rows), Comparing(bootstrap=0))
    figure: Any = next(r for r in results if r.name == "preference-wins").figure()
    assert len(figure["data"]["values"]) == 2 * 39
