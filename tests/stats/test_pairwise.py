"""What is done with the p-values of all pairs."""

import numpy as np
import pytest

from jurat.results import Estimate
from jurat.stats.pairwise import (
    PValues,
    better_first,
    both_orders,
    cluster_words,
    matrix,
    p_words,
    told_apart,
)


def test_the_better_one_stands_first():
    pairs = better_first(np.array([1.0, 3.0, np.nan, 3.0]))
    assert pairs == [(1, 3), (1, 0), (1, 2), (3, 0), (3, 2), (0, 2)]
    assert both_orders([(1, 0)]) == [(1, 0), (0, 1)]


def test_p_values_as_estimates():
    tests = PValues(np.array([[np.nan, 0.01], [0.99, np.nan]]), np.full((2, 2), 7), "untested")
    first, second = tests.estimates([(0, 1), (1, 1)], ["x", "y"], by={"q": 1}, tags={"t": 2})
    assert first == Estimate(0.01, 7, {"q": 1, "system_a": "x", "system_b": "y"}, {"t": 2})
    assert (second.value, second.reason) == (None, "untested")


def test_of_one_sided_tests_the_smaller_p_counts():
    tests = PValues(np.array([[np.nan, 0.04], [0.96, np.nan]]), np.ones((2, 2), dtype=np.int64))
    both = list(tests.estimates([(0, 1), (1, 0)], "xy", by={}, tags={}, kind="metric"))
    assert told_apart(both, 0.05, kind="metric") == (1, "1 of 1 pairs of metrics are told apart")
    assert told_apart(both, 0.04, kind="metric")[0] == 0
    assert told_apart(both, 0.04, kind="metric", inclusive=True)[0] == 1


def test_pairs_without_p_are_counted_and_questions_are_apart():
    asked = [
        Estimate(p, 1, {"question": q, "system_a": "x", "system_b": "y"})
        for q, p in (("adequacy", 0.01), ("fluency", None))
    ]
    assert told_apart(asked, 0.05) == (1, "1 of 2 pairs of systems are told apart")


@pytest.mark.parametrize(("p", "words"), [(0.0004, "p < 0.001"), (0.02, "p = 0.020")])
def test_p_in_words(p, words):
    assert p_words(p) == words


def test_clusters_in_words():
    assert cluster_words({"A": 1, "B": 1, "C": 2}) == (
        "3 systems fall into 2 clusters; A and B are in the first"
    )


def test_a_matrix_has_the_first_in_the_row():
    drawn = matrix("t", [Estimate(0.5, 1, {"system_a": "x", "system_b": "y"})], "share")
    assert drawn["encoding"]["y"]["field"] == "system_a"
