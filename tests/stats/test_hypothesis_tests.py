import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jurat.stats import hypothesis_tests
from jurat.stats.hypothesis_tests import (
    p_values,
    rank_sum_p,
    rank_sum_test,
    signed_rank_p,
    signed_rank_test,
)
from jurat.stats.pairwise import PValues
from jurat.stats.settings import PERMUTATION, ResamplingSettings

RNG = np.random.default_rng(11)
MEANS = RNG.normal([0, 0.4, 0.5], 1, size=(40, 3))


def test_permutation_is_scipy_s():
    found = p_values(MEANS, PERMUTATION, ResamplingSettings())
    for a, b in ((0, 1), (0, 2), (1, 2)):
        theirs = stats.permutation_test(
            (MEANS[:, a] - MEANS[:, b],),
            np.mean,
            permutation_type="samples",
            n_resamples=20_000,
            rng=np.random.default_rng(1),
        )
        assert found.p[a, b] == pytest.approx(theirs.pvalue, abs=0.01)
    np.testing.assert_array_equal(found.p, found.p.T)


def test_few_sentences_are_tested_exactly():
    found = p_values(np.array([[1.0, 0], [2, 0], [3, 0]]), PERMUTATION, ResamplingSettings())
    assert found.p[0, 1] == 2 / 8  # all plus or all minus
    assert "exact, all 8 patterns" in found.method


def test_only_shared_sentences_count():
    means = np.array([[1.0, 0, np.nan], [2, 0, np.nan], [np.nan, 5, np.nan], [3, 0, np.nan]])
    found = p_values(means, PERMUTATION, ResamplingSettings())
    assert found.p[0, 1] == 2 / 8
    assert found.n[0, 1] == 3
    assert np.isnan(found.p[0, 2])


def test_many_sentences_are_tested_by_the_normal_limit(monkeypatch):
    means = RNG.normal([0, 0.05], 1, size=(3000, 2))
    drawn = p_values(means, PERMUTATION, ResamplingSettings())
    monkeypatch.setattr(hypothesis_tests, "MANY", 100)
    limit = p_values(means, PERMUTATION, ResamplingSettings())
    assert limit.p[0, 1] == pytest.approx(drawn.p[0, 1], abs=0.012)
    assert "normal limit" in limit.method


def test_pairs_in_several_batches_are_the_same(monkeypatch):
    together = p_values(MEANS[:10], PERMUTATION, ResamplingSettings())
    monkeypatch.setattr(hypothesis_tests, "AT_ONCE", 10)
    np.testing.assert_array_equal(
        p_values(MEANS[:10], PERMUTATION, ResamplingSettings()).p, together.p
    )


def test_signed_rank_of_a_textbook():
    # Hollander & Wolfe 1973, depression before and after: R's wilcox.test gives V = 40, p = 0.01953
    before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    means = np.column_stack([before, after])
    assert signed_rank_test(means, alternative="greater").p[0, 1] == pytest.approx(
        0.01953, abs=5e-6
    )
    assert signed_rank_test(means).p[0, 1] == pytest.approx(2 * 0.01953125)


def test_differences_that_only_rounding_tells_apart_tie():
    # 2/3 - 1/3, 1 - 2/3 and 1/3 - 0 differ in the last digit, and 0.1 + 0.2 - 0.3 is not 0
    thirds = np.array([[2, 1], [3, 2], [1, 0], [1, 3], [6, 2], [0, 1]]) / 3
    means = np.vstack([thirds, [[0.1 + 0.2, 0.3]]])
    whole = np.round(3 * means)
    for alternative in ("greater", "two-sided"):
        made, exact = (signed_rank_test(m, alternative=alternative).p for m in (means, whole))
        np.testing.assert_allclose(made, exact)


def test_one_sided_tests_ask_whether_the_row_is_better():
    means = np.column_stack([np.arange(20.0), np.arange(20.0) - 3 - np.arange(20) / 10])
    for made in (signed_rank_test(means, alternative="greater"), rank_sum_test(means)):
        assert made.p[0, 1] < 0.5 < made.p[1, 0]


def test_rank_sum_of_a_textbook():
    # Hollander & Wolfe 1973, permeability: R's wilcox.test(correct = TRUE, exact = FALSE) W = 35
    x = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    y = [1.15, 0.88, 0.90, 0.74, 1.21]
    means = np.full((15, 2), np.nan)
    means[:10, 0], means[10:, 1] = x, y
    # z = (35 - 25 - 0.5) / sqrt(10 * 5 * 16 / 12)
    expected = stats.norm.sf((35 - 25 - 0.5) / np.sqrt(10 * 5 * 16 / 12))
    assert rank_sum_test(means).p[0, 1] == pytest.approx(expected)
    assert rank_sum_test(means).n[0, 1] == 15


@pytest.mark.parametrize("test", [signed_rank_test, rank_sum_test])
def test_no_difference_at_all_has_no_rank_test(test):
    assert np.isnan(test(np.ones((5, 2))).p).all()


def test_two_sided_p_are_corrected_as_so_many_pairs():
    p = np.array([[np.nan, 0.01, 0.02], [0.01, np.nan, 0.04], [0.02, 0.04, np.nan]])
    made = PValues(p, np.zeros((3, 3), int), "", "").corrected("holm")
    # Holm by hand: 3 * .01, 2 * .02, 1 * .04
    np.testing.assert_allclose(made.p[np.triu_indices(3, 1)], [0.03, 0.04, 0.04])
    np.testing.assert_array_equal(made.p, made.p.T)


def test_one_sided_p_are_corrected_as_tests_of_both_sides():
    p = np.array([[np.nan, 0.01], [0.99, np.nan]])
    made = PValues(p, np.zeros((2, 2), int), "", "").corrected("holm")
    assert made.p[0, 1] == pytest.approx(0.02)


SAMPLES = st.lists(st.integers(-6, 6).map(float), min_size=2, max_size=12)


@given(st.lists(st.sampled_from([-3.0, -2, -1, 1, 2, 3, 4]), min_size=1, max_size=7))
def test_signed_rank_of_few_counts_all_patterns(apart):
    ranks = stats.rankdata(np.abs(apart))
    sums = np.array([r @ ranks for r in itertools.product((0, 1), repeat=len(apart))])
    won = ranks @ (np.array(apart) > 0)
    ours = signed_rank_p(np.array(apart))
    assert ours == pytest.approx(((sums >= won).mean(), (sums <= won).mean()))


def test_signed_rank_of_many_is_scipy_s():
    apart = np.round(RNG.normal(0.2, 1, 300), 1)
    apart = apart[apart != 0]
    for ours, side in zip(signed_rank_p(apart), ("greater", "less"), strict=True):
        theirs = stats.wilcoxon(apart, alternative=side, method="approx")
        assert ours == pytest.approx(theirs.pvalue)


@given(SAMPLES, SAMPLES)
def test_rank_sum_is_scipy_s(first, second):
    x, y = np.array(first), np.array(second)
    ours = rank_sum_p(x, y)
    if np.ptp([*first, *second]) == 0:
        assert np.isnan(ours).all()
        return
    for p, side in zip(ours, ("greater", "less"), strict=True):
        theirs = stats.mannwhitneyu(x, y, alternative=side, method="asymptotic")
        assert p == pytest.approx(theirs.pvalue)
