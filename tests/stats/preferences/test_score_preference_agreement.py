"""Adequacy against preference, as TAP-ET compares them (section 5.1.3).

Where scores put systems: by a protocol's order, or by numbers.
"""

from dataclasses import replace

import polars as pl
import pytest

from jurat import protocols
from jurat.stats.preferences.score_preference_agreement import agrees, score_orders
from tests.stats.preferences.asking import found, one
from tests.stats.tables import comparison, evaluation

CASES = [
    # the paper's four mismatches of 40, and what agrees
    ("1", "", "2", "", "tie", "no preference, within one category"),
    ("7", "no", "6", "yes", "b", "the lower one preferred"),
    ("6", "yes", "6", "no", "tie", "no preference, within one category"),
    ("7", "yes", "3", "", "tie", "no preference, further apart"),
    ("5", "yes", "5", "yes", "tie", ""),
    ("5", "yes", "5", "yes", "b", ""),
    ("6", "yes", "4", "", "a", ""),
]


def both(cases=CASES, status="valid"):
    pairs, scores = ["judge,segment,system_a,system_b,outcome,status"], []
    for n, (first, meaning, second, other, outcome, _) in enumerate(cases):
        # every second pair is shown the other way round
        turned = n % 2
        sides = ("B", "A") if turned else ("A", "B")
        said = {"a": "b", "b": "a"}.get(outcome, outcome) if turned else outcome
        pairs.append(f"j,{n},{sides[0]},{sides[1]},{said},valid")
        for system, points, word in (("A", first, meaning), ("B", second, other)):
            scores.append(f"k,{n},{system},adequacy,{points},,{status}")
            if word:
                scores.append(f"k,{n},{system},same-meaning,{int(word == 'yes')},{word},{status}")
    judged = evaluation("\n".join(["judge,segment,system,question,value,label,status", *scores]))
    return replace(judged, preferences=comparison("\n".join(pairs)).preferences)


@pytest.mark.parametrize("status", ["valid", "adjudicated"])
def test_the_papers_cases(status):
    share = one(both(status=status), "order-agreement")
    assert (share.value, share.n) == (pytest.approx(3 / 7), 7)
    assert share.by["order"] == "tapet-adequacy"
    kinds = {e.by["kind"]: e.value for e in found(both(status=status), "order-mismatch")}
    expected = [case[5] for case in CASES if case[5]]
    assert kinds == {kind: expected.count(kind) for kind in kinds}
    assert sum(kinds.values()) == 4


def test_mismatches_by_their_answers():
    listed = found(both(), "order-mismatch-answers")
    told = {(e.by["higher"], e.by["lower"], e.by["kind"]): e.value for e in listed}
    assert told["7-no", "6-yes", "the lower one preferred"] == 1
    assert told["2", "1", "no preference, within one category"] == 1
    assert len(told) == 4


def test_no_mismatch():
    assert one(both(CASES[4:]), "order-agreement").value == 1
    (nothing,) = found(both(CASES[4:]), "order-mismatch-answers")
    assert (nothing.value, nothing.n) == (0, 3)


def test_an_adjudicated_preference_takes_the_place_of_the_judges():
    pairs = comparison(
        """judge,segment,system_a,system_b,outcome,status
           j,1,A,B,b,valid
           k,1,B,A,tie,valid
           chief,1,B,A,b,adjudicated
           j,2,A,B,b,valid"""
    )
    judged = evaluation("segment,system,value\n1,A,3\n1,B,2\n2,A,3\n2,B,2")
    share = one(replace(judged, preferences=pairs.preferences), "order-agreement")
    assert (share.value, share.n) == (0.5, 2)


def test_every_question_where_no_order_fits():
    pairs = comparison("segment,system_a,system_b,outcome\n1,A,B,a\n2,A,B,tie")
    judged = evaluation(
        "segment,system,adequacy,fluency\n1,A,3,1\n1,B,2,2\n2,A,4,3\n2,B,4,2",
        questions=("adequacy", "fluency"),
    )
    shares = found(replace(judged, preferences=pairs.preferences), "order-agreement")
    assert {e.by["order"]: e.value for e in shares} == {"adequacy": 1, "fluency": 0}


@pytest.mark.parametrize(
    ("judged", "reason"),
    [
        (None, "needs judgments of the same segments"),
        ("segment,value\n1,3", "needs the column system"),
        ("document,system,value\nd,A,3", "needs document, segment or item"),
        ("segment,system,value\n7,A,3", "both scored on its segment"),
    ],
)
def test_what_is_missing_is_said(judged, reason):
    pairs = comparison("segment,system_a,system_b,outcome\n1,A,B,a")
    if judged and "document" in judged:
        pairs = comparison("system_a,system_b,outcome\nA,B,a")
    scores = evaluation(judged).judgments if judged else None
    for name in ("order-agreement", "order-mismatch", "order-mismatch-answers"):
        (nothing,) = found(replace(pairs, judgments=scores), name)
        assert nothing.value is None
        assert reason in nothing.reason


def test_equal_or_higher():
    outcomes = pl.Series(["a", "a", "a", "b", "b", "tie", "tie", "good", "bad"])
    first = pl.Series([1.0, 2, 3, 1, 3, 2, 2, 2, 1])
    second = pl.Series([2.0, 2, 2, 2, 2, 2, 1, 2, 2])
    expected = [True, True, False, False, True, True, False, True, False]
    assert agrees(outcomes, first, second).to_list() == expected


def test_the_interval_is_over_segments():
    share = one(both(CASES * 6), "order-agreement", {"bootstrap": 200})
    assert share.low < share.value < share.high


PAIRS = "judge,document,segment,system_a,system_b,outcome\nj,d,1,A,B,a"
HEAD = "judge,document,segment,system,question,value,label,status"


def placed(rows: list[str], protocol: str = "") -> dict[str, dict[str, tuple[float, str]]]:
    judged = evaluation("\n".join([HEAD, *rows]))
    both = replace(judged, preferences=comparison(PAIRS).preferences)
    found = score_orders(both, protocols.load(protocol) if protocol else None)
    return {
        order.name: {row["system"]: (row["place"], row["said"]) for row in order.frame.to_dicts()}
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
    (order,) = score_orders(replace(judged, preferences=pairs.preferences))
    assert ",".join(order.keys) == column
