"""Approximate randomisation beside sign flips, scipy and closed forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jurat.errors import InputError
from jurat.resampling import permute_pairs, permute_signs
from tests.resampling.classics import MAIZE

RNG = np.random.default_rng(1)


def total(totals):
    return totals[:, 0]


def ratio(totals):
    return totals[:, 0] / totals[:, 1]


def test_a_sum_is_tested_as_by_sign_flips():
    samples = RNG.normal(size=(300, 4, 1))
    ours = permute_pairs(samples, total, seed=3)
    for a in range(4):
        for b in range(4):
            if a != b:
                flipped = permute_signs(samples[:, a] - samples[:, b], seed=3)
                assert ours.hits[a, b] == flipped.hits
                assert ours.p_value[a, b] == flipped.p_value
    assert np.isnan(np.diag(ours.p_value)).all()
    assert ours.method == (
        "two-sided approximate randomisation, 10000 random swaps of 300 clusters"
    )


def test_darwins_maize():
    """Fisher 1935: 1,726 of all 32,768 patterns are as far apart, on either side."""
    pairs = np.stack([np.array(MAIZE), np.zeros(len(MAIZE))], axis=1)[..., None]
    found = permute_pairs(pairs, total, permutations=2**15, seed=1)
    assert found.hits[0, 1] == 1726
    assert found.p_value[1, 0] == 1726 / 2**15
    assert "exact, all 32768 swaps" in found.method


def test_a_ratio_of_sums_is_scipys():
    pairs = RNG.integers(1, 9, size=(9, 2, 2)).astype(float)

    def score(which):
        chosen = pairs[np.arange(9), which]
        return chosen[..., 0].sum(-1) / chosen[..., 1].sum(-1)

    theirs = stats.permutation_test(
        (np.zeros(9, dtype=int), np.ones(9, dtype=int)),
        lambda x, y, axis: np.abs(
            score(np.moveaxis(x, axis, -1)) - score(np.moveaxis(y, axis, -1))
        ),
        permutation_type="samples",
        alternative="greater",
        n_resamples=np.inf,
    )
    ours = permute_pairs(pairs, ratio, seed=1)
    assert ours.permutations == 2**9
    assert ours.p_value[0, 1] == pytest.approx(theirs.pvalue)


def test_random_swaps_come_near_all_swaps():
    pairs = RNG.integers(1, 9, size=(14, 3, 2)).astype(float)
    exact = permute_pairs(pairs, ratio, permutations=2**14, seed=1).p_value
    sampled = permute_pairs(pairs, ratio, permutations=2**14 - 1, seed=1).p_value
    upper = np.triu_indices(3, 1)
    error = np.sqrt(exact * (1 - exact) / 2**14)[upper]
    assert (np.abs(exact - sampled)[upper] < 4 * error).all()
    assert (exact != sampled)[upper].any()


def test_clusters_are_swapped_whole():
    units = RNG.normal(size=(60, 2, 1))
    documents = np.repeat(np.arange(12), 5)
    found = permute_pairs(units, total, clusters=documents, seed=1)
    summed = units.reshape(12, 5, 2, 1).sum(axis=1)
    assert found.hits.tolist() == permute_pairs(summed, total, seed=1).hits.tolist()
    assert found.n_clusters == 12


def test_the_same_samples_are_never_told_apart():
    one = RNG.integers(0, 9, size=(50, 1, 2)) + 1.0
    found = permute_pairs(np.repeat(one, 2, axis=1), ratio, seed=1)
    assert found.p_value[0, 1] == 1


def test_a_score_that_is_undefined_has_no_p():
    pairs = RNG.integers(1, 9, size=(20, 3, 2)).astype(float)
    pairs[:, 2, 1] = 0
    found = permute_pairs(pairs, ratio, seed=1)
    assert np.isnan(found.p_value[2, :2]).all()
    assert found.p_value[0, 1] > 0


def test_jobs_change_nothing():
    pairs = RNG.normal(size=(3000, 3, 2)) + 5
    alone = permute_pairs(pairs, ratio, seed=7, permutations=2000)
    both = permute_pairs(pairs, ratio, seed=7, permutations=2000, jobs=2)
    assert both.hits.tolist() == alone.hits.tolist()


@given(st.integers(2, 5), st.integers(0, 2**32))
def test_order_of_samples_changes_nothing(samples, seed):
    units = np.random.default_rng(seed).integers(1, 5, size=(15, samples, 2)).astype(float)
    there = permute_pairs(units, ratio, seed=1, permutations=200)
    back = permute_pairs(units[:, ::-1], ratio, seed=1, permutations=200)
    assert there.hits.tolist() == back.hits[::-1, ::-1].tolist()


@pytest.mark.parametrize("shape", [(5, 2), (5, 1, 2), (5,)])
def test_shapes_that_make_no_pairs_are_refused(shape):
    with pytest.raises(InputError, match="units × samples × columns"):
        permute_pairs(np.ones(shape), ratio, seed=1)
