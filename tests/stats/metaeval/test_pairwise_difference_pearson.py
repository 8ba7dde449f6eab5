"""Pairwise difference Pearson."""

from itertools import permutations

import numpy as np
import pytest

from jurat.stats.metaeval.pairwise_difference_pearson import difference_pearson, difference_sums
from tests.stats.metaeval.asking import asked, long_csv, results


@pytest.fixture
def arrays():
    rng = np.random.default_rng(4)
    human = np.round(rng.normal(size=(12, 4)) + rng.normal(0, 3, (12, 1)), 1)
    metric = human + rng.normal(size=(12, 4)) + rng.normal(0, 3, (12, 1))
    human[3, 1] = metric[5, 2] = np.nan
    return human, metric


def differences(human, metric):
    """All pairs of systems of a segment, in both orders, by plain loops."""
    return np.array(
        [
            (human[k, i] - human[k, j], metric[k, i] - metric[k, j])
            for k in range(len(human))
            for i, j in permutations(range(human.shape[1]), 2)
            if not np.isnan(human[k, [i, j]]).any() and not np.isnan(metric[k, [i, j]]).any()
        ]
    )


def test_it_is_pearson_of_all_differences(arrays):
    pairs = differences(*arrays)
    wanted = np.corrcoef(pairs.T)[0, 1]
    assert difference_pearson(difference_sums(*arrays).sum(axis=0)[None])[0] == pytest.approx(
        wanted
    )
    (found,) = results("metric-pdp", *asked(long_csv(*arrays), bootstrap=1))["metric-pdp"].estimates
    assert found.value == pytest.approx(wanted)
    assert found.n == len(pairs) / 2
    assert found.low < found.value < found.high


def test_what_a_metric_says_of_segments_has_no_part_in_it(arrays):
    human, metric = arrays
    moved = metric + np.arange(12)[:, None] * 100
    one, other = (
        difference_pearson(difference_sums(human, m).sum(axis=0)[None])[0] for m in (metric, moved)
    )
    assert one == pytest.approx(other)


@pytest.mark.parametrize(
    ("csv", "reason"),
    [
        ("segment,system,value,m\n1,a,1,2\n2,b,2,3\n", "no two systems"),
        ("segment,system,value,m\n1,a,1,2\n1,b,1,3\n", "the same within every segment"),
    ],
)
def test_why_there_is_none(csv, reason):
    (found,) = results("metric-pdp", *asked(csv))["metric-pdp"].estimates
    assert found.value is None
    assert reason in found.reason
