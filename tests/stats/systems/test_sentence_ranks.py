import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from jurat.stats.systems.sentence_ranks import (
    ALONE,
    BestAgreement,
    RankAgreement,
    SystemBest,
    dense,
)
from tests.stats.systems.finding import only, results, values
from tests.stats.tables import comparison, evaluation

# Of judge x: sentence 1 a, 2 a and b, 3 c; of judge y: 1 a, 2 b, 3 a, b and c.
SCORES = """judge,segment,system,value
    x,1,a,5
    x,1,b,3
    x,1,c,1
    x,2,a,4
    x,2,b,4
    x,2,c,2
    x,3,a,1
    x,3,b,2
    x,3,c,3
    y,1,a,9
    y,1,b,8
    y,1,c,7
    y,2,a,1
    y,2,b,2
    y,2,c,1
    y,3,a,5
    y,3,b,5
    y,3,c,5"""


@pytest.mark.parametrize(
    ("ties", "counts"),
    [
        ("share", {"a": 2 + 1 / 2 + 1 / 3, "b": 1 + 1 / 2 + 1 / 3, "c": 1 + 1 / 3}),
        ("all", {"a": 4, "b": 3, "c": 2}),
        ("first", {"a": 4, "b": 1, "c": 1}),
        ("none", {"a": 2, "b": 1, "c": 1}),
    ],
)
def test_how_often_best(ties, counts):
    found = results(SystemBest, evaluation(SCORES), ties=ties)
    assert values(found["system-best-count"]) == pytest.approx(counts)
    shares = {name: count / 6 for name, count in counts.items()}
    assert values(found["system-best"]) == pytest.approx(shares)
    assert only(found["system-best"], system="a").n == 6


def test_of_one_judge_and_of_a_subset():
    found = results(SystemBest, evaluation(SCORES, by=("judge",)), only=("b", "c"))
    assert only(found["system-best-count"], system="b", judge="x").value == 2
    assert only(found["system-best-count"], system="c", judge="x").value == 1
    assert only(found["system-best-count"], system="c", judge="y").value == 0.5


def test_lowest_is_best_where_that_is_said():
    found = results(SystemBest, evaluation(SCORES), lower_better=True, ties="none")
    assert only(found["system-best-count"], system="c").value == 3


def test_places_of_preferences():
    table = comparison(
        """judge,segment,system,rank
        x,1,a,1
        x,1,b,2
        x,1,c,2
        y,1,a,3
        y,1,b,1
        y,1,c,1"""
    )
    found = results(SystemBest, table)
    assert values(found["system-best-count"]) == {"a": 1, "b": 0.5, "c": 0.5}
    agreed = results(RankAgreement, table)["rank-agreement"]
    assert values(agreed) == {"a": 0, "b": 0, "c": 0}
    assert only(agreed, system="a").n == 1


def test_judges_agree_on_the_best():
    # the same on sentence 1; a and b against b; c against all three
    found = only(results(BestAgreement, evaluation(SCORES))["best-agreement"])
    assert found.value == pytest.approx(1 / 3)
    assert found.n == 3
    first = only(results(BestAgreement, evaluation(SCORES), ties="first")["best-agreement"])
    assert first.value == pytest.approx(1 / 3)
    clear = only(results(BestAgreement, evaluation(SCORES), ties="none")["best-agreement"])
    assert (clear.value, clear.n) == (1, 1)


def test_judges_agree_on_ranks():
    # a: 1-1, 1-2, 3-1; b: 2-2, 1-1, 2-1; c: 3-3, 3-2, 1-1
    found = results(RankAgreement, evaluation(SCORES))["rank-agreement"]
    assert values(found) == pytest.approx({"a": 1 / 3, "b": 2 / 3, "c": 2 / 3})
    # with dense ranks c's on sentence 2 are 2 and 2
    tight = results(RankAgreement, evaluation(SCORES), ranks="dense")["rank-agreement"]
    assert values(tight) == pytest.approx({"a": 1 / 3, "b": 2 / 3, "c": 1})


def test_three_judges_make_three_pairs():
    rows = [
        f"{j},1,{s},{v}"
        for j, best in zip("xyz", "aab", strict=True)
        for s, v in ((best, 3), *((other, 1) for other in "abc" if other != best))
    ]
    table = evaluation("\n".join(["judge,segment,system,value", *rows]))
    found = only(results(BestAgreement, table)["best-agreement"])
    assert found.value == pytest.approx(1 / 3)
    assert found.n == 3


@pytest.mark.parametrize("statistic", [BestAgreement, RankAgreement])
def test_one_judge_a_sentence_cannot_agree(statistic):
    table = evaluation("judge,segment,system,value\nx,1,a,1\nx,1,b,2\ny,2,a,1\ny,2,b,2")
    for result in results(statistic, table).values():
        assert {e.reason for e in result.estimates} == {ALONE}


@pytest.mark.parametrize("statistic", [BestAgreement, RankAgreement])
def test_judges_who_compared_different_systems_are_not_held_against_each_other(statistic):
    # as in MQM of TED talks, where each translation has one rater and a sentence several
    apart = "judge,segment,system,value\nx,1,a,1\nx,1,b,2\ny,1,c,1\ny,1,d,2"
    for result in results(statistic, evaluation(apart)).values():
        assert {e.reason for e in result.estimates} == {ALONE}
    both = f"{apart}\nz,1,a,1\nz,1,b,2"
    found = results(statistic, evaluation(both))[statistic.name]
    assert {(e.value, e.n) for e in found.estimates if e.value is not None} == {(1.0, 1)}


def test_share_and_number_of_best_places_are_told_apart_in_words():
    # a is best on 2 of 2 sentences, b on 3 of 5
    rows = ["x,1,a,2", "x,1,b,1", "x,2,a,2", "x,2,b,1"]
    rows += [f"x,{s},{system}" for s in (3, 4, 5) for system in ("b,2", "c,1")]
    found = results(SystemBest, evaluation("\n".join(["judge,segment,system,value", *rows])))
    assert found["system-best"].headline.startswith("a is best on a sentence most often, 100.0 %")
    assert found["system-best-count"].headline.startswith("b is best on the most sentences, 3.00")


def test_one_pair_is_no_pairs():
    table = "judge,segment,system,value\nx,1,a,1\nx,1,b,2\ny,1,a,1\ny,1,b,2"
    headline = results(BestAgreement, evaluation(table))["best-agreement"].headline
    assert headline.endswith("in 100.0 % of 1 pair.")


def test_a_judge_who_judges_twice_counts_once():
    again = SCORES + "\n    x,1,a,1"
    found = only(results(BestAgreement, evaluation(again))["best-agreement"])
    assert found.n == 3


def test_intervals():
    found = results(SystemBest, evaluation(SCORES), bootstrap=100)["system-best"]
    assert all(e.low is not None and e.low <= (e.value or 0) <= e.high for e in found.estimates)
    agreed = results(BestAgreement, evaluation(SCORES), bootstrap=100)["best-agreement"]
    assert 0 < only(agreed).low < 1 / 3


@given(st.lists(st.integers(0, 4), min_size=1, max_size=7))
def test_dense_ranks_are_scipy_s(values):
    ranks = rankdata(values, method="min")[None].astype(float)
    assert dense(ranks)[0].tolist() == rankdata(values, method="dense").tolist()


def test_dense_ranks_of_missing_places():
    np.testing.assert_array_equal(dense(np.array([[3.0, np.nan, 1, 1]])), [[2, np.nan, 1, 1]])
