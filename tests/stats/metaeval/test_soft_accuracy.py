"""Soft pairwise accuracy, beside plain loops in single precision as mt-metrics-eval's."""

import numpy as np
import pytest

from jurat.stats.metaeval.soft_accuracy import accuracy, pairwise_p, signs, soft_accuracy
from tests.stats.metaeval import loops
from tests.stats.metaeval.asking import asked, long_csv, results, values


def arrays(systems: int = 6, segments: int = 80, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    gold, metric = loops.made_up(systems, segments, seed=seed, digits=2)
    return np.array(gold, float).T, np.array(metric).T


@pytest.mark.parametrize("seed", range(4))
def test_as_the_loops_have_it(seed):
    human, metric = arrays(seed=seed)
    assert soft_accuracy(human, metric) == pytest.approx(
        loops.soft_accuracy(human.T, metric.T), abs=1e-4
    )


def test_the_signs_are_mt_metrics_evals():
    drawn = np.random.default_rng(4).random((1000, 7), dtype=np.float32)
    np.testing.assert_array_equal(signs(7), 2 * np.rint(drawn) - 1)


def test_a_metric_that_is_the_judgment_is_perfect():
    human, _ = arrays()
    assert soft_accuracy(human, 3 * human + 1) == 1


def test_a_metric_that_is_the_reverse_is_not():
    human = np.array([[0.0, 1, 2]] * 40) + np.random.default_rng(1).normal(0, 0.1, (40, 3))
    assert soft_accuracy(human, -human) < 0.01


def test_segments_that_one_system_lacks_count_for_the_others():
    human, _ = arrays(3)
    whole = pairwise_p(human)
    human[::2, 2] = np.nan
    part = pairwise_p(human)
    assert part[0] == pytest.approx(whole[0], abs=1e-9)
    assert np.isfinite(part).all()
    human[:, 2] = np.nan
    assert np.isnan(pairwise_p(human)[1:]).all()


def test_plain_accuracy():
    """mt-metrics-eval's test of Agreement: 5 of 10 pairs."""
    found = accuracy(np.array([1.0, 2, 3, 3, 4]), np.array([1.0, 1, 2, 1, 2]))
    assert found == (0.5, 10)


def test_results():
    human, metric = arrays(4, 30)
    evaluation, settings = asked(long_csv(human, metric), bootstrap=50)
    found = results("metric-spa", evaluation, settings)
    (soft,) = found["metric-spa"].estimates
    assert soft.value == pytest.approx(soft_accuracy(human, metric), abs=1e-9)
    assert soft.by == {"question": "value", "metric": "m0", "level": "system"}
    assert soft.n == 6
    assert 0 <= soft.low <= soft.value <= soft.high <= 1
    (plain,) = found["metric-accuracy"].estimates
    assert plain.value == accuracy(human.mean(axis=0), metric.mean(axis=0))[0]


def test_preferences_have_no_scores_to_permute():
    evaluation, settings = asked(
        "segment,better,worse\n1,a,b\n", "segment,system,m\n1,a,2\n1,b,1\n"
    )
    (soft,) = values(results("metric-spa", evaluation, settings)["metric-spa"]).values()
    assert soft.value is None
    assert "gave no scores" in soft.reason
