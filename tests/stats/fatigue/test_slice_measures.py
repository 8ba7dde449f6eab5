import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from jurat.stats import analyse
from jurat.stats.settings import FatigueSettings
from tests.stats.tables import evaluation


def results(csv, **options):
    chosen = FatigueSettings(**{"slices": 2, "bootstrap": 0, **options})
    return {r.name: r for r in analyse("fatigue", evaluation(csv), chosen)}


def table(scores):
    lines = [f"j{j},{i},{v}" for j, row in enumerate(scores) for i, v in enumerate(row)]
    return "\n".join(["judge,item,value", *lines])


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(st.integers(0, 100), min_size=8, max_size=8), min_size=1, max_size=4))
def test_means_over_judges_of_population_deviations(scores):
    found = results(table(scores))
    halves = np.array(scores, dtype=float).reshape(len(scores), 2, 4)
    deviations = [e.value for e in found["slice-sd"].estimates]
    assert deviations == pytest.approx(halves.std(axis=2, ddof=0).mean(axis=0).tolist(), abs=1e-9)
    means = [e.value for e in found["slice-mean"].estimates]
    assert means == pytest.approx(halves.mean(axis=(0, 2)).tolist())
    assert {e.n for e in found["slice-sd"].estimates} == {len(scores)}


def test_intervals_are_over_judges():
    rng = np.random.default_rng(1)
    scores = rng.normal(0, 1, (30, 40)) * rng.uniform(0.5, 2, (30, 1))
    found = results(table(scores.round(3)), bootstrap=1000)["slice-sd"]
    by_judge = scores[:, :20].std(axis=1)
    first = found.estimates[0]
    width = 2 * stats.t.ppf(0.975, 29) * by_judge.std(ddof=1) / np.sqrt(30)
    assert first.high - first.low == pytest.approx(width, rel=0.01)
    assert "t interval over judges" in found.method


def test_a_single_answer_has_no_deviation():
    found = results("judge,item,value\na,1,1\na,2,5")
    assert [e.value for e in found["slice-sd"].estimates] == [None, None]
    assert "enough answers" in found["slice-sd"].estimates[0].reason
    assert [e.value for e in found["slice-mean"].estimates] == [1, 5]


def test_the_source_group_is_left_out():
    csv = "judge,item,saw,value\na,1,r,1\na,2,r,3\na,3,r,1\na,4,r,3\nb,1,source,1\nb,2,source,9"
    found = results(csv, group="saw")
    assert [e.value for e in found["slice-sd"].estimates] == [1, 1]
    assert "source left out" in found["slice-sd"].method


def test_the_median_seconds_of_a_judge():
    rows = [("a", 1, 3), ("a", 2, 5), ("a", 3, 900), ("a", 4, 2), ("a", 5, 2), ("a", 6, 4)]
    csv = "\n".join(
        ["judge,item,value,seconds", *(f"{j},{i},1,{s}" for j, i, s in rows), "b,1,1,7"]
    )
    found = results(csv)["slice-seconds"].estimates
    assert [(e.value, e.n) for e in found] == [(6.0, 2), (2.0, 1)]  # of 5 and 7, then of 2 alone


def test_a_split_without_groups_says_so():
    csv = "judge,item,saw,genre,value\na,1,,n,1\na,2,A,t,2\nb,2,B,t,3"
    chosen = FatigueSettings(group="saw", slices=2, bootstrap=100)
    for result in analyse("fatigue", evaluation(csv, by=("genre",)), chosen):
        empty = [e for e in result.estimates if e.tags == {"genre": "n"}]
        assert all(e.value is None and e.reason for e in empty)


def test_seconds_that_are_nowhere():
    found = results("judge,item,value,seconds\na,1,1,\na,2,1,")
    assert all(e.value is None for e in found["slice-seconds"].estimates)
