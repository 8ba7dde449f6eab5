import pytest

from jurat.results import Estimate
from jurat.stats.phrases import band, interval, listed, percent


@pytest.mark.parametrize(
    ("kappa", "word"),
    [
        # Landis & Koch 1977: .00-.20 slight, .21-.40 fair, … , below 0 poor.
        (-0.01, "poor"),
        (0.0, "slight"),
        (0.2, "slight"),
        (0.21, "fair"),
        (0.5, "moderate"),
        (0.7, "substantial"),
        (0.81, "almost perfect"),
        (1.0, "almost perfect"),
    ],
)
def test_bands(kappa, word):
    assert band(kappa) == word


def test_intervals_only_where_there_are_any():
    assert interval(Estimate(value=0.4, n=1, low=0.25, high=0.5)) == " [0.250, 0.500]"
    assert interval(Estimate(value=0.4, n=1)) == ""


def test_percent_and_lists():
    assert percent(0.61024) == "61.0 %"
    assert listed([]) == ""
    assert listed(["A"]) == "A"
    assert listed(["A", "B", "C"]) == "A, B and C"
    assert listed(list("ABCDEFG")) == "A, B, C, D, E and 2 more"
