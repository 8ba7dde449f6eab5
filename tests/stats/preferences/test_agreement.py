"""k-way agreement on preferences, as TAP-ET counts it."""

import pytest

from tests.stats.preferences.asking import compared, one
from tests.stats.tables import comparison

THREE = [
    *[(j, "1", "A", "B", "a") for j in "xyz"],
    *[(j, "2", "A", "B", o) for j, o in zip("xyz", ("a", "a", "tie"), strict=True)],
    *[(j, "3", "A", "B", o) for j, o in zip("xyz", ("a", "b", "a"), strict=True)],
    *[(j, "4", "A", "B", "tie") for j in "xyz"],
]


def test_by_hand():
    """1 and 4 are unanimous of four; without ties 1 and 3 are left, of which 1 is."""
    with_ties = one(compared(THREE), "preference-agreement", ties="with")
    assert (with_ties.value, with_ties.n) == (0.5, 4)
    without = one(compared(THREE), "preference-agreement", ties="without")
    assert (without.value, without.n) == (0.5, 2)


def test_only_the_decisions_removed():
    """Item 2 stays, with the two judges who had a preference and agree."""
    settings = {"without_ties": "decisions"}
    without = one(compared(THREE), "preference-agreement", settings, ties="without")
    assert (without.value, without.n) == (pytest.approx(2 / 3), 3)


def test_the_side_does_not_matter_and_the_first_decision_counts():
    rows = [
        ("x", "1", "A", "B", "a"),
        ("y", "1", "B", "A", "b"),
        ("y", "1", "A", "B", "b"),  # a repeat: for the agreement with himself
        ("z", "1", "A", "C", "a"),  # another comparison of the same item
    ]
    found = one(compared(rows), "preference-agreement", ties="with")
    assert (found.value, found.n) == (1, 1)


def test_both_good_is_not_both_bad():
    rows = [("x", "1", "A", "B", "good"), ("y", "1", "A", "B", "bad")]
    assert one(compared(rows), "preference-agreement", ties="with").value == 0
    without = one(compared(rows), "preference-agreement", ties="without")
    assert without.value is None
    assert "no preference" in without.reason


def test_one_judge():
    found = one(compared(THREE[:1]), "preference-agreement", ties="with")
    assert (found.value, found.reason) == (None, "no comparison was made by two judges")


def test_the_interval_holds_the_value():
    rows = [
        (j, str(n), "A", "B", "a" if n % 3 or j == "x" else "b") for n in range(30) for j in "xy"
    ]
    found = one(compared(rows), "preference-agreement", {"bootstrap": 300}, ties="with")
    assert found.value == pytest.approx(2 / 3)
    assert found.low < found.value < found.high


def by_document(agreed: list[int], items: int = 5) -> str:
    """Two judges of some items a document, of which this many have the same outcome."""
    rows = [
        f"d{d},d{d}-{n},{judge},A,B,{'ab'[(judge == 'y' and n >= same) ^ (d % 2)]}"
        for d, same in enumerate(agreed)
        for n in range(items)
        for judge in "xy"
    ]
    return "\n".join(["document,item,judge,system_a,system_b,outcome", *rows])


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("preference-agreement", {"ties": "with"}),
        ("preference-kappa", {"scope": "inter", "definition": "clean"}),
    ],
)
def test_documents_are_what_varies_where_they_are_known(name: str, by: dict[str, str]):
    """Judges agree about whole documents or not at all, which items alone would not show."""
    table = by_document([5, 5, 0, 5, 0, 5, 5, 0])
    whole, alone = (
        one(comparison(table), name, {"bootstrap": 300, "unit": unit}, **by)
        for unit in ("", "segment")
    )
    assert whole.value == alone.value
    assert whole.high - whole.low > 2 * (alone.high - alone.low)


def test_two_that_agree_are_no_certainty():
    """A bootstrap of items that all agree gives the interval [1, 1]."""
    found = one(
        comparison(by_document([5] * 8)), "preference-agreement", {"bootstrap": 300}, ties="with"
    )
    assert (found.value, found.high) == (1, 1)
    assert found.low < 0.8
