import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from jurat.errors import InputError
from jurat.stats import kappa
from jurat.stats.answer_distances import WEIGHTS
from jurat.stats.judge_pairs import JudgePairs, pair_errors
from jurat.stats.kappa import kappas_and_influences, pair_kappas, sampled_mean, table_kappa
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import matrix

ANSWERS = table(4, judges=4, items=50)
PAIRS = JudgePairs.of(matrix(rows(ANSWERS)))


@pytest.mark.parametrize("weights", WEIGHTS)
def test_sorting_comes_to_the_same_as_counting(monkeypatch, weights):
    counted = pair_kappas(PAIRS, weights), kappas_and_influences(PAIRS, weights)[1]
    monkeypatch.setattr(kappa, "CELLS", 0)
    np.testing.assert_allclose(pair_kappas(PAIRS, weights), counted[0], atol=1e-12)
    np.testing.assert_allclose(kappas_and_influences(PAIRS, weights)[1], counted[1], atol=1e-11)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_standard_errors_as_statsmodels(weights):
    kappas, errors = (
        pair_kappas(PAIRS, weights),
        pair_errors(PAIRS, kappas_and_influences(PAIRS, weights)[1]),
    )
    for at in range(len(PAIRS)):
        own = PAIRS.pair == at
        counts = np.zeros((5, 5))
        np.add.at(counts, (PAIRS.first[own], PAIRS.second[own]), 1)
        apart = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
        kind = {"none": None, "linear": apart, "quadratic": apart**2}[weights]
        found = cohens_kappa(counts, weights=kind)
        assert kappas[at] == pytest.approx(found.kappa, abs=1e-12)
        assert errors[at] == pytest.approx(found.std_kappa, abs=1e-12)


def test_one_off_by_the_definition():
    a, b = [1, 2, 5, 4, 1], [2, 4, 1, 4, 3]
    found = pair_kappas(JudgePairs.of(matrix([a, b])), "one-off")
    observed = np.mean([max(abs(x - y) - 1, 0) for x, y in zip(a, b, strict=True)])
    expected = np.mean([max(abs(x - y) - 1, 0) for x in a for y in b])
    assert found == pytest.approx([1 - observed / expected])


@settings(max_examples=12)
@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=12))
def test_kappa_is_at_most_one_and_does_not_care_who_is_first(answers):
    a, b = zip(*answers, strict=True)
    for weights in WEIGHTS:
        there = pair_kappas(JudgePairs.of(matrix([a, b])), weights)
        back = pair_kappas(JudgePairs.of(matrix([b, a])), weights)
        np.testing.assert_allclose(there, back, atol=1e-12)
        assert np.isnan(there) or there <= 1 + 1e-12


def test_values_may_be_huge_or_far_from_zero():
    small = pair_kappas(JudgePairs.of(matrix([[1, 2, 3], [1, 3, 3]])), "quadratic")
    huge = pair_kappas(JudgePairs.of(matrix([[1e90, 2e90, 3e90], [1e90, 3e90, 3e90]])), "quadratic")
    assert huge == pytest.approx(small)


def test_undefined_and_unknown():
    same = JudgePairs.of(matrix([[3, 3], [3, 3]]))
    assert np.isnan(pair_kappas(same, "none")).all()
    near = JudgePairs.of(matrix([[1, 2], [2, 1]]))
    assert np.isnan(pair_kappas(near, "one-off")).all()
    with pytest.raises(InputError, match="quadratic"):
        pair_kappas(PAIRS, "quadratc")
    words = JudgePairs.of(matrix([["A", "B"], ["A", "A"]]))
    with pytest.raises(InputError):
        pair_kappas(words, "linear")
    nobody = JudgePairs.of(matrix([[1]]))
    assert pair_kappas(nobody, "linear").size == 0


def test_sampled_pairs():
    few = sampled_mean(np.array([0.1, 0.3, np.nan]), seed=1)
    assert few.low < 0.2 < few.high
    assert few == sampled_mean(np.array([0.1, 0.3, np.nan]), seed=1)
    many = sampled_mean(np.linspace(0, 1, 20), seed=1)
    # All twenty of twenty, without replacement, are always the same.
    assert many == pytest.approx((0.5, 0.5, 0.5))
    assert np.isnan(sampled_mean(np.array([np.nan]), seed=1).value)


def test_a_table_without_disagreement_to_expect():
    assert np.isnan(table_kappa([[5, 0], [0, 0]], [[0, 1], [1, 0]]))
