"""The same answer many times in a row."""

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.stats.judges.runs import chance_of_run, longest_runs
from tests.stats.judges.asking import diagnosed
from tests.stats.tables import evaluation, ratings


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
