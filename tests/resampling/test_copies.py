import numpy as np
import pytest

from jurat.errors import InputError
from jurat.resampling import bootstrap

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
