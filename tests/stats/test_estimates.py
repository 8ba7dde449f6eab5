import numpy as np
import pytest

from jurat.stats import Settings
from jurat.stats.estimates import (
    bootstrap_estimates,
    bootstrap_means,
    first_method,
    method_line,
)


def mean(totals):
    with np.errstate(invalid="ignore"):
        return totals[:, 1:] / totals[:, :1]


ROWS = np.column_stack([np.ones(50), np.arange(50), np.arange(50) * 2])


def test_values_and_intervals_of_several_at_once():
    found = bootstrap_estimates(ROWS, mean, settings=Settings(bootstrap=2000))
    assert found.values.tolist() == [24.5, 49.0]
    # The standard error of the mean of 0…49 is 2.04.
    assert found.low[0] == pytest.approx(24.5 - 1.96 * 2.04, abs=0.5)
    assert found.high[0] == pytest.approx(24.5 + 1.96 * 2.04, abs=0.5)
    assert "2000 bootstrap" in found.method


def test_the_same_values_without_intervals():
    found = bootstrap_estimates(ROWS, mean, settings=Settings(bootstrap=0))
    assert found.values.tolist() == [24.5, 49.0]
    assert np.isnan(found.low).all()
    assert found.method == ""
    estimate = found.estimate(1, n=50, by={})
    assert (estimate.value, estimate.low, estimate.reason) == (49.0, None, "")


@pytest.mark.parametrize("bootstrap", [0, 100])
def test_an_undefined_value_has_its_reason(bootstrap):
    nothing = np.zeros((4, 2))
    found = bootstrap_estimates(nothing, mean, settings=Settings(bootstrap=bootstrap))
    estimate = found.estimate(n=0, by={"question": "q"}, reason="no pairs")
    assert (estimate.value, estimate.low, estimate.reason) == (None, None, "no pairs")


def test_a_single_cluster_has_no_interval():
    found = bootstrap_estimates(ROWS, mean, settings=Settings(), clusters=np.zeros(50))
    assert found.estimate(n=50, by={}).low is None
    assert found.values[0] == 24.5


def test_what_is_told_in_one_line():
    both = [
        bootstrap_estimates(ROWS, mean, settings=Settings(bootstrap=0)),
        bootstrap_estimates(ROWS, mean, settings=Settings(bootstrap=10)),
    ]
    assert method_line("a", "", first_method(both)).startswith("a; percentile")
    assert first_method([]) == ""


@pytest.mark.parametrize("bootstrap", [0, 100])
def test_means_leave_out_what_is_missing(bootstrap):
    values = np.array([[1.0, np.nan], [3.0, 5.0], [np.nan, np.nan]])
    found = bootstrap_means(values, settings=Settings(bootstrap=bootstrap))
    assert found.values.tolist() == [2.0, 5.0]
    assert np.isnan(bootstrap_means(np.zeros((0, 2)), settings=Settings()).values).tolist() == [
        True,
        True,
    ]
