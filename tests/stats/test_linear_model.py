"""Estimates and cluster-robust variances, against matrices written out and Welch's."""

import math

import numpy as np
import pytest

from jurat.stats.linear_model import Grouping, LinearModel

APART = np.array([1.0, -1.0])


def design(*factors):
    return np.hstack([np.eye(int(codes.max()) + 1)[codes] for codes in factors])


def written_out(values, matrix, wanted, clusters, weights=None):
    """Variance and degrees of freedom with every matrix made."""
    root = np.sqrt(np.ones(len(values)) if weights is None else weights)
    values, matrix = root * values, root[:, None] * matrix
    inverse = np.linalg.pinv(matrix.T @ matrix)
    maker = np.eye(len(values)) - matrix @ inverse @ matrix.T
    whole = matrix @ inverse @ wanted
    rows = []
    for cluster in np.unique(clusters):
        own = np.where(clusters == cluster, whole, 0.0)
        left = own @ maker @ own
        rows.append(math.sqrt(own @ own / left) * maker @ own if left > 1e-12 else 0 * own)
    made = np.array(rows)
    product = made @ made.T
    return ((made @ values) ** 2).sum(), np.trace(product) ** 2 / (product**2).sum()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("with_judges", [False, True])
@pytest.mark.parametrize("with_blocks", [False, True])
def test_variances_are_those_of_the_matrices_written_out(with_blocks, with_judges, weighted):
    rng = np.random.default_rng(0)
    document, judge, system = rng.integers(0, [[8], [4], [2]], (3, 200))
    values = rng.normal(size=200) + rng.normal(size=8)[document]
    weights = np.random.default_rng(1).uniform(0.5, 3, len(values)) if weighted else None
    model = LinearModel(
        values=values,
        system=system,
        judge=judge if with_judges else None,
        block=document if with_blocks else None,
        weights=weights,
    )
    factors = [system] + [judge] * with_judges + [document] * with_blocks
    matrix = design(*factors)
    wanted = np.zeros(matrix.shape[1])
    wanted[:2] = APART
    contrast = model.contrast(APART)
    root = np.sqrt(np.ones(len(values)) if weights is None else weights)
    effects = np.linalg.lstsq(root[:, None] * matrix, root * values)[0]
    assert contrast.value == pytest.approx(wanted @ effects)
    for clusters in (document, judge, document * 4 + judge):
        found = contrast.variance(Grouping.of(clusters))
        expected = written_out(values, matrix, wanted, clusters, weights)
        assert found == pytest.approx(expected, rel=1e-8)


def test_two_groups_of_clusters_are_welch_s_test_with_its_variance():
    rng = np.random.default_rng(3)
    values, system = rng.normal(size=30), np.repeat([0, 1], [18, 12])
    contrast = LinearModel(values=values, system=system).contrast(APART)
    found = contrast.variance(Grouping.of(np.arange(30)))
    first, second = values[:18], values[18:]
    assert found.value == pytest.approx(first.var(ddof=1) / 18 + second.var(ddof=1) / 12)
