"""Groups and their correlations, beside scipy and the numbers of mt-metrics-eval's own tests."""

import numpy as np
import pytest
from scipy import stats

from jurat.stats.metaeval.correlation import PEARSON, SPEARMAN, average
from jurat.stats.metaeval.matched_scores import ScoreGroups, score_groups
from tests.stats.metaeval import loops

HUMAN = np.array([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]])
METRIC = np.array([[2.0, 3.0], [1.0, 3.0], [4.0, 7.0]])
"""Two systems, three segments: [1 … 6] and [2, 1, 4, 3, 3, 7] there."""


@pytest.mark.parametrize(("grouping", "r"), [("none", 0.776), ("system", 0.760), ("item", 1.0)])
def test_pearson_is_mt_metrics_evals(grouping, r):
    assert PEARSON.value(score_groups(HUMAN, METRIC, grouping)) == pytest.approx(r, abs=5e-4)


def test_a_flat_group_is_left_out_of_the_average():
    """mt-metrics-eval: one of two systems has a single score, and the other 1.0 remains."""
    human, metric = np.array([[1, 4], [2, 5], [3, 6.0]]), np.array([[2, 4], [2, 5], [2, 6.0]])
    found = PEARSON.of(score_groups(human, metric, "system"))
    assert np.isnan(found[0])
    assert average(found) == pytest.approx(1.0)


@pytest.mark.parametrize("average_by", ["none", "sys", "item"])
@pytest.mark.parametrize("seed", range(3))
def test_as_the_loops_have_it(seed, average_by):
    gold, metric = loops.made_up(5, 12, seed=seed, missing=0.2)
    human = np.array([[np.nan if g is None else g for g in row] for row in gold]).T
    grouping = {"none": "none", "sys": "system", "item": "item"}[average_by]
    groups = score_groups(human, np.array(metric).T, grouping)
    for ours, theirs in ((PEARSON, loops.pearson), (SPEARMAN, loops.spearman)):
        wanted = loops.averaged(theirs, gold, metric, average_by)
        assert ours.value(groups) == pytest.approx(wanted, abs=1e-10)


def test_scores_far_from_zero_lose_no_digits():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 1, 50))
    r = stats.pearsonr(x[0], y[0])[0]
    assert PEARSON.of(ScoreGroups(x + 1e7, y - 3e6))[0] == pytest.approx(r, abs=1e-7)


def test_what_does_not_vary_has_no_correlation():
    tied = np.full((1, 4), 0.1)
    assert np.isnan(PEARSON.of(ScoreGroups(tied, np.arange(4.0)[None]))[0])
    assert np.isnan(SPEARMAN.of(ScoreGroups(np.arange(4.0)[None], tied))[0])
