import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from jurat.stats.systems.averages import averages, ranked
from jurat.stats.systems.choices import SystemSettings
from jurat.stats.systems.panel import panel_of
from tests.stats.tables import ratings

SCORES = """judge,document,segment,system,value
    x,d,1,a,10
    y,d,1,a,20
    y,d,1,a,30
    x,d,2,a,70
    x,e,1,b,40
    y,e,1,b,41"""


def means(method: str, **settings):
    panel = panel_of(ratings(SCORES), SystemSettings())
    chosen = SystemSettings(method=method, bootstrap=0, **settings)
    return averages(panel, panel.values, chosen)


def test_the_mean_of_judgments():
    made = means("")
    assert made.spread.values[:2].tolist() == [32.5, 40.5]
    assert made.numbers.tolist() == [4, 2]


def test_the_mean_of_segment_means():
    made = means("segment-means")
    assert made.spread.values[:2].tolist() == [45, 40.5]  # (20 + 70) / 2
    assert made.numbers.tolist() == [2, 1]
    assert made.spread.values[2:].tolist() == [1, 2]


def test_values_that_are_missing_are_left_out():
    panel = panel_of(ratings(SCORES), SystemSettings())
    values = np.where(panel.values > 60, np.nan, panel.values)
    made = averages(panel, values, SystemSettings(bootstrap=0))
    assert made.spread.values[:2].tolist() == [20, 40.5]
    assert made.numbers.tolist() == [3, 2]


def test_intervals_are_of_documents_and_judges():
    panel = panel_of(ratings(SCORES), SystemSettings())
    made = averages(panel, panel.values, SystemSettings(bootstrap=200))
    assert "2 × 2 clusters" in made.method
    assert "documents and judges" in made.method


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_ranks_are_scipy_s_minimum_ranks(scores):
    given_scores = np.array([scores], dtype=float)
    expected = rankdata([-s for s in scores], method="min")
    assert ranked(given_scores)[0].tolist() == expected.tolist()


def test_ranks_of_missing_scores_are_missing():
    found = ranked(np.array([3.0, np.nan, 5.0]))
    np.testing.assert_array_equal(found, [2, np.nan, 1])


@pytest.mark.parametrize("method", ["", "segment-means"])
def test_the_same_seed_gives_the_same_interval(method):
    panel = panel_of(ratings(SCORES), SystemSettings())
    chosen = SystemSettings(bootstrap=50, seed=3, method=method)
    first, second = (averages(panel, panel.values, chosen).spread for _ in "12")
    np.testing.assert_array_equal(first.low, second.low)
