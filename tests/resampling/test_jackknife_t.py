"""The jackknife with t beside the t-test, published numbers and simulated agreement."""

import numpy as np
import pytest
from scipy import stats

from jurat.errors import InputError
from jurat.resampling import jackknife_t
from jurat.resampling.jackknife_t import (
    MOST_UNITS,
    RESTS_ON_ONE,
    SINGLE,
    UNDEFINED,
    UNVARIED,
    interval_of_left_out,
    random_groups,
)
from tests.resampling.classics import GPA, LSAT, MAIZE, correlation, mean, products, with_ones


def test_of_a_mean_it_is_the_t_interval_and_test():
    found = jackknife_t(with_ones(MAIZE), mean, scale="identity")
    theirs = stats.ttest_1samp(MAIZE, 0)
    assert np.allclose([found.low[0], found.high[0]], theirs.confidence_interval(0.95))
    assert np.isclose(found.p_value[0], theirs.pvalue)
    assert found.df == len(MAIZE) - 1
    assert found.method == (
        "95 % interval from the bias-corrected jackknife, with t, leaving out each of 15 units"
    )


def test_law_schools():
    """Efron & Tibshirani 1993, section 11: the jackknife's error of r is .1425, bias −.0065."""
    found = jackknife_t(products(LSAT, GPA), correlation, scale="identity")
    assert np.isclose(found.standard_error[0], 0.1425, atol=5e-5)
    assert np.isclose(found.value[0] - found.centre[0], -0.0065, atol=5e-5)


def test_on_fishers_scale_ends_are_those_of_atanh():
    found = jackknife_t(products(LSAT, GPA), correlation)
    beside = jackknife_t(
        products(LSAT, GPA), lambda t: np.arctanh(correlation(t)), scale="identity"
    )
    assert np.allclose(found.centre, beside.centre)
    assert np.allclose(found.standard_error, beside.standard_error)
    half = stats.t.ppf(0.975, found.df) * beside.standard_error
    assert np.allclose(found.low, np.tanh(beside.centre - half))
    assert np.allclose(found.high, np.tanh(beside.centre + half))
    assert np.isclose(found.value[0], 0.776, atol=5e-4)


def test_where_few_units_decide_they_leave_few_degrees_of_freedom():
    """The variance of a variance follows from the kurtosis of what it is of."""
    totals = products(LSAT, GPA)
    left_out = np.arctanh([correlation(totals.sum(axis=0) - row) for row in totals])
    kurtosis, n = stats.kurtosis(left_out.ravel(), fisher=False), len(totals)
    expected = np.floor(2 / ((kurtosis - (n - 3) / (n - 1)) / n))
    assert expected < n - 1
    assert jackknife_t(totals, correlation).df[0] == expected
    grid = np.linspace(-1, 1, 30)
    even = products(grid, grid + 0.3 * np.where(np.arange(30) % 2, 1, -1))
    assert jackknife_t(even, correlation).df[0] > 25


def test_the_value_itself_is_never_outside():
    """Of two units the correction for bias moves the centre by the mean of both changes."""
    fisher = np.array([True])
    without = np.array([[0.99], [0.985]])
    found = interval_of_left_out(np.array([0.2]), without, fisher=fisher, confidence=0.95)
    assert found.low[0] < np.tanh(found.centre[0]) < found.high[0] == 0.2


def test_documents_are_left_out_whole():
    rng = np.random.default_rng(1)
    document = np.repeat(np.arange(8), 5)
    x = rng.normal(size=40) + rng.normal(size=8)[document]
    found = jackknife_t(with_ones(x), mean, scale="identity", clusters=document, words="documents")
    sums = np.column_stack([np.bincount(document, x), np.bincount(document)])
    assert np.allclose(found.low, jackknife_t(sums, mean, scale="identity").low)
    assert found.units == 8
    assert "8 documents" in found.method


def test_one_long_document_is_worth_few_equal_ones():
    sizes, rng = np.array([100, *[5] * 24]), np.random.default_rng(1)
    document = np.repeat(np.arange(25), sizes)
    held = []
    for _ in range(400):
        x = rng.normal(size=len(document)) + rng.normal(size=25)[document]
        found = jackknife_t(with_ones(x), mean, scale="identity", clusters=document)
        held.append(found.low[0] <= 0 <= found.high[0])
    assert found.df[0] == pytest.approx(220**2 / (100**2 + 24 * 5**2) - 1)
    # t with 24 degrees of freedom holds in 89 %
    assert np.mean(held) > 0.94


def test_copies_are_units_of_their_own():
    rows, copies = with_ones(np.array([0.0, 1, 3])), np.array([40, 30, 20])
    found = jackknife_t(rows, mean, scale="identity", copies=copies)
    beside = jackknife_t(np.repeat(rows, copies, axis=0), mean, scale="identity")
    assert found.units == beside.units == 90
    assert np.allclose([found.low, found.high], [beside.low, beside.high])


def test_many_units_are_left_out_in_groups():
    x = np.random.default_rng(3).normal(10, 2, size=20 * MOST_UNITS + 7)
    found = jackknife_t(with_ones(x), mean, scale="identity")
    assert np.isclose(found.standard_error[0], x.std(ddof=1) / np.sqrt(len(x)), rtol=0.1)
    assert found.df == MOST_UNITS - 1
    assert "20,007 units in 1,000 random groups" in found.method
    sizes = np.bincount(random_groups(len(x)))
    assert len(sizes) == MOST_UNITS
    assert np.ptp(sizes) <= 1


def test_units_without_a_part_do_not_count():
    """Two of five units have no case of the second share: it is as if they were not there."""
    hits = np.array([[3.0, 1], [2, 2], [4, 0], [1, 0], [5, 0]])
    cases = np.array([[5.0, 3], [5, 2], [5, 4], [5, 0], [5, 0]])

    def shares(totals):
        return totals[:, :2] / totals[:, 2:]

    found = jackknife_t(np.hstack([hits, cases]), shares, scale="identity", contributing=[5, 3])
    alone = jackknife_t(np.column_stack([hits[:3, 1], cases[:3, 1]]), mean, scale="identity")
    assert np.isclose(found.low[1], alone.low[0])
    assert np.isclose(found.centre[1], alone.centre[0])
    assert found.df.tolist() == [4, 2]


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1.0, 1, 1, 1], [1.0, 2, 3, 4], UNDEFINED),
        ([1.0, 1, 1, 2], [1.0, 2, 3, 4], RESTS_ON_ONE),
        ([1.0, 2, 3, 4], [1.0, 2, 3, 4], UNVARIED),
        ([1.0], [1.0], UNDEFINED),
    ],
)
def test_says_why_there_is_no_interval(x, y, reason):
    found = jackknife_t(products(np.array(x), np.array(y)), correlation)
    assert np.isnan(found.low[0])
    assert np.isnan(found.high[0])
    assert np.isnan(found.p_value[0])
    assert found.reasons == (reason,)


def test_a_single_unit_says_nothing():
    found = jackknife_t(with_ones(np.array([3.0])), mean, scale="identity")
    assert found.value == 3.0
    assert found.reasons == (SINGLE,)


def test_a_value_of_1_without_a_unit_has_no_place_on_fishers_scale():
    """Without the last point r is 1: computed as it is, and cut off at 1."""
    x, y = np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 2, 3, 4, 4.5])
    found = jackknife_t(products(x, y), correlation)
    plain = jackknife_t(products(x, y), correlation, scale="identity")
    assert np.isclose(found.low[0], plain.low[0])
    assert found.high[0] == 1.0 < plain.high[0]


def test_refuses_what_it_cannot_use():
    rows = with_ones(MAIZE)
    with pytest.raises(InputError, match="confidence"):
        jackknife_t(rows, mean, confidence=1.0)
    with pytest.raises(InputError, match="scale"):
        jackknife_t(rows, mean, scale=["fisher", "fisher"])


def fleiss(totals):
    shares = totals[:, 2:] / totals[:, 2:].sum(axis=1, keepdims=True)
    expected = (shares**2).sum(axis=1)
    return (totals[:, 1] / totals[:, 0] - expected) / (1 - expected)


def rated(rng, items, judges, kappa, points):
    """Answers with a given kappa: each is the item's own with √kappa, else any."""
    own = rng.integers(points, size=(items, 1))
    kept = rng.random((items, judges)) < np.sqrt(kappa)
    answers = np.where(kept, own, rng.integers(points, size=(items, judges)))
    counts = (answers[:, :, None] == np.arange(points)).sum(axis=1)
    equal = (counts * (counts - 1)).sum(axis=1) / (judges * (judges - 1))
    return np.column_stack([np.ones(items), equal, counts])


@pytest.mark.parametrize(("items", "judges"), [(20, 4), (50, 3)])
def test_covers_fleiss_kappa_of_few_items(items, judges):
    """Percentiles of a bootstrap cover it in 87 % with 20 items and 4 judges."""
    rng = np.random.default_rng(5)
    found = [jackknife_t(rated(rng, items, judges, 0.4, 4), fleiss) for _ in range(600)]
    covered = np.mean([one.low[0] <= 0.4 <= one.high[0] for one in found])
    assert 0.93 <= covered <= 0.975
