"""How often each outcome is chosen."""

import pytest

from jurat.stats import analyse
from jurat.stats.settings import PreferenceSettings
from tests.stats.preferences.asking import compared, found, one
from tests.stats.tables import comparison

SIDES = [
    ("j", "1", "mt", "human", "a"),
    ("j", "2", "human", "mt", "a"),
    ("j", "3", "human", "mt", "tie"),
    ("k", "3", "human", "mt", "a"),
]


def test_two_systems_are_counted_on_whichever_side():
    counts = found(compared(SIDES), "preference-count")
    assert {e.by["outcome"]: (e.value, e.side) for e in counts} == {
        "a": (1, "mt"),
        "b": (2, "human"),
        "tie": (1, ""),
    }
    assert {e.n for e in counts} == {4}


def test_more_systems_are_counted_by_side():
    counts = found(compared([*SIDES, ("j", "4", "mt", "other", "b")]), "preference-count")
    assert {e.by["outcome"]: e.value for e in counts} == {"a": 3, "b": 1, "tie": 1}
    assert {e.side for e in counts} == {""}


def test_kinds_of_tie_where_somebody_chose_them():
    rows = [("j", "1", "A", "B", "good"), ("j", "2", "A", "B", "bad"), ("j", "3", "A", "B", "bad")]
    counts = found(compared(rows), "preference-count")
    assert {e.by["outcome"]: e.value for e in counts} == {
        "a": 0, "b": 0, "tie": 0, "good": 1, "bad": 2,
    }  # fmt: skip


def test_shares_have_intervals_over_items():
    rows = [("j", str(n), "A", "B", "a" if n % 4 else "tie") for n in range(40)]
    share = one(compared(rows), "preference-share", {"bootstrap": 500}, outcome="a")
    assert share.value == pytest.approx(0.75)
    assert share.low < 0.75 < share.high
    again = one(compared(rows), "preference-share", {"bootstrap": 500}, outcome="a")
    assert again == share
    # every decision twice is no more than once, where items are what is drawn
    twice = [*rows, *(("k", *row[1:]) for row in rows)]
    wider = one(compared(twice), "preference-share", {"bootstrap": 500}, outcome="a")
    assert wider.high - wider.low == pytest.approx(share.high - share.low, rel=0.2)


def test_nothing_left():
    one = "judge,item,system_a,system_b,outcome\nj,1,A,B,a"
    nothing = comparison(one, where="item == 2")
    for result in analyse("preferences", nothing, PreferenceSettings()):
        assert [e.value for e in result.estimates] == [None] * len(result.estimates)
        assert all(e.reason for e in result.estimates)


def test_the_headline_names_the_systems():
    results = analyse("preferences", compared(SIDES), PreferenceSettings(bootstrap=0))
    headline = next(r.headline for r in results if r.name == "preference-count")
    assert headline == (
        "mt is preferred in 25.0 % of 4 decisions, human in 50.0 %, neither in 25.0 %."
    )


def test_better_and_worse_are_not_taken_for_sides():
    table = comparison("item,better,worse\n1,X,Y\n2,Y,X\n3,X,Z")
    counted = next(iter(analyse("preferences", table, PreferenceSettings(bootstrap=0))))
    assert counted.headline == "3 decisions prefer one of two systems; preference-wins tells which."
    assert "shown first" not in counted.method
