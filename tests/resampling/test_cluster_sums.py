"""Clusters drawn with replacement: the weights, and the totals under them."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jurat.errors import InputError
from jurat.resampling import bootstrap, cluster_sums
from tests.resampling.classics import far

SMALL = patch.multiple(cluster_sums, BLOCK=16, SMALL=4)


def generator(seed):
    return np.random.Generator(np.random.SFC64(seed))


def drawn(rng, number, rows):
    return np.hstack([counts for _, counts in cluster_sums.draw_counts(rng, number, rows)])


@given(st.integers(1, 60), st.integers(1, 9), st.integers(0, 2**32))
def test_each_resample_draws_as_many_as_there_are(number, rows, seed):
    with SMALL:
        weights = drawn(generator(seed), number, rows)
    assert weights.shape == (rows, number)
    assert (weights.sum(axis=1) == number).all()
    assert (weights >= 0).all()


@SMALL
@pytest.mark.parametrize("number", [3, 16, 45])
def test_weights_are_multinomial(number):
    """Within, at and over the blocks' borders: means, variances, covariances, and each value."""
    rows = 20_000
    weights = drawn(generator(1), number, rows)
    expected = np.eye(number) - 1 / number
    # The variance of a product of two centred Poisson weights is 1, of a square 3.
    error = np.sqrt((1 + 2 * np.eye(number)) / rows)
    assert far(weights.mean(axis=0), 1, np.sqrt(1 / rows)) < 4.5
    assert far(np.cov(weights.T, ddof=0), expected, error) < 4.5
    for times in range(4):
        share = stats.binom.pmf(times, number, 1 / number)
        seen = (weights == times).mean(axis=0)
        assert far(seen, share, np.sqrt(share * (1 - share) / rows)) < 4.5


def test_real_blocks_are_filled_evenly():
    number = 2 * cluster_sums.BLOCK + cluster_sums.BLOCK // 2 + cluster_sums.SMALL + 256
    counts = drawn(generator(1), number, 30).sum(axis=0)
    assert stats.chisquare(counts).pvalue > 1e-4
    assert stats.chisquare(counts.reshape(-1, 64).sum(axis=1)).pvalue > 1e-4


def test_totals_are_weights_times_rows():
    table = np.arange(20_000.0)[:, None] ** [0, 1]
    totals = cluster_sums.draw_clusters(generator(4), 3, table)
    assert np.array_equal(totals, drawn(generator(4), len(table), 3) @ table)


@pytest.mark.parametrize("worth", [1, 10**9], ids=["kinds", "clusters"])
def test_telling_kinds_changes_nothing_in_distribution(worth):
    """Mean and covariance of a resample's totals are known: T and Σ(s - s̄)(s - s̄)ᵀ."""
    rows = np.random.default_rng(1).integers(1, 8, (400, 2)) @ np.array([[1.0, 1], [1, -1]])
    replicates = 20_000
    with (
        patch.object(cluster_sums, "WORTH", worth),
        patch.object(cluster_sums, "draw_distinct", wraps=cluster_sums.draw_distinct) as kinds,
    ):
        result = bootstrap(rows, lambda totals: totals, seed=2, replicates=replicates)
    assert kinds.called is (worth == 1)
    covariance = np.cov(rows.T, ddof=0) * len(rows)
    assert np.array_equal(result.estimate, rows.sum(axis=0))
    error = np.sqrt(np.diag(covariance) / replicates)
    assert far(result.replicates.mean(axis=0), rows.sum(axis=0), error) < 4.5
    variances = np.diag(covariance)
    error = np.sqrt((np.outer(variances, variances) + covariance**2) / replicates)
    assert far(np.cov(result.replicates.T), covariance, error) < 4.5


@given(st.lists(st.sampled_from([(0.0, 1.0), (-0.0, 1.0), (1.0, 0.5), (0.5, 1.0)]), min_size=64))
def test_kinds_are_those_of_numpy(rows):
    table = np.array(rows)
    kinds = cluster_sums.distinct_rows(table)
    assert kinds is not None
    expected, numbers = np.unique(table + 0.0, axis=0, return_counts=True)
    order = np.lexsort(kinds.rows.T[::-1])
    assert np.array_equal(kinds.rows[order], expected)
    assert np.array_equal(kinds.numbers[order], numbers)
    assert np.array_equal(kinds.rows[kinds.of_cluster], table)


def test_rows_with_the_same_hash_are_not_mixed_up():
    rows = np.arange(64.0)[:, None] % 2
    with patch.object(cluster_sums, "_hash", lambda rows: np.zeros(len(rows), dtype=np.uint64)):
        assert cluster_sums.distinct_rows(rows) is None


def test_two_way_resampling_has_the_variance_that_owen_derives():
    """Var(Σ u v x) = xᵀ(M ⊗ N)x - (Σx)² with E[u uᵀ] = M = I + (1 - 1/A): exact, for any table."""
    rng = np.random.default_rng(1)
    first, second = np.divmod(np.arange(60), 6)
    keep = rng.random(60) < 0.7
    x = rng.normal(2, 1, 60) * keep
    moments = [np.eye(n) + 1 - 1 / n for n in (10, 6)]
    expected = np.einsum("ab,aA,bB,AB->", t := x.reshape(10, 6), *moments, t) - x.sum() ** 2
    where = np.flatnonzero(keep)
    ids = np.array([f"d{n}" for n in first]), second
    twice = np.repeat(where, 2)  # two units a cell, half each
    result = bootstrap(
        x[twice] / 2,
        lambda t: t[:, 0],
        clusters=(ids[0][twice], ids[1][twice]),
        seed=1,
        replicates=40_000,
    )
    variance, kurtosis = result.replicates.var(), stats.kurtosis(result.replicates, fisher=False)
    assert result.n_clusters == (10, 6)
    assert far(result.replicates.mean(), x.sum(), np.sqrt(expected / 40_000)) < 4
    assert far(variance, expected, expected * np.sqrt((kurtosis - 1) / 40_000)) < 4


def test_crossed_totals_are_products_of_weights_times_rows():
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 30, 500), rng.integers(0, 7, 500)
    first[-1], second[-1] = 29, 6
    table = rng.integers(0, 9, (500, 2)).astype(float)
    with patch.object(cluster_sums, "CELLS", 64):
        totals = cluster_sums.draw_crossed(generator(3), 5, table, first, second)
    again = generator(3)
    left, right = drawn(again, 30, 5), drawn(again, 7, 5)
    assert np.array_equal(totals, (left[:, first] * right[:, second]) @ table)


ROWS = np.array([[1.0, 2.5], [1.0, 4.0], [1.0, 7.25]])


def mean(totals):
    return totals[:, 1] / totals[:, 0]


@pytest.mark.parametrize("copies", [(400, 100, 20), (2, 1, 1)])
def test_rows_stand_for_so_many_clusters(copies):
    written = bootstrap(np.repeat(ROWS, copies, axis=0), mean, replicates=4000, seed=1)
    short = bootstrap(ROWS, mean, copies=np.array(copies), replicates=4000, seed=2)
    assert short.estimate == pytest.approx(written.estimate, abs=1e-12)
    assert short.n_clusters == written.n_clusters == (sum(copies),)
    assert short.method == written.method
    assert short.standard_error == pytest.approx(written.standard_error, rel=0.08)


def test_a_bca_interval_leaves_single_clusters_out():
    copies = np.array([400, 100, 20])
    short = bootstrap(ROWS, mean, copies=copies, method="bca", replicates=2000, seed=1)
    written = bootstrap(
        np.repeat(ROWS, copies, axis=0), mean, method="bca", replicates=2000, seed=1
    )
    np.testing.assert_allclose(short.interval, written.interval, atol=0.02)


@pytest.mark.parametrize("copies", [[1, 2], [1.0, 2.0, 3.0], [1, 0, 2], [[1], [2], [3]]])
def test_copies_are_whole_numbers_from_one(copies):
    with pytest.raises(InputError, match="copies must be a whole number"):
        bootstrap(ROWS, mean, copies=copies, seed=1)


def test_copies_are_clusters_themselves():
    with pytest.raises(InputError, match="copies"):
        bootstrap(ROWS, mean, copies=[1, 2, 3], clusters=[0, 0, 1], seed=1)
