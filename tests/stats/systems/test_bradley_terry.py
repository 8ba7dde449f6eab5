import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.stats.systems.bradley_terry import BradleyTerry, strengths
from tests.stats.systems.finding import only, results, values
from tests.stats.tables import comparison, evaluation

choix = pytest.importorskip("choix")


def pairs(wins):
    size = len(wins)
    return [(a, b) for a in range(size) for b in range(size) for _ in range(int(wins[a][b]))]


@given(st.integers(2, 6), st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_strengths_are_choix_s(size, seed):
    wins = np.random.default_rng(seed).integers(1, 9, (size, size)).astype(float)
    np.fill_diagonal(wins, 0)
    theirs = choix.ilsr_pairwise(size, pairs(wins), tol=1e-12)
    np.testing.assert_allclose(strengths(wins), theirs - theirs.mean(), atol=1e-6)


def test_two_systems_have_the_odds_between_them():
    found = strengths(np.array([[0.0, 3], [1, 0]]))
    assert found[0] - found[1] == pytest.approx(math.log(3))


def test_many_matrices_at_once_are_each_for_itself():
    wins = np.random.default_rng(1).integers(1, 30, (50, 5, 5)).astype(float)
    together = strengths(wins)
    np.testing.assert_allclose(together, [strengths(one) for one in wins], atol=1e-9)


def test_a_chain_of_wins_has_no_strengths():
    chain = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    assert np.isnan(strengths(chain.astype(float))).all()


def test_a_tie_is_half_a_win_for_both():
    tied = results(BradleyTerry, comparison("system_a,system_b,outcome\na,b,a\na,b,tie"))
    found = values(tied["bradley-terry"])
    assert (found["a"] or 0) - (found["b"] or 0) == pytest.approx(math.log(3))


@pytest.mark.parametrize(
    ("csv", "reason"),
    [
        ("better,worse\na,b\nb,a\nc,d\nd,c", "2 groups that were never compared: a and b; c and d"),
        ("better,worse\na,b\na,b", "a never lost and b never won"),
        ("better,worse\na,b\nb,a\nc,d\nd,c\na,c\nb,d", "some systems always won"),
    ],
)
def test_strengths_without_bound_are_null_with_the_reason(csv, reason):
    for estimate in results(BradleyTerry, comparison(csv), bootstrap=50)["bradley-terry"].estimates:
        assert estimate.value is None
        assert reason in estimate.reason


def test_one_system_has_no_strength():
    found = results(BradleyTerry, evaluation("item,system,value\n1,a,3\n2,a,4"))["bradley-terry"]
    assert only(found, system="a").reason == "there is only one system"


def test_a_hundred_thousand_comparisons_with_a_thousand_bootstraps():
    rng = np.random.default_rng(3)
    skill = np.linspace(-1, 1, 10)
    a, b = rng.integers(0, [[10], [9]], (2, 100_000))
    b = b + (b >= a)
    better = rng.random(100_000) < 1 / (1 + np.exp(skill[b] - skill[a]))
    names = np.array([f"s{n}" for n in range(10)])
    rows = zip(names[a], names[b], np.where(better, "a", "b"), strict=True)
    table = comparison("\n".join(["system_a,system_b,outcome", *map(",".join, rows)]))
    assert table.compared.height == 100_000
    found = results(BradleyTerry, table, bootstrap=1000)["bradley-terry"]
    for n, true in enumerate(skill):
        estimate = only(found, system=f"s{n}")
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.high - estimate.low < 0.1
        assert estimate.value == pytest.approx(true, abs=0.06)
