import pytest

from tests.stats.preferences.asking import found, one
from tests.stats.tables import comparison

HEAD = "judge,item,system_a,system_b,outcome,status"
ROWS = """
a,x,mt,human,b,valid
b,x,human,mt,b,valid
z,x,human,mt,a,adjudicated
a,y,mt,human,tie,valid
b,y,mt,human,a,valid
z,y,human,mt,tie,adjudicated
a,w,mt,human,a,valid"""


def test_by_hand():
    """Of x a human was settled on, of y a tie; w was not settled."""
    asked = comparison(HEAD + ROWS)
    told = {e.by["judge"]: (e.value, e.n) for e in found(asked, "preference-adjudicated")}
    assert told == {"all": (0.5, 4), "a": (1, 2), "b": (0, 2)}


def test_the_last_settlement_counts():
    asked = comparison(f"{HEAD}{ROWS}\nz,x,mt,human,a,adjudicated")
    assert one(asked, "preference-adjudicated", judge="a").value == 0.5
    assert one(asked, "preference-adjudicated", judge="b").value == 0.5


def test_few_cases_are_no_certainty():
    found = one(comparison(HEAD + ROWS), "preference-adjudicated", {"bootstrap": 50}, judge="a")
    # Wilson's lower end of 2 out of 2.
    assert (round(found.low, 4), found.high) == (0.3424, 1)


@pytest.mark.parametrize(
    "csv",
    [
        "judge,item,system_a,system_b,outcome\na,x,mt,human,b",
        f"{HEAD}\na,x,mt,human,b,valid\nz,y,mt,human,b,adjudicated",
    ],
    ids=["nothing settled", "something else settled"],
)
def test_where_nothing_was_settled_it_says_nothing(csv):
    assert found(comparison(csv), "preference-adjudicated") == []
