from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from jurat.errors import InputError
from jurat.stats import Settings
from jurat.stats.bias.groups import group_ratings
from jurat.stats.bias.pair_kappas import kappas_by_kind, kappas_of_pairs, mean_kappas
from tests.stats.tables import ratings

RNG = np.random.default_rng(3)
SCORES = RNG.integers(1, 6, (6, 40))
SAW = ["A", "A", "A", "B", "B", "source"]


@pytest.fixture(scope="module")
def groups():
    lines = [
        f"j{judge},{item},{SAW[judge]},{value}"
        for judge, row in enumerate(SCORES)
        for item, value in enumerate(row)
    ]
    return group_ratings(ratings("\n".join(["judge,item,saw,value", *lines])), "saw", "source")


@pytest.fixture(scope="module")
def found(groups):
    return kappas_by_kind(groups, kappas_of_pairs(groups.ratings))


def cell(found, weights, pairs):
    return next(c for c in found if (c.weights, c.pairs) == (weights, pairs))


def mean_kappa(pairs, weights):
    return np.mean([cohen_kappa_score(SCORES[a], SCORES[b], weights=weights) for a, b in pairs])


@pytest.mark.parametrize(("weights", "theirs"), [("none", None), ("linear", "linear")])
def test_means_over_pairs_are_scikit_learns(found, weights, theirs):
    within = [(0, 1), (0, 2), (1, 2), (3, 4)]
    across = [(a, b) for a in range(3) for b in (3, 4)]
    assert cell(found, weights, "within").mean == pytest.approx(mean_kappa(within, theirs))
    assert cell(found, weights, "across").mean == pytest.approx(mean_kappa(across, theirs))
    every = list(combinations(range(6), 2))
    assert cell(found, weights, "all").mean == pytest.approx(mean_kappa(every, theirs))


def test_a_kind_without_pairs_says_so(found):
    alone = cell(found, "linear", "source")
    assert np.isnan(alone.mean)
    assert alone.reason == "no two judges who saw the source share an item"


def test_pseudo_values_are_those_of_the_jackknife(found, groups):
    across = cell(found, "linear", "across")
    pseudo = across.pseudo_values(groups.person)
    assert np.isnan(pseudo[5])
    assert pseudo[:5].mean() == pytest.approx(across.mean)
    without = [
        mean_kappa([(a, b) for a in range(3) for b in (3, 4) if out not in (a, b)], "linear")
        for out in range(5)
    ]
    # they differ from one another as the values without each judge do, five less one times
    expected = -4 * (np.array(without) - np.mean(without))
    np.testing.assert_allclose(pseudo[:5] - pseudo[:5].mean(), expected, atol=1e-12)


def test_intervals_over_judges_hold_the_mean(found, groups):
    drawn = mean_kappas(found, groups.person, Settings(bootstrap=500))
    at = found.index(cell(found, "linear", "across"))
    assert drawn.low[at] < drawn.values[at] < drawn.high[at]
    assert "t interval over judges" in drawn.method
    none = mean_kappas(found, groups.person, Settings(bootstrap=0))
    assert np.isnan(none.low).all()
    assert none.values[at] == drawn.values[at]


def test_two_judges_alone_have_no_interval():
    two = group_ratings(ratings("judge,item,saw,value\na,1,A,1\nb,1,A,2\na,2,A,3\nb,2,A,3"), "saw")
    found = kappas_by_kind(two, kappas_of_pairs(two.ratings))
    drawn = mean_kappas(found, two.person, Settings())
    assert np.isnan(drawn.low).all()
    assert not np.isnan(drawn.values).all()


def test_the_papers_way_draws_twenty_pairs_a_hundred_times(found, groups):
    drawn = mean_kappas(found, groups.person, Settings(method="sampled"))
    at = found.index(cell(found, "linear", "within"))
    # of four pairs twenty are drawn with replacement: the deviation of a mean of twenty
    error = found[at].kappas.std() / np.sqrt(20)
    assert drawn.values[at] == pytest.approx(found[at].mean, abs=error)
    assert drawn.high[at] - drawn.low[at] == pytest.approx(2 * 1.96 * error, rel=0.3)
    assert np.isnan(drawn.values[found.index(cell(found, "linear", "source"))])
    again = mean_kappas(found, groups.person, Settings(method="sampled", bootstrap=0))
    assert again.values[at] == drawn.values[at]
    assert np.isnan(again.low).all()
    other = mean_kappas(found, groups.person, Settings(method="sampled", seed=2))
    assert other.values[at] != drawn.values[at]


def test_another_method_is_refused(found, groups):
    with pytest.raises(InputError, match="allowed: exact, sampled"):
        mean_kappas(found, groups.person, Settings(method="guess"))
