import pytest

from tests.stats.agreement.asking import one
from tests.stats.tables import evaluation

CSV = "judge,item,system,value\n" + "\n".join(
    f"{judge},{item},{system},{value}"
    for judge, values in {"a": "1122", "b": "1123", "c": "3333"}.items()
    for item, system, value in zip("wxyz", "AABB", values, strict=True)
)


@pytest.mark.parametrize(
    ("over", "least", "mean", "most"),
    [
        # Equal: a-b in w, x, y; b-c in z; a-c never.
        ("judges", (1 / 8, "c"), (3 / 8 + 4 / 8 + 1 / 8) / 3, (4 / 8, "b")),
        ("pairs", (0, "a and c"), 1 / 3, (3 / 4, "a and b")),
        ("systems", (2 / 6, "A"), 2 / 6, (2 / 6, "A")),
    ],
)
def test_by_hand(over, least, mean, most):
    asked = evaluation(CSV)
    found = {
        end: one(asked, f"agreement-{end}", over=over) for end in ("minimum", "mean", "maximum")
    }
    assert (found["minimum"].value, found["minimum"].side) == (pytest.approx(least[0]), least[1])
    assert found["mean"].value == pytest.approx(mean)
    assert (found["maximum"].value, found["maximum"].side) == (pytest.approx(most[0]), most[1])


def test_pairs_with_few_items_are_left_out_where_others_have_more():
    rows = [f"{judge},i{n},1" for judge in "ab" for n in range(12)] + ["c,i0,2"]
    found = one(
        evaluation("judge,item,value\n" + "\n".join(rows)), "agreement-minimum", over="pairs"
    )
    assert (found.value, found.n) == (1, 1)


def test_undefined():
    found = one(evaluation("judge,item,value\na,x,1"), "agreement-minimum", over="judges")
    assert found.reason == "no two judges judged the same item"
