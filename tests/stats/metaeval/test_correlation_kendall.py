"""Kendall's τ in all its variants, beside scipy and the numbers of mt-metrics-eval's own tests."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jurat.stats.correlation import kendall_counts
from jurat.stats.metaeval.correlation import average, kendall_variant
from jurat.stats.metaeval.matched_scores import ScoreGroups, score_groups
from tests.stats.metaeval import loops
from tests.stats.metaeval.test_correlation_coefficients import HUMAN, METRIC

GOLD, SCORES = [1.0, 2, 2, 3, 4], [2.0, 1, 1.5, 5, 3]


def one(gold, metric) -> ScoreGroups:
    return ScoreGroups(np.array([gold], dtype=float), np.array([metric], dtype=float))


@pytest.mark.parametrize(("variant", "tau"), [("b", 0.316227766), ("c", 0.32), ("23", 0.2)])
def test_variants_are_mt_metrics_evals(variant, tau):
    groups = one(GOLD, SCORES)
    assert kendall_variant(variant, kendall_counts(*groups), groups)[0] == pytest.approx(
        tau, abs=1e-9
    )


@pytest.mark.parametrize(
    ("grouping", "b", "c"), [("none", 0.552, 0.556), ("system", 0.575, 0.611), ("item", 1.0, 1.0)]
)
def test_averages_are_mt_metrics_evals(grouping, b, c):
    groups = score_groups(HUMAN, METRIC, grouping)
    for variant, tau in (("b", b), ("c", c)):
        found = kendall_variant(variant, kendall_counts(*groups), groups)
        assert average(found) == pytest.approx(tau, abs=5e-4)


@pytest.mark.parametrize(("gap", "tau"), [(25, 3 / 5), (1, 2 / 6)])
def test_wmts_relative_ranking(gap, tau):
    """KendallLike of mt-metrics-eval's tests."""
    sums = kendall_counts(*one([10, 11, 100, 150], [2, 1, 4, 3]), gap=gap).sum(axis=0)
    assert kendall_variant("wmt20", sums[None])[0] == pytest.approx(tau)


def test_wmts_relative_ranking_over_segments():
    gold, metric = loops.made_up(6, 20, digits=1, missing=0.1)
    human = np.array([[np.nan if g is None else g for g in row] for row in gold]).T
    groups = score_groups(human, np.round(np.array(metric).T), "item")
    rounded = [[round(m) for m in row] for row in metric]
    wanted = loops.kendall_like(gold, rounded, gap=1.0)
    sums = kendall_counts(*groups, gap=1.0).sum(axis=0)
    assert kendall_variant("wmt20", sums[None])[0] == pytest.approx(wanted)


def test_ties_of_the_metric_in_wmts_years():
    """Three pairs that people order: one alike, one otherwise, one that the metric ties."""
    sums = np.array([[1.0, 1.0, 5.0, 1.0, 2.0]])
    assert kendall_variant("wmt12", sums)[0] == pytest.approx(-1 / 3)
    assert kendall_variant("wmt13", sums)[0] == 0
    assert kendall_variant("wmt14", np.array([[2.0, 1.0, 5.0, 1.0, 2.0]]))[0] == pytest.approx(
        1 / 4
    )


SMALL = st.integers(0, 4).map(float)


@given(st.lists(st.tuples(SMALL, SMALL), min_size=2, max_size=30))
def test_counts_are_those_of_the_loops(pairs):
    gold, metric = ([float(x) for x in side] for side in zip(*pairs, strict=True))
    number = loops.counted(gold, metric)
    wanted = [number.con, number.dis, number.human, number.metric, number.both]
    assert kendall_counts(*one(gold, metric))[0].tolist() == wanted
    # a long group is sorted instead: places without a score are in no pair
    missing = [np.nan] * 64
    assert kendall_counts(*one([*gold, *missing], [*metric, *missing]))[0].tolist() == wanted


@pytest.mark.parametrize("variant", ["b", "c"])
def test_a_long_group_is_scipys(variant):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 30, 500).astype(float)
    y = np.round(x + rng.normal(0, 8, 500))
    groups = one(np.append(x, np.nan), np.append(y, np.nan))
    found = kendall_variant(variant, kendall_counts(*groups), groups)[0]
    assert found == pytest.approx(stats.kendalltau(x, y, variant=variant)[0])


def test_what_is_all_tied_has_no_tau():
    groups = one([1, 1, 1], [1, 2, 3])
    assert np.isnan(kendall_variant("b", kendall_counts(*groups), groups)[0])
    assert np.isnan(kendall_variant("c", kendall_counts(*groups), groups)[0])
