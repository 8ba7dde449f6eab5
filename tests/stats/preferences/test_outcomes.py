"""The matrix of preferences between every two systems.

The sign test, against scipy's binomial test.
"""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats import t as student

import jurat
from jurat.stats import analyse
from jurat.stats.hypothesis_tests import sign_test
from jurat.stats.settings import PreferenceSettings
from tests.stats.preferences.asking import HEAD, compared, found, one
from tests.stats.tables import comparison

ROWS = [
    *[("j", str(n), "A", "B", "a" if n < 6 else "b") for n in range(8)],
    *[("j", str(n), "C", "A", "b") for n in range(4)],
    ("j", "9", "B", "C", "tie"),
]


def test_both_ways_round():
    shares = {
        (e.by["system_a"], e.by["system_b"]): (e.value, e.n)
        for e in found(compared(ROWS), "preference-wins")
    }
    assert shares == {
        ("A", "B"): (0.75, 8),
        ("B", "A"): (0.25, 8),
        ("A", "C"): (1, 4),
        ("C", "A"): (0, 4),
        ("B", "C"): (None, 0),
        ("C", "B"): (None, 0),
    }


def test_intervals_are_mirrored_whatever_weights_add_up_to():
    """Judges of unequal parts have weights whose sum is 1 but for rounding."""
    shares = jurat.preferences(jurat.sample("preferences.csv"), statistics="preference-wins")
    for a, b in combinations(("birch", "bramble", "cedar", "willow"), 2):
        one, other = (shares.at(system_a=x, system_b=y) for x, y in ((a, b), (b, a)))
        assert one.interval == pytest.approx([1 - end for end in reversed(other.interval)])
    assert shares.at(system_a="cedar", system_b="bramble").value == 1


def test_the_most_compared_come_first():
    assert found(compared(ROWS), "preference-wins")[0].by["system_b"] == "B"


def test_where_all_went_one_way_the_interval_is_wilson_s_with_t():
    """Wilson's lower end of 4 of 4 sentences is 4 / (4 + t²), t of 3 degrees of freedom."""
    t = student.ppf(0.975, 3)
    share = one(compared(ROWS), "preference-wins", {"bootstrap": 50}, system_a="A", system_b="C")
    assert (share.low, share.high) == (pytest.approx(4 / (4 + t**2)), 1)
    other = one(compared(ROWS), "preference-wins", {"bootstrap": 50}, system_a="C", system_b="A")
    assert (other.low, other.high) == (0, pytest.approx(1 - 4 / (4 + t**2)))
    none = one(compared(ROWS), "preference-wins", system_a="A", system_b="C")
    assert (none.low, none.high) == (None, None)


def test_the_figure_keeps_to_the_systems_compared_most():
    rows = [("j", str(n), f"s{n}", "hub", "a") for n in range(60)]
    results = analyse("preferences", compared(rows), PreferenceSettings(bootstrap=0))
    figure: Any = next(r for r in results if r.name == "preference-wins").figure()
    assert len(figure["data"]["values"]) == 2 * 39


def test_the_figure_starts_with_the_systems_preferred_most():
    rows = [("j", str(n), *pair, "b") for n in range(3) for pair in (("a", "c"), ("b", "c"))]
    rows += [("j", "9", "a", "b", "b"), ("j", "10", "a", "b", "b")]
    results = analyse("preferences", compared(rows), PreferenceSettings(bootstrap=0))
    figure: Any = next(r for r in results if r.name == "preference-wins").figure()
    assert "'sort': ['c', 'b', 'a']" in str(figure)


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


def test_systems_of_the_same_output_are_counted_apart_from_pairs_of_systems() -> None:
    rows = [("j", str(n), *pair, "a") for n in range(9) for pair in (("A", "B"), ("A+B", "C"))]
    rows += [("j", "1", "A", "C", "a"), ("j", "1", "B", "C", "b")]
    asked = PreferenceSettings(bootstrap=0)
    first, _ = analyse("preferences", compared(rows), asked, only=["sign-test"])
    assert "in 1 of 3 pairs of systems (1 more with systems of the same output)" in first.headline


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
    results = analyse("preferences", compared(rows), PreferenceSettings(bootstrap=0))
    assert told in next(r.headline for r in results if r.name == "preference-p")


def test_decisions_about_one_document_do_not_count_as_independent():
    """Equal systems: three judges of an item, documents with tastes of their own."""
    rng = np.random.default_rng(4)
    alarms = {"preference-p": 0, "sign-test": 0}
    for _ in range(100):
        rows = []
        for document in range(12):
            lean = rng.normal(0, 0.6)
            for n in range(5):
                for judge in "xyz":
                    won = "ab"[int(rng.normal(lean, 1) < 0)]
                    rows.append((judge, f"{document}-{n}", "A", "B", won, f"d{document}"))
        results = analyse(
            "preferences",
            comparison("\n".join([f"{HEAD},document", *map(",".join, rows)])),
            PreferenceSettings(bootstrap=0),
            only=tuple(alarms),
        )
        for result in results:
            if result.name in alarms:
                alarms[result.name] += result.estimates[0].value < 0.05
    assert alarms["preference-p"] <= 9
    assert alarms["sign-test"] > 15


def test_methods_say_for_whom_p_holds():
    rows = [(f"j{n % 3}", str(n), "A", "B", "a" if n % 4 else "b") for n in range(12)]
    results = analyse("preferences", compared(rows), PreferenceSettings(), only=["preference-p"])
    methods = {result.name: result.method for result in results}
    assert "sentences and judges vary" in methods["preference-p"]
    assert "sentences vary, for these judges only" in methods["preference-p-these-judges"]
    assert "and judges vary" not in methods["preference-p-these-judges"]


def shown_first(times: int, of: int = 40) -> jurat.Data:
    """Comparisons of A and B, who likes the side shown first, with A there so many times."""
    sides = [("A", "B") if n < times else ("B", "A") for n in range(of)]
    rows = [("j", str(n), *two, "b" if n % 10 == 0 else "a") for n, two in enumerate(sides)]
    return jurat.read([dict(zip(HEAD.split(","), row, strict=True)) for row in rows])


@pytest.mark.parametrize(("times", "warned"), [(40, True), (34, True), (26, False), (20, False)])
def test_where_one_stands_first_more_often_a_liking_for_that_side_is_named(times, warned):
    results = jurat.preferences(shown_first(times), statistics=["preference-p", "preference-wins"])
    share = f"A stands first in {100 * times / 40:.0f} %"
    for name in ("preference-p", "preference-wins"):
        row = results[name].frame().to_dicts()[0]
        assert (share in row.get("note", "")) == warned
    (headline,) = results["preference-p"].headlines
    both = warned and "is preferred" in headline
    assert ("mostly stands first" in headline) == both


def test_systems_told_apart_by_comparisons_say_so_too():
    (headline,) = jurat.systems(shown_first(40), statistics="pairwise-p")["pairwise-p"].headlines
    assert "1 of 1 pairs" in headline
    assert "Here the same system mostly stands first" in headline
