import numpy as np
import pytest
from scipy import stats

from tests.stats.agreement.asking import estimates, long, one, results
from tests.stats.agreement.drawn import rows, table
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


CSV_CONTESTED_ITEMS = """judge,item,value,source
a,x,1,one word more
b,x,5,one word more
a,y,4,two words
b,y,5,two words
a,z,5,one
b,z,5,one
a,w,5,alone it does not count"""


def test_the_most_contested_come_first():
    found = estimates(evaluation(CSV_CONTESTED_ITEMS), "item-spread")
    assert [(e.by["item"], e.value, e.n) for e in found] == [("x", 4, 2), ("y", 1, 2), ("z", 0, 2)]


def test_against_quality_and_length():
    asked = evaluation(CSV_CONTESTED_ITEMS)
    quality = stats.spearmanr([4, 1, 0], [3, 4.5, 5]).statistic
    assert one(asked, "spread-correlation", **{"with": "quality"}).value == pytest.approx(quality)
    length = one(asked, "spread-correlation", **{"with": "length"})
    assert (length.value, length.n) == (pytest.approx(1), 3)
    (result,) = (r for r in results(asked) if r.name == "spread-correlation")
    assert result.headline.startswith("Whether judges disagree more about good or about bad items")


def test_worse_items_that_differ_more_are_told():
    apart = [at * (30 - n + 4 * (n % 3)) for n in range(20) for at in range(2)]
    rows = [f"{'ab'[at % 2]},i{at // 2},{40 + 4 * (at // 2) + d}" for at, d in enumerate(apart)]
    asked = evaluation("\n".join(["judge,item,value", *rows]))
    (result,) = (r for r in results(asked, bootstrap=2) if r.name == "spread-correlation")
    assert result.headline.startswith("Judges disagree more about worse items")


def test_an_interval_around_none_says_that_nothing_is_known():
    asked = evaluation(long(rows(table(8, points=50))))
    found = one(asked, "spread-correlation", {"bootstrap": 2}, **{"with": "quality"})
    (result,) = (r for r in results(asked, bootstrap=2) if r.name == "spread-correlation")
    assert found.low < 0 < found.high
    assert "leaving out each of" in result.method
    assert "items are taken as independent" in result.method
    assert result.headline.startswith("Whether judges disagree more about good or about bad items")


def test_names_are_no_texts():
    asked = evaluation("judge,item,value,source\na,x,1,A\nb,x,2,A\na,y,1,B\nb,y,1,B")
    assert "column length" in one(asked, "spread-correlation", **{"with": "length"}).reason


def test_words_are_equal_or_not():
    csv = "judge,item,value\na,x,A\nb,x,B\nc,x,B\na,y,A\nb,y,A"
    assert estimates(evaluation(csv), "item-spread")[0].value == pytest.approx(2 / 3)
    assert "words" in one(evaluation(csv), "spread-correlation", **{"with": "quality"}).reason


def test_undefined_of_contested_items():
    alone = evaluation("judge,item,value\na,x,1")
    assert one(alone, "item-spread").reason
    same = evaluation("judge,item,value\na,x,1\nb,x,1\na,y,1\nb,y,1")
    assert one(same, "spread-correlation", **{"with": "quality"}).reason.startswith("all items")
    assert "column length" in one(same, "spread-correlation", **{"with": "length"}).reason


def test_the_figure_has_few_rows():
    asked = evaluation(long(rows(table(1, items=500, points=50))))
    (result,) = (r for r in results(asked) if r.name == "item-spread")
    assert len(result.figure()["data"]["values"]) <= 10


def test_items_of_a_document_are_not_independent():
    """Documents of six items with the same answers tell no more than six items would."""
    rng = np.random.default_rng(4)
    lines = []
    for document in range(8):
        values = rng.integers(1, 6, 2)
        for item in range(6):
            lines += [f"j{j},{document}-{item},d{document},{v}" for j, v in enumerate(values)]
    csv = "judge,item,document,value\n" + "\n".join(lines)
    asked = {"with": "quality"}
    whole = one(evaluation(csv), "spread-correlation", {"bootstrap": 2}, **asked)
    alone = one(evaluation(csv), "spread-correlation", {"bootstrap": 2, "unit": "segment"}, **asked)
    assert whole.value == alone.value
    assert whole.high - whole.low > 1.5 * (alone.high - alone.low)
