"""The difference that people notice, beside scikit-learn's isotonic fit."""

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from jurat.stats.metaeval.difference_threshold import (
    monotone_threshold,
    thresholds_of_bins,
    thresholds_of_excess,
)
from tests.stats.metaeval.asking import asked, figure, results, values


@pytest.mark.parametrize("seed", range(12))
def test_the_crossing_is_that_of_the_isotonic_fit(seed):
    rng = np.random.default_rng(seed)
    apart = np.round(rng.exponential(0.2, 120), 2) + 0.01
    agrees = rng.random(120) < 1 / (1 + np.exp(-8 * (apart - 0.2)))
    fit = IsotonicRegression().fit(apart, agrees).predict(np.unique(apart))
    above = np.unique(apart)[fit > 0.5 + 1e-9]
    wanted = above[0] if len(above) else np.nan
    np.testing.assert_equal(monotone_threshold(apart, agrees), wanted)


def test_one_half_is_not_more_than_half():
    assert monotone_threshold(np.array([1.0, 1.0, 2.0]), np.array([True, False, True])) == 2
    assert np.isnan(monotone_threshold(np.array([1.0, 1.0]), np.array([True, False])))
    assert monotone_threshold(np.array([1.0, 2.0]), np.array([True, True])) == 1


def test_many_resamples_at_once():
    excess = np.array([[-0.5, 0.5, 0.5], [-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]])
    assert thresholds_of_excess(excess, np.array([1.0, 2, 3]), 9.0).tolist() == [2, 9, 1]


def test_the_lowest_edge_from_which_on_more_than_half_agree():
    edges = np.array([0.0, 0.1, 0.2, 0.3])
    pairs = np.array([[4.0, 4, 0, 4]] * 4)
    agreeing = np.array([[1.0, 3, 0, 3], [3, 1, 0, 4], [3, 3, 0, 3], [3, 3, 0, 2]])
    assert thresholds_of_bins(agreeing, pairs, edges, 9.0).tolist() == [0.1, 0.3, 0, 9]


def test_suns_sheet():
    """By hand: of the 11 pairs that BLEU sets apart, three judges of four agree with 8."""
    evaluation, settings = figure(bootstrap=200)
    found = values(results("metric-threshold", evaluation, settings)["metric-threshold"])
    # the disagreeing pairs differ by 0.0093 and 0.0269 (tied by two judges) and 0.0565
    assert found["BLEU", "monotone"].value == pytest.approx(0.6453 - 0.5222)
    assert found["BLEU", "bins"].value == pytest.approx(0.1)
    agreeing = [0.3352, 0.3259, 0.3352, 0.3259, 0.15, 0.2065, 0.1231, 0.1796]
    assert found["BLEU", "mean-difference"].value == pytest.approx(np.mean(agreeing), abs=1e-4)
    assert {e.n for key, e in found.items() if key[0] == "BLEU"} == {11}
    assert found["BLEU", "monotone"].low <= found["BLEU", "monotone"].high
    assert {e.note.partition(":")[0] for e in found.values()} == {
        "2 segments say little about others"
    }
    assert all(e.low >= 0 for e in found.values())


def test_the_finding_comes_first_and_in_words():
    evaluation, settings = figure(bootstrap=200)
    result = results("metric-threshold", evaluation, settings)["metric-threshold"]
    assert result.headline.startswith("From a difference of 0.123 (")
    assert ") on, the majority of judges agrees with BLEU more often than not; " in result.headline
    assert "66.7 % of the pairs differ as much" in result.headline
    assert "2 segments say little about others" in result.headline
    assert "lower is better: TER" in result.method
    assert "steps of 0.1" in result.method


PAIR = "segment,system,value,m\n"


def test_a_metric_that_people_never_agree_with():
    csv = PAIR + "\n".join(f"{n},a,1,{n}\n{n},b,2,0" for n in range(1, 9))
    evaluation, settings = asked(csv, bootstrap=50)
    found = results("metric-threshold", evaluation, settings)
    named = values(found["metric-threshold"])
    for method in ("monotone", "bins", "mean-difference"):
        assert named["m", method].value is None
        assert "even where it differs most" in named["m", method].reason
    assert "Never, in these data: m" in found["metric-threshold"].headline
    assert values(found["metric-threshold-share"])["m", "monotone"].value is None


def test_an_interval_may_have_no_end():
    """In some resamples nobody agrees any more."""
    csv = PAIR + "\n".join(f"{n},a,{2 if n > 6 else 0},{n / 10}\n{n},b,1,0" for n in range(1, 9))
    evaluation, settings = asked(csv, bootstrap=400)
    result = results("metric-threshold", evaluation, settings)["metric-threshold"]
    found = values(result)["m", "monotone"]
    assert found.value == pytest.approx(0.7)
    assert found.low == pytest.approx(0.7)
    assert found.high is None
    assert result.headline == (
        "Whether the majority of judges ever agrees with m more often than not is not settled by "
        "these data: perhaps from a difference of 0.700 on (0.700–…), which 25.0 % of the pairs "
        "have."
    )
    assert "reaches beyond the largest difference" in result.method


def test_there_may_be_nothing_to_tell():
    evaluation, settings = asked(PAIR + "1,a,1,2\n2,a,2,3\n")
    found = results("metric-threshold", evaluation, settings)["metric-threshold"]
    assert {e.reason for e in found.estimates} == {
        "people compared no two systems of a segment that the metric scored"
    }
    assert found.headline == ""


def test_all_judges_must_be_counted_for_the_majority():
    """Two of four prefer what the metric prefers, one ties, one does not: no majority."""
    rows = [("x", 2, 1), ("y", 2, 1), ("z", 1, 1), ("w", 1, 2)]
    csv = "judge,segment,system,value,m\n" + "\n".join(
        f"{judge},1,a,{a},1\n{judge},1,b,{b},0" for judge, a, b in rows
    )
    evaluation, settings = asked(csv)
    found = values(results("metric-threshold", evaluation, settings)["metric-threshold"])
    assert found["m", "monotone"].value is None
