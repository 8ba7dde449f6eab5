"""Whether the first side wins."""

import pytest
from scipy.stats import binomtest, t

from jurat.stats.preferences.side_bias import SideBias
from jurat.stats.settings import PreferenceSettings
from tests.stats.preferences.asking import compared, one
from tests.stats.tables import comparison

BOTH = [
    *[("j", str(n), "A", "B", "a") for n in range(6)],
    *[("j", str(n), "B", "A", "a") for n in range(4)],
    ("j", "7", "B", "A", "b"),
    ("j", "8", "B", "A", "tie"),
]


def test_the_first_side_wins_ten_of_eleven():
    share = one(compared(BOTH), "side-bias", {"bootstrap": 100})
    assert (share.value, share.n) == (pytest.approx(10 / 11), 11)
    assert share.low < share.value


@pytest.mark.parametrize("first", range(1, 12))
def test_interval_and_test_agree_about_one_half(first):
    """Of twelve decisions about twelve items so many are for the first side."""
    sides = ("A", "B"), ("B", "A")
    rows = [("j", str(n), *sides[n % 2], "a" if n < first else "b") for n in range(12)]
    share = one(compared(rows), "side-bias", {"bootstrap": 1})
    p = one(compared(rows), "side-bias-p").value
    assert (p < 0.05) == (share.low > 0.5 or share.high < 0.5)
    # the score test of Wilson (1927), with the t quantile of twelve items
    z = (first / 12 - 0.5) / (0.5 / 11**0.5)
    assert p == pytest.approx(2 * t.sf(abs(z), 11))


@pytest.mark.parametrize("items", [6, 7])
def test_all_for_one_side(items):
    """Wilson's interval of 6 of 6 with t(5) holds one half, that of 7 of 7 does not."""
    sides = ("A", "B"), ("B", "A")
    rows = [("j", str(n), *sides[n % 2], "b") for n in range(items)]
    share = one(compared(rows), "side-bias", {"bootstrap": 1})
    p = one(compared(rows), "side-bias-p").value
    assert (share.value, share.high > 0.5, p > 0.05) == (0.0, items == 6, items == 6)


def leaning(towards: str) -> str:
    """Twelve documents of four items, each judged by all: a letter a judge, the side they take."""
    rows = [
        f"d{d},d{d}-{i},j{j},{'A,B' if (d + i + j) % 2 else 'B,A'},"
        + (side if (d * 4 + i + j) % 7 else "b" if side == "a" else "a")
        for d in range(12)
        for i in range(4)
        for j, side in enumerate(towards)
    ]
    return "\n".join(["document,item,judge,system_a,system_b,outcome", *rows])


def test_four_judges_of_six_who_lean_to_a_side_say_nothing_of_others():
    """Each takes their own side six times of seven; new judges may lean either way."""
    table = comparison(leaning("aaaabb"))
    share, test = (one(table, name, {"bootstrap": 1}) for name in ("side-bias", "side-bias-p"))
    assert share.value == pytest.approx((4 * 6 / 7 + 2 / 7) / 6, abs=0.02)
    assert share.low < 0.5 < share.high
    assert test.value > 0.1
    assert binomtest(round(share.value * share.n), share.n).pvalue < 0.001
    assert one(comparison(leaning("aaaaaa")), "side-bias-p").value < 0.001


def test_two_judges_speak_for_themselves_only():
    both = {"bootstrap": 1}
    assert one(comparison(leaning("aa")), "side-bias-p", both).note.startswith(
        "for these judges only"
    )
    results = SideBias().results(comparison(leaning("aa")), PreferenceSettings(bootstrap=1))
    assert "a bias (p < 0.001, for these judges only" in next(results).headline


def test_pairs_that_never_changed_sides_are_left_out():
    fixed = [("j", str(n), "A", "C", "b") for n in range(9)]
    assert one(compared([*BOTH, *fixed]), "side-bias").n == 11
    alone = one(compared(fixed), "side-bias")
    assert alone.value is None
    assert "both ways round" in alone.reason


def test_better_and_worse_tell_no_sides():
    found = one(comparison("better,worse\nA,B\nB,A"), "side-bias")
    assert found.value is None
    assert "does not tell sides" in found.reason


def test_nothing_but_ties():
    rows = [("j", "1", "A", "B", "tie"), ("j", "2", "B", "A", "tie")]
    assert one(compared(rows), "side-bias-p").reason == "every decision is a tie"
