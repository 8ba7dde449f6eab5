import numpy as np
import pytest
from scipy import stats

from jurat.stats.planning.repeated_looks import (
    e_value_limit,
    log_e_value,
    look_levels,
    looks_until,
    spent,
)

# O'Brien-Fleming-type spending, two-sided .05, equal steps: as in the tables of Lan & DeMets's
# method (e.g. Reboussin et al. 2000; R packages ldbounds and gsDesign)
PUBLISHED = {
    2: [2.9626, 1.9686],
    3: [3.7103, 2.5114, 1.9930],
    4: [4.3326, 2.9631, 2.3590, 2.0141],
    5: [4.8769, 3.3569, 2.6803, 2.2898, 2.0310],
}


@pytest.mark.parametrize("looks", PUBLISHED)
def test_boundaries_as_published(looks):
    levels = look_levels(tuple(n / looks for n in range(1, looks + 1)), 0.05)
    assert stats.norm.isf(np.array(levels) / 2) == pytest.approx(PUBLISHED[looks], abs=2e-4)


def test_all_looks_together_keep_the_error():
    """Brownian paths with a look at each of 50 documents, from the tenth on."""
    looks = looks_until(10, 60)
    times = looks / 60
    limits = stats.norm.isf(np.array(look_levels(tuple(times.tolist()), 0.05)) / 2)
    rng = np.random.default_rng(1)
    steps = rng.normal(0, np.sqrt(np.diff(times, prepend=0)), (20_000, len(times)))
    crossed = np.abs(steps.cumsum(axis=1) / np.sqrt(times)) > limits
    assert crossed.any(axis=1).mean() == pytest.approx(0.05, abs=0.006)


def test_the_error_is_spent_late():
    early, all_of_it = spent(np.array([0.2, 1.0]), 0.05)
    assert early < 1e-5
    assert all_of_it == pytest.approx(0.05)


def test_looks():
    assert looks_until(10, 12).tolist() == [10, 11, 12]
    many = looks_until(10, 1000)
    assert (len(many), many[0], many[-1]) == (50, 10, 1000)


def test_the_e_value_is_its_bayes_factor():
    """Marginal t densities of the normal prior: Student's t scaled by √(1 + ng), over t itself."""
    n, t = 30, 2.4
    wide = np.sqrt(1 + n * 0.5)
    expected = stats.t.pdf(t / wide, n - 1) / wide / stats.t.pdf(t, n - 1)
    assert np.exp(log_e_value(t, n)) == pytest.approx(expected)
    limit = e_value_limit(n, 0.05)
    assert np.exp(log_e_value(limit, n)) == pytest.approx(20)
    assert np.isinf(e_value_limit(3, 0.0001))
