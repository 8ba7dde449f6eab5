"""Kappas and correlations of pairs without each unit, beside computing them anew."""

import numpy as np
import pytest

from jurat.stats import Settings
from jurat.stats.agreement.cohen_kappa import _PairKappas
from jurat.stats.agreement.judge_correlation import pearson, pearson_without
from jurat.stats.agreement.pair_intervals import judge_pairs, pair_units
from jurat.stats.judge_pairs import PairUnits
from jurat.stats.kappa import kappas_without, pair_kappas
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import matrix

RATINGS = matrix(rows(table(4, judges=3, items=40))).firsts
PAIRS = judge_pairs(RATINGS)
DOCUMENT = np.arange(40) // 4


def anew(of, units, unit_of_item):
    """The value of each pair without each unit: slow, and beyond doubt."""
    cells = list(zip(units.pair.tolist(), units.unit.tolist(), strict=True))
    found: dict[tuple[int, int], float] = {}
    for unit in set(units.unit.tolist()):
        left = PAIRS.where(unit_of_item[PAIRS.item] != unit)
        assert len(left) == len(PAIRS)
        found |= {(pair, unit): value for pair, value in enumerate(of(left))}
    return np.array([found[cell] for cell in cells])


@pytest.mark.parametrize("documents", [False, True])
@pytest.mark.parametrize("weights", ["none", "linear", "quadratic", "one-off"])
def test_kappas_without_each_unit(weights, documents):
    unit = DOCUMENT if documents else np.arange(40)
    units = PairUnits.of(PAIRS, unit, int(unit.max()) + 1)
    kappas, without = kappas_without(PAIRS, weights, units)
    np.testing.assert_allclose(kappas, pair_kappas(PAIRS, weights))
    expected = anew(lambda pairs: pair_kappas(pairs, weights), units, unit)
    np.testing.assert_allclose(without, expected, atol=1e-12)


@pytest.mark.parametrize("documents", [False, True])
def test_correlations_without_each_unit(documents):
    unit = DOCUMENT if documents else np.arange(40)
    units = PairUnits.of(PAIRS, unit, int(unit.max()) + 1)
    expected = anew(pearson, units, unit)
    np.testing.assert_allclose(pearson_without(PAIRS, units), expected, atol=1e-12)


def test_a_mean_without_a_unit_leaves_it_out_of_all_pairs():
    units = pair_units(RATINGS, Settings())
    kappas, without = kappas_without(PAIRS, "none", units)
    means = units.means_without(kappas, without)
    left = pair_kappas(PAIRS.where(PAIRS.item != 7), "none")
    assert means[7] == pytest.approx(left.mean())


def test_a_long_scale_is_taken_as_linear(monkeypatch):
    units = PairUnits.of(PAIRS, DOCUMENT, 10)
    exact = kappas_without(PAIRS, "quadratic", units)[1]
    monkeypatch.setattr("jurat.stats.kappa.MOST_EXACT", 0)
    near = kappas_without(PAIRS, "quadratic", units)[1]
    assert 0 < np.abs(near - exact).max() < 0.03


def rated(rng, items, kappa, points=3):
    own = rng.integers(points, size=items)
    kept = rng.random((2, items)) < np.sqrt(kappa)
    return np.where(kept, own, rng.integers(points, size=(2, items))).tolist()


@pytest.mark.parametrize("kappa", [0.4, 0.8])
def test_cohens_kappa_of_two_judges_and_twenty_items_is_covered(kappa):
    """With kappa .8 the jackknife alone has often nothing to vary, and pseudo-items alone 89 %."""
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(150):
        ratings = matrix(rated(rng, 20, kappa)).firsts
        (mean, *_) = _PairKappas(ratings, Settings()).means("exact")
        covered += mean.low <= kappa <= mean.high
    assert covered >= 0.93 * 150


def test_one_item_left_that_both_judged_alike_has_no_kappa():
    """What is left of the expected distance is rounding: 1 − 0 / 1e-13 would be a kappa of 1."""
    ratings = matrix([[1, 3, 3, 1, 1, 2], [1, 3, 3, 3, 1, 2]]).firsts
    pairs, document = judge_pairs(ratings), np.array([0, 0, 0, 0, 0, 1])
    without = kappas_without(pairs, "none", PairUnits.of(pairs, document, 2))[1]
    assert np.isnan(without[0])
    assert without[1] == pytest.approx(8 / 13)
