"""Kendall's τ in all its variants, beside scipy and the numbers of mt-metrics-eval's own tests."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jurat.stats.metaeval.grouping import Grouped, average, grouped
from jurat.stats.metaeval.kendall import _by_pairs, _by_sorting, counts, inversions, variant_of
from tests.stats.metaeval import loops
from tests.stats.metaeval.test_grouping import HUMAN, METRIC

GOLD, SCORES = [1.0, 2, 2, 3, 4], [2.0, 1, 1.5, 5, 3]


def one(gold, metric) -> Grouped:
    return Grouped(np.array([gold], dtype=float), np.array([metric], dtype=float))


@pytest.mark.parametrize(("variant", "tau"), [("b", 0.316227766), ("c", 0.32), ("23", 0.2)])
def test_variants_are_mt_metrics_evals(variant, tau):
    groups = one(GOLD, SCORES)
    assert variant_of(variant, counts(groups), groups)[0] == pytest.approx(tau, abs=1e-9)


@pytest.mark.parametrize(
    ("grouping", "b", "c"), [("none", 0.552, 0.556), ("system", 0.575, 0.611), ("item", 1.0, 1.0)]
)
def test_averages_are_mt_metrics_evals(grouping, b, c):
    groups = grouped(HUMAN, METRIC, grouping)
    for variant, tau in (("b", b), ("c", c)):
        found = variant_of(variant, counts(groups), groups)
        assert average(found) == pytest.approx(tau, abs=5e-4)


@pytest.mark.parametrize(("gap", "tau"), [(25, 3 / 5), (1, 2 / 6)])
def test_wmts_relative_ranking(gap, tau):
    """KendallLike of mt-metrics-eval's tests."""
    sums = counts(one([10, 11, 100, 150], [2, 1, 4, 3]), gap=gap).sum(axis=0)
    assert variant_of("wmt20", sums[None])[0] == pytest.approx(tau)


def test_wmts_relative_ranking_over_segments():
    gold, metric = loops.made_up(6, 20, digits=1, missing=0.1)
    human = np.array([[np.nan if g is None else g for g in row] for row in gold]).T
    groups = grouped(human, np.round(np.array(metric).T), "item")
    rounded = [[round(m) for m in row] for row in metric]
    wanted = loops.kendall_like(gold, rounded, gap=1.0)
    sums = counts(groups, gap=1.0).sum(axis=0)
    assert variant_of("wmt20", sums[None])[0] == pytest.approx(wanted)


def test_ties_of_the_metric_in_wmts_years():
    """Three pairs that people order: one alike, one otherwise, one that the metric ties."""
    sums = np.array([[1.0, 1.0, 5.0, 1.0, 2.0]])
    assert variant_of("wmt12", sums)[0] == pytest.approx(-1 / 3)
    assert variant_of("wmt13", sums)[0] == 0
    assert variant_of("wmt14", np.array([[2.0, 1.0, 5.0, 1.0, 2.0]]))[0] == pytest.approx(1 / 4)


SMALL = st.integers(0, 4).map(float)


@given(st.lists(st.tuples(SMALL, SMALL), min_size=2, max_size=30))
def test_counts_are_those_of_the_loops(pairs):
    gold, metric = ([float(x) for x in side] for side in zip(*pairs, strict=True))
    number = loops.counted(gold, metric)
    wanted = [number.con, number.dis, number.human, number.metric, number.both]
    groups = one(gold, metric)
    assert _by_pairs(groups, 0.0)[0].tolist() == wanted
    assert list(_by_sorting(groups.human[0], groups.metric[0])) == wanted


@pytest.mark.parametrize("variant", ["b", "c"])
def test_a_long_group_is_scipys(variant):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 30, 500).astype(float)
    y = np.round(x + rng.normal(0, 8, 500))
    groups = one(np.append(x, np.nan), np.append(y, np.nan))
    found = variant_of(variant, counts(groups), groups)[0]
    assert found == pytest.approx(stats.kendalltau(x, y, variant=variant)[0])


@given(st.lists(st.integers(0, 9), max_size=40))
def test_inversions(values):
    wanted = sum(a > b for i, a in enumerate(values) for b in values[i + 1 :])
    assert inversions(np.array(values, dtype=np.int64)) == wanted


def test_what_is_all_tied_has_no_tau():
    groups = one([1, 1, 1], [1, 2, 3])
    assert np.isnan(variant_of("b", counts(groups), groups)[0])
    assert np.isnan(variant_of("c", counts(groups), groups)[0])
