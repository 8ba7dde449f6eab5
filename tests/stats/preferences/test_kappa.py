"""Pairwise agreement of preferences and rankings, against counting pair by pair.

Cohen's kappa of two judges' preferences, against scikit-learn.
"""

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from jurat.stats import analyse
from jurat.stats.preferences.kappa import DEFINITIONS, pair_counts
from jurat.stats.settings import PreferenceSettings
from tests.stats.preferences.asking import Row, compared, found, one, only
from tests.stats.tables import comparison

DECISIONS = st.lists(
    st.tuples(
        st.sampled_from("xyz"),
        st.sampled_from("12"),
        st.permutations(["A", "B", "C"]),
        st.sampled_from(["a", "b", "tie", "good"]),
    ).map(lambda row: (row[0], row[1], row[2][0], row[2][1], row[3])),
    min_size=1,
    max_size=30,
)


def counted(rows: list[Row], scope: str, definition: str) -> tuple[int, int]:
    """Agreeing and comparable pairs of decisions, one pair after the other."""
    agree = comparable = 0
    for (j, item, a, b, o), (k, other, c, d, p) in combinations(rows, 2):
        if item != other or (scope == "intra" and j != k):
            continue
        if definition == "wmt":
            same, equal = (a, b) == (c, d), o == p
        else:
            if scope == "inter" and j == k:
                continue
            same = {a, b} == {c, d}
            equal = winner(a, b, o) == winner(c, d, p)
        comparable += same
        agree += same and equal
    return agree, comparable


def winner(a: str, b: str, outcome: str) -> str:
    return {"a": a, "b": b}.get(outcome, outcome)


def taken_for_ties(rows: list[Row], scope: str, definition: str) -> list[Row]:
    """The decisions that WMT's intra takes ties from: items with something a judge did twice."""
    if (scope, definition) != ("intra", "wmt"):
        return rows
    times: dict[tuple[str, ...], int] = defaultdict(int)
    for j, i, a, b, _ in rows:
        times[j, i, a, b] += 1
    repeated = {(j, i) for (j, i, _, _), n in times.items() if n > 1}
    return [row for row in rows if row[:2] in repeated]


@settings(deadline=None, max_examples=40)
@given(DECISIONS)
def test_counts_are_those_of_counting(rows):
    totals = pair_counts(only(rows)).sum(axis=0).reshape(len(DEFINITIONS), -1)
    for (scope, definition), (agree, comparable, *ties, total) in zip(
        DEFINITIONS, totals, strict=True
    ):
        assert (agree, comparable) == counted(rows, scope, definition)
        used = taken_for_ties(rows, scope, definition)
        assert total == len(used)
        assert ties == [sum(row[4] == kind for row in used) for kind in ("tie", "good", "bad")]


@settings(deadline=None, max_examples=40)
@given(DECISIONS)
def test_kappa_follows_from_its_parts(rows):
    evaluation = compared(rows)
    parts = ("preference-kappa", "preference-observed", "preference-expected")
    for kappa, observed, expected in zip(*(found(evaluation, n) for n in parts), strict=True):
        if kappa.value is not None:
            chance = (observed.value - expected.value) / (1 - expected.value)
            assert kappa.value == pytest.approx(chance)
            assert kappa.value <= 1 + 1e-12
        else:
            assert kappa.reason


def test_by_hand():
    """Two of three comparable pairs agree, two ties of six: pE = 1/9 + 2 · (1/3)² = 1/3."""
    rows = [
        ("x", "1", "A", "B", "a"), ("y", "1", "B", "A", "b"),
        ("x", "2", "A", "B", "tie"), ("y", "2", "A", "B", "tie"),
        ("x", "3", "A", "B", "a"), ("y", "3", "A", "B", "b"),
    ]  # fmt: skip
    clean = {"scope": "inter", "definition": "clean"}
    assert one(compared(rows), "preference-observed", **clean).value == pytest.approx(2 / 3)
    assert one(compared(rows), "preference-expected", **clean).value == pytest.approx(1 / 3)
    assert one(compared(rows), "preference-kappa", **clean).value == pytest.approx(1 / 2)
    assert one(compared(rows), "preference-kappa", **clean).n == 3
    # as shown, item 1 has two different items
    wmt = one(compared(rows), "preference-pairs", scope="inter", definition="wmt")
    assert wmt.value == 2


def test_always_the_same_tie():
    rows = [("x", "1", "A", "B", "tie"), ("y", "1", "A", "B", "tie")]
    kappa = one(compared(rows), "preference-kappa", scope="inter", definition="clean")
    assert (kappa.value, kappa.reason) == (None, "all decisions are the same kind of tie")


def test_without_judges_only_inter_can_be_told():
    evaluation = comparison("item,system_a,system_b,outcome\n1,A,B,a\n1,B,A,b\n2,A,B,b")
    inter = one(evaluation, "preference-observed", scope="inter", definition="clean")
    assert (inter.value, inter.n) == (1, 1)
    intra = one(evaluation, "preference-kappa", scope="intra", definition="clean")
    assert (intra.value, intra.reason) == (None, "needs the column judge")


def test_where_sides_are_not_told_wmt_has_nothing_to_say():
    evaluation = comparison("judge,item,better,worse\nx,1,A,B\ny,1,B,A\nx,2,A,B\ny,2,A,B")
    wmt = one(evaluation, "preference-kappa", scope="inter", definition="wmt")
    assert wmt.value is None
    assert "sides" in wmt.reason
    clean = one(evaluation, "preference-observed", scope="inter", definition="clean")
    assert clean.value == 0.5


def test_rankings_are_their_pairs():
    evaluation = comparison(
        """judge,segment,output1,rank1,output2,rank2,output3,rank3
           x,1,A,1,B,2,C,2
           y,1,B,2,A,1,C,3"""
    )
    clean = one(evaluation, "preference-observed", scope="inter", definition="clean")
    assert (clean.value, clean.n) == (pytest.approx(2 / 3), 3)


def test_intervals_are_over_items():
    rows = [
        (j, str(n), "A", "B", "a" if n % 3 or j == "x" else "b") for n in range(60) for j in "xy"
    ]
    kappa = one(
        compared(rows), "preference-kappa", {"bootstrap": 300}, scope="inter", definition="clean"
    )
    assert kappa.low < kappa.value < kappa.high


OUTCOMES = ("a", "b", "tie")


def judged(seed: int = 1, items: int = 80) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, items)
    return {
        judge: np.where(random.random(items) < 0.6, truth, random.integers(0, 3, items))
        for judge in "xyz"
    }


def test_is_scikit_learns():
    answers = judged()
    rows = [
        (judge, str(n), "A", "B", OUTCOMES[code])
        for judge, codes in answers.items()
        for n, code in enumerate(codes)
    ]
    estimates = found(compared(rows), "cohen-kappa", bootstrap=2)
    each = {(e.by["judge_a"], e.by["judge_b"]): e for e in estimates if "judge_a" in e.by}
    assert set(each) == {("x", "y"), ("x", "z"), ("y", "z")}
    for (first, second), estimate in each.items():
        expected = cohen_kappa_score(answers[first], answers[second])
        assert estimate.value == pytest.approx(expected)
        assert estimate.n == 80
        assert estimate.low < estimate.value < estimate.high
    mean = next(e for e in estimates if "judge_a" not in e.by)
    assert mean.value == pytest.approx(np.mean([e.value for e in each.values()]))
    assert mean.high - mean.low < min(e.high - e.low for e in each.values())


def test_intervals_are_of_documents_where_they_are_known():
    """Ten sentences of a document that are judged alike say no more than one of them."""
    answers = judged(2, items=20)

    def table(times: int) -> str:
        rows = [
            f"d{n},d{n}-{i},{judge},A,B,{OUTCOMES[code]}"
            for judge, codes in answers.items()
            for n, code in enumerate(codes)
            for i in range(times)
        ]
        return "\n".join(["document,item,judge,system_a,system_b,outcome", *rows])

    once, often = (found(comparison(table(times)), "cohen-kappa", bootstrap=1) for times in (1, 10))
    for single, repeated in zip(once, often, strict=True):
        ends = (single.value, single.low, single.high)
        assert ends == pytest.approx((repeated.value, repeated.low, repeated.high))
    independent = found(comparison(table(10)), "cohen-kappa", bootstrap=1, unit="segment")
    assert independent[0].high - independent[0].low < (once[0].high - once[0].low) / 2


def test_one_and_the_same_answer():
    rows = [(j, str(n), "A", "B", "a") for j in "xy" for n in range(3)]
    mean, pair = found(compared(rows), "cohen-kappa")
    assert (mean.value, pair.value) == (None, None)
    assert pair.reason == "both judges gave one and the same answer to all"


def test_no_shared_comparison():
    rows = [("x", "1", "A", "B", "a"), ("y", "1", "A", "C", "a")]
    (mean,) = found(compared(rows), "cohen-kappa")
    assert (mean.value, mean.reason) == (None, "no comparison was made by two judges")


def test_with_several_pairs_of_systems_the_order_of_rows_does_not_matter():
    """Which of two systems is called a says nothing; the systems of the first row did decide."""
    random = np.random.default_rng(4)
    pairs = list(combinations("ABC", 2))
    rows = [
        (judge, f"{n}", *pairs[n % 3], OUTCOMES[code])
        for judge, codes in judged(4, items=60).items()
        for n, code in enumerate(codes)
    ]
    first = found(compared(rows), "cohen-kappa", bootstrap=1)
    for _ in range(3):
        again = [rows[at] for at in random.permutation(len(rows))]
        other = found(compared(again), "cohen-kappa", bootstrap=1)
        for one_way, other_way in zip(first, other, strict=True):
            assert one_way.by == other_way.by
            assert one_way[:2] == pytest.approx(other_way[:2])
            assert (one_way.low, one_way.high) == pytest.approx((other_way.low, other_way.high))
    both = {j: [r[4] for r in rows if r[0] == j] for j in "xy"}
    turned = {"a": "b", "b": "a", "tie": "tie"}
    twice = [[*answers, *(turned[answer] for answer in answers)] for answers in both.values()]
    pair = next(e for e in first if (e.by.get("judge_a"), e.by.get("judge_b")) == ("x", "y"))
    assert (pair.value, pair.n) == (pytest.approx(cohen_kappa_score(*twice)), 60)


def test_pairs_that_share_few_comparisons_are_told():
    rows = [(j, str(n), "A", "B", "ab"[n % 2]) for j in "xy" for n in range(4)]
    assert "share fewer than 5 items" in found(compared(rows), "cohen-kappa")[0].note


def test_what_chance_explains_has_no_interval_of_its_own():
    rows = [
        (judge, str(n), "A", "B", ("a", "b", "tie")[n * times % 3])
        for times, judge in ((1, "x"), (2, "y"))
        for n in range(30)
    ]
    asked = compared(rows)
    assert found(asked, "preference-kappa", bootstrap=2)[0].low is not None
    results = analyse("preferences", asked, PreferenceSettings(), only=["preference-kappa"])
    expected = next(r for r in results if r.name == "preference-expected")
    assert {e.low for e in expected.estimates} == {None}
