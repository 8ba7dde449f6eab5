"""The jackknife beside published numbers and closed forms."""

import numpy as np
import pytest

from jurat.resampling import bootstrap, jackknife
from tests.resampling.classics import GPA, LSAT, correlation, mean, products, with_ones


def test_law_schools():
    """Efron, The Jackknife, the Bootstrap and Other Resampling Plans (1982): SE .1425."""
    result = jackknife(products(LSAT, GPA), correlation)
    assert round(float(result.standard_error), 4) == 0.1425
    without = [np.corrcoef(np.delete([LSAT, GPA], i, axis=1))[0, 1] for i in range(15)]
    assert np.allclose(result.values, without)
    assert np.isclose(result.bias, 14 * (np.mean(without) - np.corrcoef(LSAT, GPA)[0, 1]))
    assert result.n_clusters == 15


def test_a_mean_has_the_usual_standard_error_and_no_bias():
    result = jackknife(with_ones(LSAT), mean)
    assert np.isclose(result.standard_error, LSAT.std(ddof=1) / np.sqrt(15))
    assert np.isclose(result.bias, 0, atol=1e-10)


def test_bias_of_the_plug_in_variance_is_found_exactly():
    rows = np.column_stack([LSAT, LSAT**2, np.ones(15)])
    result = jackknife(rows, lambda t: t[:, 1] / t[:, 2] - (t[:, 0] / t[:, 2]) ** 2)
    assert np.isclose(result.estimate - result.bias, LSAT.var(ddof=1))


def test_clusters_are_left_out_whole_and_kinds_computed_once():
    x = np.tile([1.0, 2.0, 4.0], 40)
    ids = np.repeat(np.arange(60), 2)
    rows = []

    def score(totals):
        rows.append(len(totals))
        return mean(totals)

    result = jackknife(with_ones(x), score, clusters=ids)
    pairs = x.reshape(60, 2).sum(axis=1)
    assert np.allclose(result.values, (x.sum() - pairs) / 118)
    assert max(rows) == 3


def test_undefined_values_are_left_out():
    result = jackknife([[3.0, 0], [5.0, 0], [4.0, 1]], lambda t: t / t[:, 1:])
    assert np.isnan(result.values[2]).all()
    assert result.values[:2, 0].tolist() == [9, 7]
    assert np.isclose(result.standard_error[0], 1)
    alone = jackknife([3.0], lambda t: 1 / t[:, 0])
    assert np.isnan(alone.standard_error)


@pytest.mark.parametrize("sign", [1, -1])
def test_acceleration_moves_the_interval_of_a_skewed_mean_towards_its_tail(sign):
    x = sign * np.random.default_rng(1).lognormal(size=60)
    plain, corrected = (
        np.array(bootstrap(with_ones(x), mean, seed=1, replicates=4000, method=m).interval)
        for m in ("percentile", "bca")
    )
    assert (sign * (corrected - plain) > 0).all()
