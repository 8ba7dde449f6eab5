"""The bootstrap beside published numbers, scipy and theory."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from jurat.errors import InputError
from jurat.resampling import bootstrap, jackknife
from tests.resampling.classics import GPA, LSAT, correlation, far, mean, products, with_ones

LAW = products(LSAT, GPA)
METHODS = ["percentile", "basic", "bca"]


def ends(result):
    assert result.interval is not None
    return np.array(result.interval)


def pearson(x, y, axis):
    return stats.pearsonr(x, y, axis=axis).statistic


def test_law_schools():
    """Efron & Tibshirani 1993, table 6.1: r = .776; SE .132 from 3,200 resamples."""
    result = bootstrap(LAW, correlation, seed=1, replicates=100_000)
    assert round(float(result.estimate), 3) == 0.776
    kurtosis = stats.kurtosis(result.replicates, fisher=False)
    error = result.standard_error * np.sqrt((kurtosis - 1) / 4 * (1 / 3200 + 1 / 100_000))
    assert far(result.standard_error, 0.132, error) < 3


DATA = {
    "law schools": ((LSAT, GPA), LAW, correlation, pearson),
    "a few ties": (([1.0, 2, 2, 5, 7],), with_ones(np.array([1.0, 2, 2, 5, 7])), mean, np.mean),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("confidence", [0.95, 0.8])
@pytest.mark.parametrize("data", DATA)
def test_intervals_are_scipys_from_the_same_replicates(data, method, confidence):
    samples, rows, score, statistic = DATA[data]
    result = bootstrap(rows, score, seed=1, method=method, confidence=confidence)
    theirs = stats.bootstrap(
        samples,
        statistic,
        paired=True,
        n_resamples=0,
        method=method,
        confidence_level=confidence,
        bootstrap_result=SimpleNamespace(bootstrap_distribution=result.replicates),
    )
    assert np.allclose(ends(result), theirs.confidence_interval, rtol=1e-9)
    assert np.isclose(result.standard_error, theirs.standard_error, rtol=1e-12)


def test_replicates_are_distributed_like_scipys():
    """Two empirical distributions: at any point they differ by √(p(1 - p)(1/B + 1/B'))."""
    ours = bootstrap(LAW, correlation, seed=1, replicates=50_000).replicates
    theirs = stats.bootstrap(
        (LSAT, GPA),
        pearson,
        paired=True,
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    ).bootstrap_distribution
    levels = np.array([0.025, 0.1, 0.5, 0.9, 0.975])
    shares = (ours[:, None] < np.quantile(theirs, levels)).mean(axis=0)
    error = np.sqrt(levels * (1 - levels) * (1 / 50_000 + 1 / 20_000))
    assert far(shares, levels, error) < 4


def test_normal_interval_is_the_estimate_and_196_standard_errors():
    result = bootstrap(LAW, correlation, seed=1, method="normal")
    low, high = ends(result)
    assert np.isclose((low + high) / 2, result.estimate)
    assert np.isclose((high - low) / 2, 1.959964 * result.standard_error, rtol=1e-6)


def test_standard_error_of_a_mean_is_known():
    """σ/√n with the divisor n: the bootstrap of a mean needs no simulation (Efron 1979)."""
    x = np.random.default_rng(1).normal(size=30)
    result = bootstrap(with_ones(x), mean, seed=1, replicates=40_000)
    expected = x.std() / np.sqrt(30)
    assert far(result.standard_error, expected, expected * np.sqrt(1 / (2 * 40_000))) < 4


def test_interval_covers_as_often_as_theory_says():
    """The percentile interval of a normal mean reaches z√((n - 1)/n) of t's standard errors."""
    n, times = 40, 600
    samples = np.random.default_rng(1).normal(size=(times, n))
    intervals = [
        ends(bootstrap(with_ones(x), mean, seed=i, replicates=400)) for i, x in enumerate(samples)
    ]
    covered = sum(bool(low <= 0 <= high) for low, high in intervals)
    expected = 1 - 2 * stats.t.sf(stats.norm.ppf(0.975) * np.sqrt((n - 1) / n), n - 1)
    low, high = stats.binom.ppf([1e-4, 1 - 1e-4], times, expected)
    assert low <= covered <= high


def test_percentiles_expanded_for_few_clusters_are_those_of_t():
    """Of a mean of ten: the interval of t, but for the error of the resamples."""
    x = np.random.default_rng(1).normal(size=10)
    result = bootstrap(with_ones(x), mean, seed=1, method="expanded", replicates=20_000)
    expected = stats.t.interval(0.95, 9, x.mean(), stats.sem(x))
    assert ends(result) == pytest.approx(expected, abs=0.1)
    assert np.ptp(ends(result)) > 1.15 * np.ptp(ends(bootstrap(with_ones(x), mean, seed=1)))


def test_many_values_at_once_are_each_as_alone():
    def both(totals):
        return np.column_stack([correlation(totals), totals[:, 1] / totals[:, 0]])

    for method in ("percentile", "basic", "bca", "normal"):
        together = bootstrap(LAW, both, seed=1, method=method)
        alone = bootstrap(LAW, correlation, seed=1, method=method)
        assert together.estimate.shape == together.standard_error.shape == (2,)
        assert together.replicates.shape == (1000, 2)
        assert np.isclose(together.standard_error[0], alone.standard_error)
        assert np.allclose(ends(together)[:, 0], ends(alone))


@settings(max_examples=20)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=20), st.integers(0, 99))
def test_units_of_a_cluster_stay_together(sizes, seed):
    """Clustered units give what their sums give, and ids of their own change nothing."""
    x = np.random.default_rng(seed).normal(size=sum(sizes))
    ids = np.repeat([f"document {n}" for n in range(len(sizes))], sizes)
    starts = np.cumsum([0, *sizes[:-1]])
    sums = np.add.reduceat(with_ones(x), starts)
    order = np.random.default_rng(seed).permutation(len(starts))
    clustered = bootstrap(with_ones(x), mean, clusters=ids, seed=seed)
    summed = bootstrap(sums, mean, seed=seed)
    own = bootstrap(sums, mean, clusters=[f"document {n}" for n in order], seed=seed)
    assert clustered.n_clusters == summed.n_clusters == (len(sizes),)
    assert np.allclose(clustered.replicates, summed.replicates)
    assert np.array_equal(own.replicates, summed.replicates)


def test_clusters_that_repeat_a_unit_widen_the_interval():
    x = np.random.default_rng(1).normal(size=100)
    alone = bootstrap(with_ones(x), mean, seed=1)
    rows = with_ones(np.repeat(x, 9))
    together = bootstrap(rows, mean, clusters=np.repeat(np.arange(100), 9), seed=1)
    assert np.allclose(ends(together), ends(alone))
    naive = bootstrap(rows, mean, seed=1)
    assert 2.7 < together.standard_error / naive.standard_error < 3.3


def test_undefined_resamples_are_left_out_and_counted():
    """A correlation of three schools is undefined where one alone is drawn: 3 of 27 resamples."""
    result = bootstrap(LAW[:3], correlation, seed=1, replicates=9000)
    assert far(result.undefined / 9000, 1 / 9, np.sqrt(1 / 9 * 8 / 9 / 9000)) < 4
    assert np.isnan(result.replicates).sum() == result.undefined
    there = result.replicates[~np.isnan(result.replicates)]
    assert np.allclose(ends(result), np.quantile(there, [0.025, 0.975]))
    assert np.isclose(result.standard_error, there.std(ddof=1))
    assert result.reason == ""


def test_mostly_undefined_has_no_interval():
    """The one that differs is drawn exactly once in 41 % of the resamples."""
    x = np.array([0.0, 0, 0, 0, 1])

    def rarely(totals):
        return np.where(totals[:, 0] == 1, totals[:, 0], np.nan)

    result = bootstrap(x, rarely, seed=1)
    share = 5 * 0.2 * 0.8**4
    assert far(1 - result.undefined / 1000, share, np.sqrt(share * (1 - share) / 1000)) < 4
    assert result.interval is None
    assert result.reason == f"undefined in {result.undefined} of 1000 resamples"


def test_values_without_an_interval_leave_the_others_theirs():
    def score(totals):
        never, rarely = totals[:, 0] / 0, np.where(totals[:, 1] == GPA.sum(), 1, np.nan)
        return np.column_stack([totals[:, 0], never, rarely])

    result = bootstrap(np.column_stack([LSAT, GPA]), score, seed=1)
    assert np.isfinite(ends(result)).tolist() == [[True, False, False]] * 2
    assert result.reasons[:2] == ("", "undefined for the data as they are")
    assert result.reasons[2].startswith("undefined in 9")
    assert result.undefined[:2].tolist() == [0, 1000]


def test_a_single_cluster_has_no_interval():
    for clusters in (["d"] * 15, (["d"] * 15, np.arange(15))):
        result = bootstrap(LAW, correlation, clusters=clusters, seed=1)
        assert result.interval is None
        assert np.isnan(result.standard_error)
        assert result.reason == "a single cluster says nothing about others"
        assert round(float(result.estimate), 3) == 0.776


def test_bca_of_an_extreme_value_has_no_interval():
    def unlike(totals):
        return np.abs(totals - LAW.sum(axis=0)).sum(axis=1)

    result = bootstrap(LAW, unlike, seed=1, method="bca")
    assert result.interval is None
    assert "one side" in result.reason


def test_method_says_what_was_done():
    result = bootstrap(LAW, correlation, seed=1, method="bca", confidence=0.9, replicates=500)
    assert result.method == "BCa interval, 90 %, from 500 bootstrap resamples of 15 clusters"
    ids = np.divmod(np.arange(15), 3)
    both = bootstrap(LAW, correlation, seed=1, clusters=ids).method
    assert both.endswith("1000 bootstrap resamples of 5 × 3 clusters, both drawn (pigeonhole)")


FAULTS: dict[str, dict[str, Any]] = {
    "method": {"method": "percentil"},
    "replicates": {"replicates": 1},
    "seed": {"seed": -1},
    "seed ": {"seed": 0.5},
    "confidence": {"confidence": 95},
    "jobs": {"jobs": 0},
    "clusters": {"clusters": [1, 2]},
    "clusters ": {"clusters": ["a"] * 14 + [None]},
    "clusters  ": {"clusters": [1.0] * 14 + [np.nan]},
    "clusters   ": {"clusters": ([1] * 15,)},
    "method ": {"method": "bca", "clusters": (np.arange(15), np.arange(15))},
    "statistics": {"statistics": [[1, np.nan]]},
    "statistics ": {"statistics": []},
    "statistics  ": {"statistics": ["a"]},
    "statistics   ": {"statistics": 3},
    "score": {"score": lambda totals: totals.sum()},
    "score ": {"score": lambda totals: totals[1:, 0]},
}


@pytest.mark.parametrize("field", FAULTS)
def test_faults_name_the_argument(field):
    options: dict[str, Any] = {"statistics": LAW, "score": correlation, "seed": 1} | FAULTS[field]
    with pytest.raises(InputError, match=field.strip()) as caught:
        bootstrap(options.pop("statistics"), options.pop("score"), **options)
    assert caught.value.problems[0].field == field.strip()


def test_law_schools_of_jackknife():
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
