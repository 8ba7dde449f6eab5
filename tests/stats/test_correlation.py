"""Correlations against scipy, against exact arithmetic, and where they are undefined."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from jurat.stats.correlation import (
    atanh_interval,
    bonett_wright_interval,
    fieller_interval,
    fisher_interval,
    inversions,
    kendall,
    kendall_counts,
    kendall_counts_by_group,
    kendall_counts_of_tables,
    mid_ranks,
    mid_ranks_by_group,
    mid_ranks_from_counts,
    moments,
    pearson,
    pearson_by_group,
    pearson_from_sums,
    pearson_p,
    spearman,
    tau_b,
    tau_c,
)
from jurat.stats.ratings import Array

# The first value is the next larger number after 0.3, not 0.3.
NEARLY_EQUAL = np.array([0.1 + 0.2, 0.3, 0.3, 0.3])
RISING = np.array([1.0, 2.0, 3.0, 4.0])
EXACT = -0.7745966692414834


def exact_pearson(x: Array, y: Array) -> float:
    """Pearson's r in fractions, rounded at the end only."""
    xs, ys = ([Fraction(float(value)) for value in side] for side in (x, y))
    dx, dy = ([value - sum(side) / len(side) for value in side] for side in (xs, ys))
    products = sum(a * b for a, b in zip(dx, dy, strict=True))
    squares = sum(a * a for a in dx) * sum(b * b for b in dy)
    # a square of fractions, brought to a size that a float can take the root of
    return float(np.sign(float(products))) * float(np.sqrt(float(products**2 / squares)))


def test_values_are_taken_exactly_as_given_in_every_shape() -> None:
    assert exact_pearson(NEARLY_EQUAL, RISING) == pytest.approx(EXACT, rel=1e-15)
    assert pearson(NEARLY_EQUAL, RISING) == pytest.approx(EXACT, rel=1e-15)
    assert pearson(np.tile(NEARLY_EQUAL, (3, 1)), np.tile(RISING, (3, 1))) == pytest.approx(EXACT)
    groups = np.repeat([0, 1], 4)
    r, influences = pearson_by_group(
        np.tile(NEARLY_EQUAL, 2), np.tile(RISING, 2), groups, np.array([4, 4])
    )
    assert r == pytest.approx(EXACT, rel=1e-15)
    assert np.bincount(groups, weights=influences) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1.0, 1e6, 1e12])
@pytest.mark.parametrize("scale", [1e-150, 1e-3, 1.0, 1e100])
def test_pearson_is_exact_far_from_zero_and_at_any_size(offset: float, scale: float) -> None:
    rng = np.random.default_rng(3)
    x = (rng.normal(size=50) + offset) * scale
    y = rng.normal(size=50) + x / scale
    assert pearson(x, y) == pytest.approx(exact_pearson(x, y), rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_all_agree_with_scipy_with_and_without_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 200))
    x = rng.integers(0, 6, n).astype(float) if seed % 2 else rng.normal(size=n)
    y = np.round(x + rng.normal(size=n), 0 if seed % 3 else 12)
    x[0], y[0] = -9, -8  # neither is constant
    assert pearson(x, y) == pytest.approx(scipy.stats.pearsonr(x, y).statistic)
    assert spearman(x, y) == pytest.approx(scipy.stats.spearmanr(x, y).statistic)
    assert kendall(x, y) == pytest.approx(scipy.stats.kendalltau(x, y).statistic)
    assert pearson_from_sums(moments(x, y).sum(axis=0)) == pytest.approx(pearson(x, y))
    stuart = scipy.stats.kendalltau(x, y, variant="c").statistic
    fewer = np.array(min(len(np.unique(x)), len(np.unique(y))))
    assert tau_c(kendall_counts(x, y), np.array(n), fewer) == pytest.approx(stuart)
    assert (mid_ranks(x) == scipy.stats.rankdata(x)).all()


def test_rows_are_correlated_each_for_itself() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, 4, (2, 3, 5, 9)).astype(float)
    for mine, theirs in (
        (pearson, scipy.stats.pearsonr),
        (spearman, scipy.stats.spearmanr),
        (kendall, scipy.stats.kendalltau),
    ):
        found = mine(x, y)
        assert found.shape == (3, 5)
        for at in np.ndindex(3, 5):
            assert found[at] == pytest.approx(theirs(x[at], y[at]).statistic)


def test_pairs_with_a_missing_value_do_not_count() -> None:
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=(2, 90))
    x[::7], y[::5] = np.nan, np.nan
    there = ~np.isnan(x) & ~np.isnan(y)
    for of in (pearson, spearman, kendall):
        assert of(x, y) == pytest.approx(float(of(x[there], y[there])))
        short, other = x[:20], y[:20]
        kept = there[:20]
        assert of(short, other) == pytest.approx(float(of(short[kept], other[kept])))


@pytest.mark.parametrize("constant", [np.full(7, 0.1), np.full(7, 1e100), np.zeros(7)])
def test_constants_have_no_correlation(constant: Array) -> None:
    rising = np.arange(7.0)
    for of in (pearson, spearman, kendall):
        assert np.isnan(of(constant, rising))
        assert np.isnan(of(rising, constant))
    r, influences = pearson_by_group(constant, rising, np.zeros(7, np.int64), np.array([7]))
    assert np.isnan(r).all()
    assert np.isnan(influences).all()


def test_too_few_values_have_no_correlation() -> None:
    for n in (0, 1):
        assert np.isnan(pearson(np.arange(float(n)), np.arange(float(n))))
    assert np.isnan(pearson(np.full(4, np.nan), RISING))


def test_a_line_has_exactly_one() -> None:
    x = np.random.default_rng(1).normal(size=(1000, 5))
    assert np.abs(pearson(x, 3 * x - 1)).max() <= 1


def test_groups_are_correlated_as_if_each_were_alone() -> None:
    rng = np.random.default_rng(8)
    group = np.sort(rng.integers(0, 6, 200))
    x, y = rng.integers(0, 5, (2, 200)).astype(float)
    r, _ = pearson_by_group(x, y, group, np.bincount(group))
    ranks = mid_ranks_by_group(x, group)
    for at in range(6):
        assert r[at] == pytest.approx(float(pearson(x[group == at], y[group == at])))
        assert (ranks[group == at] == mid_ranks(x[group == at])).all()


def test_influences_are_the_change_of_r_by_leaving_out() -> None:
    rng = np.random.default_rng(9)
    x, y = rng.normal(size=(2, 4000))
    r, influences = pearson_by_group(x, y, np.zeros(4000, np.int64), np.array([4000]))
    without = pearson(x[1:], y[1:])
    assert r[0] - float(without) == pytest.approx(influences[0] / 4000, rel=0.01)


def test_mid_ranks_from_counts_and_with_nan() -> None:
    assert mid_ranks_from_counts(np.array([2, 0, 1])).tolist() == [1.5, 2.5, 3.0]
    ranks = mid_ranks(np.array([[3.0, np.nan, 3.0, 1.0]]))
    assert ranks[0, [0, 2, 3]].tolist() == [2.5, 2.5, 1.0]
    assert np.isnan(ranks[0, 1])


def test_sorted_and_compared_counts_are_the_same() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 9, (2, 150)).astype(float)
    x[:3] = np.nan
    table = np.zeros((1, 9, 9))
    there = ~np.isnan(x)
    np.add.at(table[0], (x[there].astype(int), y[there].astype(int)), 1)
    by_sorting = kendall_counts(x, y)
    by_pairs = kendall_counts(x, y, gap=1e-9)
    # a gap leaves out the pairs that are tied in x
    assert by_sorting[[0, 1, 3]].tolist() == by_pairs[[0, 1, 3]].tolist()
    assert kendall_counts_of_tables(table)[0].tolist() == by_sorting.tolist()
    one, other = np.triu_indices(there.sum(), 1)
    dx, dy = (side[there][one] - side[there][other] for side in (x, y))
    by_group = kendall_counts_by_group(dx, dy, np.ones(len(one), dtype=np.int64))
    assert by_group.tolist() == [[0.0] * 5, by_sorting.tolist()]
    assert tau_b(by_sorting) == pytest.approx(
        scipy.stats.kendalltau(x[there], y[there]).statistic, rel=1e-12
    )


@given(st.lists(st.integers(0, 9), max_size=40))
def test_inversions(values: list[int]) -> None:
    wanted = sum(a > b for i, a in enumerate(values) for b in values[i + 1 :])
    assert inversions(np.array(values, dtype=np.int64)) == wanted


def test_intervals() -> None:
    low, high = fisher_interval(0.5, 28, 0.95)
    theirs = scipy.stats.pearsonr(*_with_r(0.5, 28)).confidence_interval(0.95)
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
    wide = bonett_wright_interval(0.5, 28, 0.95)
    assert wide[0] < low < high < wide[1]
    assert fieller_interval(0.5, 28, 0.95)[0] == pytest.approx(
        np.tanh(np.arctanh(0.5) - 1.959963985 * np.sqrt(0.437 / 24))
    )
    for undefined in (
        fisher_interval(0.5, 3, 0.95),
        fisher_interval(1.0, 30, 0.95),
        fieller_interval(0.5, 4, 0.95),
        atanh_interval(float("nan"), 1.0, 0.95),
    ):
        assert np.isnan(undefined).all()


def test_p_of_a_correlation_is_that_of_scipy() -> None:
    x, y = _with_r(0.3, 40)
    assert pearson_p(0.3, 40) == pytest.approx(scipy.stats.pearsonr(x, y).pvalue)
    assert pearson_p(float("nan"), 40) is None
    assert pearson_p(0.5, 2) is None
    assert pearson_p(1.0, 10) == 0


def _with_r(r: float, n: int) -> tuple[Array, Array]:
    """Two lists whose correlation is r."""
    rng = np.random.default_rng(4)
    x, other = rng.normal(size=(2, n))
    x -= x.mean()
    other -= other.mean()
    other -= x * (x @ other) / (x @ x)
    x, other = x / np.linalg.norm(x), other / np.linalg.norm(other)
    return x, r * x + np.sqrt(1 - r * r) * other


def test_lists_without_places_have_no_pairs() -> None:
    assert kendall_counts(np.zeros((2, 0)), np.zeros((2, 0))).tolist() == [[0.0] * 5] * 2
