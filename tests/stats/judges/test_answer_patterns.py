"""The same answer many times in a row.

Entropy and the middle of the scale.
"""

from itertools import groupby

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from jurat.stats.judges.answer_patterns import chance_of_run, entropy, in_middle, longest_runs
from tests.stats.judges.asking import diagnosed
from tests.stats.tables import evaluation, matrix, ratings


def csv(answers: dict[str, list[int]]) -> str:
    rows = [f"{j},{n},{v},{n}" for j, given_ in answers.items() for n, v in enumerate(given_)]
    return "\n".join(["judge,item,value,position", *rows])


@given(st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=12), min_size=1, max_size=4))
def test_longest_runs_are_those_of_itertools(answers):
    table = ratings(csv({f"j{n}": given_ for n, given_ in enumerate(answers)}))
    expected = [max(len(list(run)) for _, run in groupby(given_)) for given_ in answers]
    assert longest_runs(table).tolist() == expected


def test_the_order_is_that_of_judging():
    table = "judge,item,value,position\na,1,5,1\na,2,3,3\na,3,5,2\na,4,3,4"
    assert longest_runs(ratings(table)).tolist() == [2]


@pytest.mark.parametrize(
    ("length", "shares"), [(9, [0.5, 0.5]), (5, [0.25] * 4), (20, [0.8, 0.2]), (4, [0.1] * 10)]
)
def test_small_chances_are_those_of_a_simulation(length, shares):
    rng = np.random.default_rng(1)
    answers = rng.choice(len(shares), size=(6000, 40), p=shares)
    same = np.lib.stride_tricks.sliding_window_view(answers, length, axis=1)
    hits = (same == same[:, :, :1]).all(axis=2).any(axis=1).mean()
    found = chance_of_run(np.array([length]), np.array([40]), np.array([shares]))
    assert found[0] == pytest.approx(hits, abs=0.01)


def test_who_clicks_through_is_found():
    rng = np.random.default_rng(3)
    mixed = {j: rng.integers(1, 6, 40).tolist() for j in "abcd"}
    clicker = rng.integers(1, 6, 25).tolist() + [3] * 15
    found = diagnosed(evaluation(csv({**mixed, "x": clicker, "same": [4] * 40})))
    assert found.found("runs") >= {"x", "same"}
    assert found.value("judge-longest-run", judge="same") == 40


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
