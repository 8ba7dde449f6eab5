"""Tables in which nearly all answers are the same: wider intervals, or a note."""

import numpy as np
import pytest

from jurat.stats import Settings, analyse
from jurat.stats.agreement.icc_and_kendall_w import CompleteTable, _with_interval
from jurat.stats.agreement.rare_answer_intervals import (
    FEW_CASES,
    PSEUDO_ITEMS,
    SELDOM_EQUAL,
    SKEWED_SCORES,
    Rarity,
    widened,
)
from jurat.stats.answer_distances import commonest_and_other
from jurat.stats.estimates import Estimates
from jurat.stats.independent_units import Units
from jurat.stats.phrases import FALLS_SHORT
from tests.stats.agreement.asking import long
from tests.stats.tables import evaluation

NUMERIC = ("icc", "kendall-w", "pearson-mean", "spearman-mean", "kendall-mean")


def drawn(rng, *, items=20, judges=4, shares=(0.9, 0.1), agreement=0.5):
    """Judges × items: each answer is the item's own with chance √agreement, else at random."""
    own = rng.choice(len(shares), items, p=shares)
    guess = rng.choice(len(shares), (judges, items), p=shares)
    knows = rng.random((judges, items)) < np.sqrt(agreement)
    return np.where(knows, own, guess)


def estimates(answers, only):
    for result in analyse("agreement", evaluation(long(answers)), Settings(), only=only):
        for e in result.estimates:
            if "judge_a" not in e.by:
                yield (result.name, *(v for k, v in e.by.items() if k != "question")), e


TWO = drawn(np.random.default_rng(2))
THREE = drawn(np.random.default_rng(4), shares=(0.85, 0.09, 0.06))


@pytest.mark.parametrize("name", ["krippendorff-alpha", "cohen-kappa", "gwet-ac"])
def test_two_answers_have_one_interval_whatever_the_weights(name):
    known = [e for _, e in estimates(TWO, [name]) if e.value is not None]
    assert len(known) > 2
    for e in known:
        assert (e.low, e.high) == pytest.approx((known[0].low, known[0].high))
        assert e.note.startswith(FEW_CASES)


@pytest.mark.parametrize("answers", [TWO, THREE], ids=["two", "three"])
def test_coefficients_of_numbers_say_that_cases_are_few(answers):
    found = dict(estimates(answers, ["icc", "kendall-w", "pearson-mean"]))
    assert {name for name, *_ in found} == set(NUMERIC)
    assert all(e.note.startswith(FEW_CASES) for e in found.values() if e.value is not None)


def test_with_three_answers_distances_have_pseudo_items_too():
    found = dict(estimates(THREE, ["krippendorff-alpha", "cohen-kappa"]))
    for key in (("krippendorff-alpha", "interval"), ("cohen-kappa", "quadratic", "all")):
        assert found[key].note == FEW_CASES
    (result,) = analyse(
        "agreement", evaluation(long(THREE)), Settings(), only=["krippendorff-alpha"]
    )
    assert PSEUDO_ITEMS in result.method


def test_the_other_answer_is_the_next_or_adds_most_to_the_distance():
    given, places = np.array([3, 9, 20, 68]), np.array([1.0, 2.0, 3.0, 4.0])
    assert commonest_and_other(given, places, "none") == (3, 2)
    # 3 × 3² = 27, 9 × 2² = 36, 20 × 1² = 20
    assert commonest_and_other(given, places, "quadratic") == (3, 1)
    assert commonest_and_other(given, places, "one-off") == (3, 1)
    # of neighbours alone no distance counts
    assert commonest_and_other(given[2:], places[2:], "one-off") == (1, 0)


def test_intervals_of_few_answers_far_from_the_commonest_hold():
    """Of 5 points with 80 % at the top; without pseudo-items 80 to 85 % of these hold."""
    rng, cuts = np.random.default_rng(8), [-3, -2.2, -1.6, -0.85]
    truth = {"interval": 0.337, "ratio": 0.315}
    held = []
    for _ in range(80):
        latent = rng.normal(size=25) * 0.5**0.5 + rng.normal(size=(3, 25)) * 0.5**0.5
        found = dict(estimates(1 + np.searchsorted(cuts, latent), ["krippendorff-alpha"]))
        for scale, true in truth.items():
            one = found["krippendorff-alpha", scale]
            held.append(one.low <= true <= one.high)
    assert np.mean(held) > 0.92


def test_few_scores_that_all_differ_are_no_rare_answers():
    scores = np.arange(12).reshape(2, 6) * 7 % 12
    found = estimates(scores, ["icc", "pearson-mean", "krippendorff-alpha"])
    notes = {key: e.note for key, e in found if key[-1] not in ("nominal", "ratio")}
    assert not any(FEW_CASES in note for note in notes.values())


def test_intervals_of_two_answers_hold():
    # Without pseudo-items 81 to 85 % of the ICC's hold.
    rng, units = np.random.default_rng(6), Units(np.arange(20), 20, "item")
    tables = [CompleteTable(drawn(rng).T, np.arange(2.0), 4) for _ in range(100)]
    found = [_with_interval(one, units, Settings()) for one in tables]
    held = [(one.low[:3] <= 0.5) & (one.high[:3] >= 0.5) for one in found if one.values[0] < 2]
    assert len(held) > 95
    assert np.mean(held, axis=0).min() >= 0.95


def test_the_interval_is_the_wider_one():
    rare = Rarity(others=True, answers=2)
    plain, wide = (
        Estimates(values=np.array([0.5, np.nan]), low=np.array(low), high=np.array(high))
        for low, high in (([0.2, np.nan], [0.6, np.nan]), ([0.3, np.nan], [0.9, np.nan]))
    )
    found = widened(plain, wide, rare)
    assert (found.low[0], found.high[0], found.notes) == (0.2, 0.9, (FEW_CASES, ""))
    assert np.isnan(found.low[1])


def test_skewed_scores_are_named_for_coefficients_of_squares():
    """A few items with many errors decide about squares, not about ranks."""
    rng = np.random.default_rng(3)
    errors, shape = rng.gamma(0.5, 2.0, 200), (3, 200)
    skewed = -np.minimum(25, 5 * rng.poisson(0.3 * errors, shape) + rng.poisson(errors, shape))
    names = ["icc", "kendall-w", "pearson-mean", "krippendorff-alpha"]
    notes = {key: e.note for key, e in estimates(skewed, names)}
    of_squares = [("icc", "A,1"), ("pearson-mean",), ("krippendorff-alpha", "interval")]
    assert all(notes[key] == f"{SKEWED_SCORES}; {FALLS_SHORT}" for key in of_squares)
    assert not any(notes[key,] for key in ("kendall-w", "spearman-mean"))
    even = np.round(rng.normal(3, 1, 60) + rng.normal(0, 0.5, (3, 60)))
    assert not any(SKEWED_SCORES in e.note for _, e in estimates(even, names))


def test_a_long_scale_has_few_equal_answers_and_the_answers_that_occur():
    """From 0 to 100, 20 items: kappas of categories know little, and q is of this table."""
    rng = np.random.default_rng(1)
    item = rng.normal(0, 15, 20)
    answers = np.clip(np.round(70 + item + rng.normal(0, 15, (3, 20))), 0, 100)
    found = dict(estimates(answers, ["fleiss-kappa", "gwet-ac", "cohen-kappa", "conger-kappa"]))
    plain = [("fleiss-kappa",), ("gwet-ac", "none"), ("cohen-kappa", "none", "all")]
    for key in (*plain, ("conger-kappa",)):
        assert found[key].note == f"{SELDOM_EQUAL}; {FALLS_SHORT}"
    points = len(np.unique(answers))
    assert f"of the {points} answers that occur" in found["gwet-ac", "linear"].note
    (result,) = analyse("agreement", evaluation(long(answers)), Settings(), only=["gwet-ac"])
    assert f"here q = {points}; " in result.method


def test_a_short_scale_needs_no_such_word():
    answers = np.random.default_rng(1).integers(1, 6, (3, 20))
    found = estimates(answers, ["fleiss-kappa", "gwet-ac", "conger-kappa"])
    assert not any(e.note for _, e in found)


def test_the_spread_of_rare_answers_says_that_cases_are_few():
    answers = drawn(np.random.default_rng(5), items=40)
    found = dict(estimates(answers, ["item-spread"]))
    assert found["spread-correlation", "quality"].note == f"{FEW_CASES}; {FALLS_SHORT}"
