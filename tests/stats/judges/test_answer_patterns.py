"""The same answer many times in a row.

Entropy and the middle of the scale."""

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


HEAD = "judge,item,value,seconds"


def test_the_median_of_a_judges_seconds():
    found = diagnosed(evaluation(f"{HEAD}\na,1,1,4\na,2,1,8\na,3,1,100\nb,1,1,5\nb,2,1,7"))
    assert found.values("judge-seconds") == {"a": 8, "b": 6}


def test_pace_is_the_ratio_to_the_others_on_the_same_items():
    found = diagnosed(evaluation(f"{HEAD}\na,1,1,4\nb,1,1,8\na,2,1,3\nb,2,1,24\na,3,1,1"))
    assert found.values("judge-pace") == {"a": pytest.approx(1 / 4), "b": pytest.approx(4)}
    assert found.one("judge-pace", judge="a").n == 2


def test_own_repeats_are_no_others():
    found = diagnosed(evaluation(f"{HEAD}\na,1,1,4\na,1,1,1\nb,1,1,8"))
    assert found.value("judge-pace", judge="a") == pytest.approx(np.sqrt(4 / 8 * 1 / 8))
    assert found.value("judge-pace", judge="b") == pytest.approx(8 / 2)


def test_a_judge_of_short_items_is_not_too_fast():
    rows = [f"{j},short{i},1,{2 + i % 2}" for j in "ab" for i in range(9)]
    rows += [f"{j},long{i},1,{40 + i % 3}" for j in "cde" for i in range(9)]
    rows += [f"f,long{i},1,4" for i in range(9)]
    found = diagnosed(evaluation("\n".join([HEAD, *rows])))
    assert found.found("speed") == {"f"}


def test_length_stands_in_where_nobody_shares_items():
    rows = [f"{j},{j}{i},1,{(1 if j == 'x' else 3) * i},{i}" for j in "abcdx" for i in range(1, 6)]
    found = diagnosed(evaluation("\n".join([f"{HEAD},words", *rows])))
    assert found.found("speed") == {"x"}
    assert found.value("judge-pace", judge="x") == pytest.approx(3**-0.8)


def test_without_items_in_common_or_lengths_the_medians_are_compared():
    rows = [f"{j},{j}{i},1,{1 if j == 'x' else 30}" for j in "abcdx" for i in range(4)]
    found = diagnosed(evaluation("\n".join([HEAD, *rows])))
    assert found.found("speed") == {"x"}
    assert "length" in found.one("judge-pace").reason


def test_no_times_no_speed():
    found = diagnosed(evaluation(f"{HEAD}\na,1,1,\nb,1,1,0"))
    assert found.one("judge-seconds").reason == "no decision has a time"
    found = diagnosed(evaluation("judge,item,value\na,1,1\nb,1,2"))
    assert found.one("judge-seconds").reason == "needs the column seconds"
    assert found.one("judge-outlier", way="speed").reason == "needs the column seconds"
