import numpy as np
import pytest

from jurat.stats import Settings
from jurat.stats.spread import first_method, spread, told


def mean(totals):
    with np.errstate(invalid="ignore"):
        return totals[:, 1:] / totals[:, :1]


ROWS = np.column_stack([np.ones(50), np.arange(50), np.arange(50) * 2])


def test_values_and_intervals_of_several_at_once():
    found = spread(ROWS, mean, settings=Settings(bootstrap=2000))
    assert found.values.tolist() == [24.5, 49.0]
    # The standard error of the mean of 0…49 is 2.04.
    assert found.low[0] == pytest.approx(24.5 - 1.96 * 2.04, abs=0.5)
    assert found.high[0] == pytest.approx(24.5 + 1.96 * 2.04, abs=0.5)
    assert "2000 bootstrap" in found.method


def test_the_same_values_without_intervals():
    found = spread(ROWS, mean, settings=Settings(bootstrap=0))
    assert found.values.tolist() == [24.5, 49.0]
    assert np.isnan(found.low).all()
    assert found.method == ""
    estimate = found.estimate(1, n=50, by={})
    assert (estimate.value, estimate.low, estimate.reason) == (49.0, None, "")


@pytest.mark.parametrize("bootstrap", [0, 100])
def test_an_undefined_value_has_its_reason(bootstrap):
    nothing = np.zeros((4, 2))
    found = spread(nothing, mean, settings=Settings(bootstrap=bootstrap))
    estimate = found.estimate(n=0, by={"question": "q"}, reason="no pairs")
    assert (estimate.value, estimate.low, estimate.reason) == (None, None, "no pairs")


def test_a_single_cluster_has_no_interval():
    found = spread(ROWS, mean, settings=Settings(), clusters=np.zeros(50))
    assert found.estimate(n=50, by={}).low is None
    assert found.values[0] == 24.5


def test_what_is_told_in_one_line():
    both = [
        spread(ROWS, mean, settings=Settings(bootstrap=0)),
        spread(ROWS, mean, settings=Settings(bootstrap=10)),
    ]
    assert told("a", "", first_method(both)).startswith("a; percentile")
    assert first_method([]) == ""
