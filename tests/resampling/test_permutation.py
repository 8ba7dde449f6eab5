"""Permutation tests beside published numbers, scipy and closed forms."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jurat.errors import InputError
from jurat.resampling import cluster_sums, permutation, permute_labels, permute_pairs, permute_signs
from tests.resampling.classics import MAIZE, far


def test_darwins_maize():
    """Fisher 1935: 863 of 32,768 patterns give 314 or more; p = .02634, two-sided .05267."""
    one = permute_signs(MAIZE, permutations=2**15, seed=1, alternative="greater")
    two = permute_signs(MAIZE, permutations=2**15, seed=1)
    assert one.hits == 863
    assert two.hits == 2 * 863
    assert one.p_value == 863 / 2**15
    assert two.p_value == 2 * 863 / 2**15
    assert np.isclose(one.estimate, 314 / 15)
    assert (
        one.method == "greater sign-flip test, exact, all 32768 patterns of signs over 15 clusters"
    )


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_random_patterns_come_near_all_patterns(alternative):
    exact = permute_signs(MAIZE, permutations=2**15, seed=1, alternative=alternative)
    sampled = permute_signs(MAIZE, permutations=2**15 - 1, seed=1, alternative=alternative)
    p = exact.p_value
    assert "random" in sampled.method
    assert sampled.p_value == (1 + sampled.hits) / 2**15
    assert 0 < far(sampled.p_value, p, np.sqrt(p * (1 - p) / 2**15)) < 4


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("n", [3, 12])
def test_all_patterns_are_scipys(alternative, n):
    pairs = np.random.default_rng(n).integers(1, 8, (2, n)).astype(float)
    theirs = stats.permutation_test(
        pairs,
        lambda x, y, axis: (x - y).sum(axis=axis),
        permutation_type="samples",
        alternative=alternative,
        n_resamples=np.inf,
    )
    ours = permute_signs(pairs[0] - pairs[1], seed=1, alternative=alternative)
    assert ours.p_value == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("worth", [1, 10**9], ids=["kinds", "clusters"])
def test_signs_alone_give_the_sign_test(monkeypatch, worth):
    monkeypatch.setattr(cluster_sums, "WORTH", worth)
    differences = np.repeat([1.0, -1.0], [70, 50])
    p = stats.binomtest(70, 120).pvalue
    sampled = permute_signs(differences, seed=1, permutations=40_000)
    assert far(sampled.p_value, p, np.sqrt(p * (1 - p) / 40_000)) < 4


def test_large_samples_agree_with_the_normal_distribution():
    """More clusters than fit a block; Σ±d has variance Σd²."""
    differences = np.random.default_rng(1).normal(0.01, 1, 20_001)
    z = differences.sum() / np.sqrt((differences**2).sum())
    p = stats.norm.sf(z)
    sampled = permute_signs(differences, seed=1, permutations=5000, alternative="greater")
    assert far(sampled.p_value, p, np.sqrt(p * (1 - p) / 5000)) < 4


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9))
def test_sums_equal_on_paper_count_as_equal(whole):
    """Tenths cannot be written in binary: 0.1 + 0.2 is not 0.3, but a tie must stay a tie."""
    tenths = [n / 10 for n in whole]
    for alternative in ("two-sided", "greater", "less"):
        one, other = (permute_signs(d, seed=1, alternative=alternative) for d in (whole, tenths))
        assert one.hits == other.hits
        assert 0 < other.p_value <= 1


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=15), st.integers(0, 99))
def test_less_is_greater_from_the_other_side(whole, seed):
    d = np.array(whole, dtype=float)
    assert (
        permute_signs(d, seed=seed, alternative="less", permutations=200).hits
        == permute_signs(-d, seed=seed, alternative="greater", permutations=200).hits
    )


def test_columns_are_tested_for_themselves_under_the_same_signs():
    table = np.random.default_rng(1).normal(0.1, 1, (50, 3))
    together = permute_signs(table, seed=1, permutations=2000)
    alone = [permute_signs(column, seed=1, permutations=2000).p_value for column in table.T]
    assert together.p_value.tolist() == [float(p) for p in alone]
    assert len(set(together.p_value)) == 3
    assert np.allclose(together.estimate, table.mean(axis=0))


def test_signs_are_flipped_for_whole_clusters():
    ids = np.repeat(np.arange(15), 2)
    halves = np.column_stack([MAIZE - 3, np.full(15, 3)]).ravel()
    result = permute_signs(halves, clusters=ids, permutations=2**15, seed=1, alternative="greater")
    assert result.hits == 863
    assert result.n_clusters == 15


def test_clusters_without_a_difference_do_not_stand_in_the_way_of_all_patterns():
    padded = np.concatenate([MAIZE, np.zeros(100)])
    assert permute_signs(padded, permutations=2**15, seed=1, alternative="greater").hits == 863


def test_clusters_that_differ_in_sign_alone_are_of_one_kind():
    differences = np.tile([1.0, -1.0, 0.0], 10)
    flip = patch.object(permutation, "_flip_kinds", wraps=permutation._flip_kinds)
    with flip as kinds:
        permute_signs(differences, seed=1)
    assert kinds.called


def test_no_differences_at_all():
    assert permute_signs(np.zeros(5), seed=1).p_value == 1


def difference(totals):
    return totals[:, 0, 0] / totals[:, 0, 1] - totals[:, 1, 0] / totals[:, 1, 1]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_labels_give_scipys_p_values(alternative):
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.8, 1, 7), rng.normal(0, 1, 8)
    theirs = stats.permutation_test(
        (first, second),
        lambda x, y, axis: x.mean(axis=axis) - y.mean(axis=axis),
        vectorized=True,
        n_resamples=np.inf,
        alternative=alternative,
    ).pvalue
    units = np.column_stack([np.concatenate([first, second]), np.ones(15)])
    ours = permute_labels(
        units, ["reference 1"] * 7 + ["source"] * 8, difference, permutations=20_000, seed=1
    )
    assert ours.groups == ("reference 1", "source")
    assert np.isclose(ours.estimate, first.mean() - second.mean())
    sides = 2 if alternative == "two-sided" else 1
    one_side = theirs / sides
    error = sides * np.sqrt(one_side * (1 - one_side) / 20_000)
    assert far(ours.p_value(alternative), theirs, error) < 4


def test_every_group_keeps_its_size_and_every_unit_goes_somewhere():
    rng = np.random.default_rng(1)
    units = np.column_stack([np.ones(60), rng.normal(size=60)])
    seen = []

    def score(totals):
        seen.append(totals)
        return totals.reshape(len(totals), -1)

    result = permute_labels(
        units, np.repeat([3, 1, 2], [10, 20, 30]), score, permutations=50, seed=1
    )
    assert result.groups == (1, 2, 3)
    assert result.replicates.shape == (50, 6)
    totals = seen[0]
    assert totals.shape == (50, 3, 2)
    assert (totals[:, :, 0] == [20, 30, 10]).all()
    assert np.allclose(totals[:, :, 1].sum(axis=1), units[:, 1].sum())
    assert np.std(totals[:, 0, 1]) > 0


def test_each_unit_is_as_likely_in_each_place():
    units = np.eye(6)
    result = permute_labels(
        units, [0, 0, 1, 1, 1, 1], lambda t: t[:, 0], permutations=20_000, seed=1
    )
    assert far(result.replicates.mean(axis=0), 1 / 3, np.sqrt(2 / 9 / 20_000)) < 4
    both = (result.replicates[:, :, None] * result.replicates[:, None, :]).mean(axis=0)
    p = 1 / 15
    assert far(both[~np.eye(6, dtype=bool)], p, np.sqrt(p * (1 - p) / 20_000)) < 4


def test_undefined_relabellings_are_left_out_of_the_p_value():
    def score(totals):
        return np.where(totals[:, 0, 0] == 1, np.nan, totals[:, 0, 0])

    result = permute_labels([1.0, 1, 0, 0], [0, 0, 1, 1], score, permutations=6000, seed=1)
    assert far(result.undefined / 6000, 2 / 3, np.sqrt(2 / 9 / 6000)) < 4
    defined = 6000 - int(result.undefined)
    hits = int((result.replicates == 2).sum())
    assert result.p_value() == (1 + hits) / (1 + defined)


FAULTS = {
    "alternative": lambda: permute_signs(MAIZE, seed=1, alternative="both"),
    "permutations": lambda: permute_signs(MAIZE, seed=1, permutations=0),
    "differences": lambda: permute_signs([np.inf], seed=1),
    "clusters": lambda: permute_signs(MAIZE, seed=1, clusters=[1]),
    "seed": lambda: permute_signs(MAIZE, seed=-1),
    "groups": lambda: permute_labels(MAIZE, ["a"] * 15, difference, seed=1),
    "groups ": lambda: permute_labels(MAIZE, ["a"], difference, seed=1),
}


@pytest.mark.parametrize("field", FAULTS)
def test_faults_name_the_argument(field):
    with pytest.raises(InputError) as caught:
        FAULTS[field]()
    assert caught.value.problems[0].field == field.strip()


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


def test_darwins_maize_of_permutation_pairs():
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


def relabelled(estimate: list[float], replicates: np.ndarray) -> permutation.LabelPermutation:
    return permutation.LabelPermutation(
        estimate=np.array(estimate),
        replicates=replicates,
        groups=(0, 1),
        undefined=np.isnan(replicates).sum(axis=0),
        n_units=8,
        method="",
        seed=0,
    )


def test_values_that_vary_together_need_no_adjustment():
    one = np.random.default_rng(1).normal(size=(999, 1))
    found = relabelled([1.7, 3.4], np.hstack([one, 2 * one]))
    assert found.adjusted_p_value() == pytest.approx(found.p_value())


def test_independent_values_are_adjusted_for_their_number():
    """Of four independent values the smallest p is below p with 1 − (1 − p)⁴."""
    found = relabelled([2.0, 1.0, 0.5, np.nan], np.random.default_rng(1).normal(size=(9999, 4)))
    p, adjusted = found.p_value()[:3], found.adjusted_p_value()
    assert adjusted[:3] == pytest.approx(1 - (1 - p) ** 4, abs=0.02)
    assert np.isnan(adjusted[3])
