"""The sign test, against scipy's binomial test."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from jurat.stats import analyse
from jurat.stats.preferences.comparisons import Comparing
from jurat.stats.preferences.sign_test import p_value, sign_test
from tests.stats.preferences.asking import compared, found, one


@settings(deadline=None)
@given(st.integers(0, 300), st.integers(0, 300))
def test_is_scipys(wins, losses):
    p = float(sign_test(wins, losses))
    if wins + losses == 0:
        assert np.isnan(p)
    else:
        assert p == pytest.approx(binomtest(wins, wins + losses).pvalue, rel=1e-9)
        assert p == float(sign_test(losses, wins))


def test_ties_are_left_out():
    rows = [
        *[("j", str(n), "A", "B", "a") for n in range(8)],
        *[("j", f"b{n}", "B", "A", "a") for n in range(2)],
        *[("j", f"t{n}", "A", "B", "tie") for n in range(5)],
    ]
    test = one(compared(rows), "sign-test")
    assert test.value == pytest.approx(binomtest(8, 10).pvalue)
    assert (test.n, test.side) == (10, "A")
    assert (test.by["system_a"], test.by["system_b"]) == ("A", "B")
    assert found(compared(rows), "sign-test-adjusted") == []


def test_many_pairs_are_corrected():
    rows = [("j", str(n), "A", system, "a") for system in "BCD" for n in range(7)]
    rows += [("j", "8", "A", "B", "a"), ("j", "9", "B", "C", "tie")]
    plain = {e.by["system_b"]: e.value for e in found(compared(rows), "sign-test")}
    holm = {
        (e.by["system_a"], e.by["system_b"]): e.value
        for e in found(compared(rows), "sign-test-adjusted")
    }
    assert plain["B"] == pytest.approx(2 / 2**8)
    assert holm["A", "B"] == pytest.approx(3 * 2 / 2**8)  # the tie is no test
    assert holm["A", "C"] == pytest.approx(2 * 2 / 2**7)
    assert holm["B", "C"] is None


def test_nothing_but_ties():
    test = one(compared([("j", "1", "A", "B", "tie")]), "sign-test")
    assert (test.value, test.n, test.reason) == (None, 0, "every decision is a tie")


@pytest.mark.parametrize(
    ("wins", "told"),
    [(9, "p = 0.004; A is preferred"), (5, "p = 1.000; the two are not told apart")],
)
def test_the_headline_says_what_it_means(wins, told):
    losses = 0 if wins == 9 else wins
    rows = [
        ("j", f"{o}{n}", "A", "B", o) for o, k in (("a", wins), ("b", losses)) for n in range(k)
    ]
    results = analyse("preferences", compared(rows), Comparing(bootstrap=0))
    assert told in next(r.headline for r in results if r.name == "sign-test")


def test_small_p_values():
    assert p_value(0.0004) == "p < .001"
