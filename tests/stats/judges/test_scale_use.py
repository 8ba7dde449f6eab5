"""Entropy and the middle of the scale."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from jurat.stats.judges.scale_use import entropy, in_middle
from tests.stats.judges.asking import diagnosed
from tests.stats.tables import evaluation, matrix


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any))
def test_entropy_is_that_of_scipy(counts):
    expected = scipy.stats.entropy(counts, base=2)
    assert entropy(np.array([counts], float))[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("scale", "middle"),
    [(range(1, 8), {4}), (range(1, 6), {3}), (range(3), {1}), (range(2), set())],
)
def test_the_middle_third(scale, middle):
    table = matrix([list(scale)])
    assert set(table.values[in_middle(table) == 1]) == middle


def test_who_uses_little_of_the_scale_and_who_its_middle():
    answers = {"a": "1234512345", "b": "1122334455", "c": "5544112233", "x": "3333333334"}
    rows = [f"{j},{n},{v}" for j, told in answers.items() for n, v in enumerate(told)]
    found = diagnosed(evaluation("\n".join(["judge,item,value", *rows])))
    assert found.found("entropy") == found.found("middle") == {"x"}
    assert found.value("judge-entropy", judge="a") == pytest.approx(np.log2(5))
    assert found.value("judge-middle-share", judge="x") == pytest.approx(0.9)


def test_words_have_entropy_but_no_middle():
    found = diagnosed(evaluation("judge,item,value\na,1,A\na,2,B\nb,1,B\nb,2,B"))
    assert found.values("judge-entropy") == {"a": 1, "b": 0}
    assert found.value("judge-middle-share") is None
