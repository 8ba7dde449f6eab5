"""Calibrated ties, beside plain loops and the numbers of mt-metrics-eval's own tests."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.stats.metaeval import accuracy_with_ties
from jurat.stats.metaeval.accuracy_with_ties import (
    calibrate,
    calibrate_groups,
    pair_differences,
    pair_weights,
)
from jurat.stats.metaeval.matched_scores import ScoreGroups, score_groups
from tests.stats.metaeval import loops

NAN = np.nan


def one(gold, metric) -> ScoreGroups:
    return ScoreGroups(np.atleast_2d(np.array(gold, float)), np.atleast_2d(np.array(metric, float)))


@pytest.mark.parametrize(
    ("human", "metric", "accuracy", "epsilon"),
    [
        ([1, 2, 3, 4], [0, 2, 6, 8], 1.0, 0.0),
        ([1, 1, 1, 4], [0, 2, 6, 8], 4 / 6, 4.0),
        ([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3], 0.7, 0.5),
    ],
)
def test_mt_metrics_evals_examples(human, metric, accuracy, epsilon):
    found = calibrate(pair_differences(one(human, metric)))
    assert found == pytest.approx((accuracy, epsilon))


def test_mt_metrics_evals_matrices():
    """Rows with missing scores, of which one has none at all."""
    metric = [
        [0, 5, 2, 3, 2],
        [NAN, 2, 1, 5, 3],
        [9, 1, 5, 3, 8],
        [9, 3, 4, 4, 1],
        [NAN, NAN, NAN, NAN, NAN],
    ]
    human = [
        [1, 5, 2, 1, 1],
        [4, 2, 2, 1, 4],
        [5, 9, 2, 8, 7],
        [7, 6, NAN, 3, 2],
        [NAN, NAN, NAN, NAN, NAN],
    ]
    groups = score_groups(np.array(human, float), np.array(metric, float), "item")
    assert calibrate(pair_differences(groups)) == pytest.approx((0.4916666666666668, 1.0))


GROUPINGS = {"none": "none", "system": "sys", "item": "item"}


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("seed", range(4))
def test_as_the_loops_have_it(seed, grouping):
    """Sorted, and counted first: with ties on both sides, and with missing judgments."""
    gold, metric = loops.made_up(6, 20, seed=seed, missing=0.15 * (seed % 2))
    scores = np.round(np.array(metric).T, seed % 3)
    human = np.array([[NAN if g is None else g for g in row] for row in gold]).T
    groups = score_groups(human, scores, grouping)
    wanted = loops.calibrated(gold, scores.T.tolist(), GROUPINGS[grouping])
    assert calibrate(pair_differences(groups)) == pytest.approx(wanted, abs=1e-10)
    assert accuracy_with_ties._BlockCalibration(groups).best() == pytest.approx(wanted, abs=1e-10)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), min_size=2, max_size=25))
def test_counting_first_finds_the_same(pairs):
    human, metric = zip(*pairs, strict=True)
    groups = one(human, metric)
    sorted_all, counted = (
        calibrate(pair_differences(groups)),
        accuracy_with_ties._BlockCalibration(groups).best(),
    )
    assert counted == pytest.approx(sorted_all, abs=1e-12)


def test_long_groups_are_counted_first(monkeypatch):
    monkeypatch.setattr(accuracy_with_ties, "LONG", 3)
    monkeypatch.setattr(accuracy_with_ties, "pair_differences", None)
    assert calibrate_groups(one([1, 1, 1, 4], [0, 2, 6, 8])) == pytest.approx((4 / 6, 4.0))


def test_the_accuracy_is_that_of_the_pairs_that_are_right():
    gold, metric = loops.made_up(5, 10, seed=7, missing=0.2)
    human = np.array([[NAN if g is None else g for g in row] for row in gold]).T
    pairs = pair_differences(score_groups(human, np.array(metric).T, "item"))
    found = calibrate(pairs)
    assert pair_weights(pairs.group) @ pairs.correct(found.epsilon) == pytest.approx(found.accuracy)


def test_how_many_pairs():
    groups = ScoreGroups(np.array([[1, 2, 3], [NAN, 1, 2]]), np.zeros((2, 3)))
    assert groups.pairs.tolist() == [3, 1]
    assert len(pair_differences(groups).human) == 4
