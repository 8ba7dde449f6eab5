"""Where scores put systems: by a protocol's order, or by numbers."""

from dataclasses import replace

import pytest

from jurat import protocols
from jurat.stats.preferences.places import orders
from tests.stats.tables import comparison, evaluation

PAIRS = "judge,document,segment,system_a,system_b,outcome\nj,d,1,A,B,a"
HEAD = "judge,document,segment,system,question,value,label,status"


def placed(rows: list[str], protocol: str = "") -> dict[str, dict[str, tuple[float, str]]]:
    judged = evaluation("\n".join([HEAD, *rows]))
    both = replace(judged, preferences=comparison(PAIRS).preferences)
    found = orders(both, protocols.load(protocol) if protocol else None)
    return {
        order.name: {row["system"]: (row["place"], row["told"]) for row in order.frame.to_dicts()}
        for order in found
    }


SEVEN = [
    "j,d,1,A,adequacy,7,All,valid",
    "j,d,1,A,same-meaning,0,no,valid",
    "j,d,1,B,adequacy,6,,valid",
    "j,d,1,B,same-meaning,1,yes,valid",
    "j,d,1,C,adequacy,4,Half,valid",
]


def test_seven_no_comes_before_six_yes():
    assert placed(SEVEN) == {"tapet-adequacy": {"A": (2, "7-no"), "B": (3, "6-yes"), "C": (7, "4")}}


def test_the_scale_of_five_is_told_from_that_of_seven():
    """The seven points ask for the meaning from 5 on, the five points from 3 on."""
    five = ["j,d,1,A,adequacy,3,,valid", "j,d,1,A,same-meaning,1,yes,valid"]
    assert placed(five) == {"tapet-adequacy-5": {"A": (5, "3-yes")}}


def test_judges_are_averaged_unless_an_adjudicator_settled_it():
    other = ["k,d,1,A,adequacy,7,All,valid", "k,d,1,A,same-meaning,1,yes,valid"]
    assert placed([*SEVEN, *other])["tapet-adequacy"]["A"] == (1.5, "7-no / 7-yes")
    settled = ["chief,d,1,A,adequacy,5,,adjudicated", "chief,d,1,A,same-meaning,1,yes,adjudicated"]
    found = placed([*SEVEN, *other, *settled])["tapet-adequacy"]
    assert found["A"] == (5, "5-yes")
    assert found["B"] == (3, "6-yes")


def test_numbers_where_no_order_fits():
    rows = ["j,d,1,A,adequacy,80,,valid", "j,d,1,A,same-meaning,1,yes,valid"]
    assert placed(rows) == {
        "adequacy": {"A": (-80, "80.0")},
        "same-meaning": {"A": (-1, "1.0")},
    }


def test_an_order_that_is_named_leaves_out_what_has_no_place():
    rows = [*SEVEN, "j,d,1,D,adequacy,9,,valid"]
    found = placed(rows, "tapet-adequacy")
    assert set(found["tapet-adequacy"]) == {"A", "B", "C"}
    assert set(placed(rows)) == {"adequacy", "same-meaning"}


@pytest.mark.parametrize("column", ["document,segment", "item"])
def test_segments_are_known_by_what_both_tables_have(column):
    first = column.replace("document,segment", "d,1").replace("item", "1")
    pairs = comparison(f"judge,{column},system_a,system_b,outcome\nj,{first},A,B,a")
    judged = evaluation(f"judge,{column},system,value\nj,{first},A,3")
    (order,) = orders(replace(judged, preferences=pairs.preferences))
    assert ",".join(order.keys) == column
