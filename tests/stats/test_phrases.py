import pytest

from jurat.results import Estimate
from jurat.stats.phrases import (
    band,
    count_of,
    interval,
    listed,
    percent,
    percentage,
    strength_headline,
)


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


def estimate(value, **more):
    return Estimate(value=value, n=1200, by={"question": "q"}, **more)


def test_strength_has_interval_band_and_number():
    told = [estimate(0.456, low=0.4, high=0.5, tags={"genre": "news"})]
    assert strength_headline("They agree", told, banded=True) == (
        "They agree: q, genre news 0.456 [0.400, 0.500], moderate (Landis & Koch), 1,200 items."
    )
    plain = "They agree: q, genre news 0.456 [0.400, 0.500], 1,200 items."
    assert strength_headline("They agree", told) == plain


def test_strength_says_how_far_to_trust_it():
    noted = [estimate(0.9)._replace(note="few documents")]
    assert strength_headline("They agree", noted).endswith("1,200 items (few documents).")


def test_many_are_counted():
    assert strength_headline("They agree", [estimate(0.1)] * 5).endswith("; and 2 more.")


def test_nothing_has_its_reason():
    assert (
        strength_headline("They agree", [estimate(None, reason="no pairs")])
        == "It cannot be told: no pairs."
    )
    assert strength_headline("They agree", []) == "It cannot be told: there are no judgments."


def test_shares_and_counts():
    assert percentage(estimate(0.365, low=0.352, high=0.379)) == "36.5 % [35.2, 37.9]"
    assert percentage(estimate(0.365)) == "36.5 %"
    assert count_of(1, "pairs of judges") == "1 pair of judges"
    assert count_of(300, "pairs of judges") == "300 pairs of judges"
