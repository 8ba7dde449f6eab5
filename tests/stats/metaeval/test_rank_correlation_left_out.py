"""What one pass says of everything that is left out equals what each subset says by itself."""

import numpy as np
import pytest

from jurat.stats.correlation import kendall_counts, spearman
from jurat.stats.metaeval.accuracy_with_ties import SortedPairs, calibrate, pair_differences
from jurat.stats.metaeval.matched_scores import ScoreGroups
from jurat.stats.metaeval.rank_correlation_left_out import (
    kendall_counts_left_out,
    spearman_left_out,
)


@pytest.fixture
def lists():
    """Two lists with ties and gaps, and the group of each place."""
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 9, 300).astype(float), rng.normal(size=300).round(1)
    x[rng.random(300) < 0.1] = np.nan
    y[rng.random(300) < 0.1] = np.nan
    return x, y, rng.integers(0, 7, 300)


def test_kendalls_counts(lists):
    x, y, group = lists
    left = [kendall_counts(x[group != one], y[group != one]) for one in range(7)]
    assert kendall_counts_left_out(x, y, group).tolist() == np.array(left).tolist()


def test_spearmans_rho(lists):
    x, y, group = lists
    left = [float(spearman(x[group != one], y[group != one])) for one in range(7)]
    assert spearman_left_out(x, y, group) == pytest.approx(left, abs=1e-12)


@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_the_highest_accuracy(gaps):
    rng = np.random.default_rng(5)
    human = rng.integers(0, 4, (40, 6)).astype(float)
    metric = (human + rng.normal(size=human.shape) * 2).round(1)
    gone = rng.random(human.shape) < gaps
    groups = ScoreGroups(*(np.where(gone, np.nan, side) for side in (human, metric)))
    pairs = SortedPairs(groups)
    for one in range(4):
        kept = np.arange(40) % 4 != one
        alone = calibrate(pair_differences(ScoreGroups(*(side[kept] for side in groups))))
        assert pairs.accuracy(kept[pairs.group]) == pytest.approx(alone.accuracy, abs=1e-12)
