import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.stats import Settings
from jurat.stats.agreement import item_statistic
from jurat.stats.agreement.item_statistic import with_intervals
from jurat.stats.agreement.krippendorff_alpha import (
    NEAR_ZERO,
    SCALES,
    KrippendorffAlpha,
    krippendorff_alpha,
)
from tests.stats.agreement.asking import long, one, value
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation, matrix


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("judges", "points"), [(2, 3), (5, 7), (4, 100)])
def test_as_the_krippendorff_package(scale, judges, points):
    answers = table(points, judges=judges, points=points, gaps=0.3)
    theirs = krippendorff.alpha(answers, level_of_measurement=scale)
    assert krippendorff_alpha(matrix(rows(answers)), scale=scale) == pytest.approx(
        theirs, abs=1e-12
    )


@pytest.mark.parametrize("scale", SCALES)
def test_many_points_come_to_the_same(monkeypatch, scale):
    answers = table(3, points=40)
    exact = krippendorff_alpha(matrix(rows(answers)), scale=scale)
    for module, name in ((item_statistic, "FEW_CELLS"), (item_statistic, "FEW_POINTS")):
        monkeypatch.setattr(module, name, 0)
    monkeypatch.setattr("jurat.stats.agreement.krippendorff_alpha.FEW_CELLS", 0)
    assert krippendorff_alpha(matrix(rows(answers)), scale=scale) == pytest.approx(exact, abs=1e-12)


@settings(max_examples=10)
@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=6))
def test_the_names_of_judges_and_items_do_not_matter(answers):
    there = [krippendorff_alpha(matrix(answers), scale=scale) for scale in SCALES]
    back = [
        krippendorff_alpha(matrix([row[::-1] for row in answers[::-1]]), scale=s) for s in SCALES
    ]
    np.testing.assert_allclose(there, back, atol=1e-12)


def test_perfect_agreement_is_one():
    for scale in SCALES:
        assert krippendorff_alpha(matrix([[1, 2, 5], [1, 2, 5]]), scale=scale) == 1


def test_words_are_nominal_only():
    asked = evaluation(long([["A", "B", "A"], ["A", "B", "B"]]))
    assert value(asked, "krippendorff-alpha", scale="nominal") is not None
    assert "words" in one(asked, "krippendorff-alpha", scale="interval").reason


def test_nothing_below_zero_is_a_ratio():
    asked = evaluation(long([[-1, 2, 3], [1, 2, 3]]))
    assert "below 0" in one(asked, "krippendorff-alpha", scale="ratio").reason


@pytest.mark.parametrize(
    ("items", "lowest", "noted"), [(30, 0, True), (30, 1, False), (100, 0, False)]
)
def test_zero_makes_ratio_intervals_of_few_items_unsure(items, lowest, noted):
    drawn = table(3, items=items, gaps=0.0)
    answers = drawn - drawn.min() + lowest
    found = with_intervals((KrippendorffAlpha,), matrix(answers), Settings())
    assert found["krippendorff-alpha"].values.notes == ("", "", "", NEAR_ZERO if noted else "")


def test_constant_answers_have_a_reason():
    found = one(evaluation(long([[3, 3], [3, 3]])), "krippendorff-alpha", scale="interval")
    assert "no disagreement to expect" in found.reason


def test_an_unknown_scale_is_refused():
    with pytest.raises(InputError, match="ordinal"):
        krippendorff_alpha(matrix([[1], [2]]), scale="ordinl")
