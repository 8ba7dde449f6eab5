"""Tests of every two systems beside closed forms and what must always hold."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from jurat.resampling import adjust
from jurat.stats.hypothesis_tests import sacrebleu_bootstrap, shifted_bootstrap
from jurat.stats.metric_scores.significance import (
    compare_systems,
)
from jurat.stats.settings import ScoreSettings
from tests.stats.metric_scores.small import BIRCH, CEDAR, chances, drawn, scored


def test_a_shifted_bootstrap_of_a_mean_is_a_z_test():
    """Of many differences that are nearly normal, the test is the one of textbooks."""
    rng = np.random.default_rng(3)
    first = rng.normal(0.12, 1, 400)
    replicates = rng.choice(first, (4_000, 400)).mean(axis=1)
    both = np.column_stack([replicates, np.zeros(4_000)])
    p = shifted_bootstrap(both, np.array([first.mean(), 0.0]))[0, 1]
    z = first.mean() / (first.std() / 20)
    assert p == pytest.approx(2 * stats.norm.sf(z), abs=4 * np.sqrt(p * (1 - p) / 4_000))


def test_sizes_are_counted_on_both_sides():
    replicates = np.array([[3.0, 0.0], [5.0, 0.0], [4.0, 0.0], [4.0, 0.0]])
    assert shifted_bootstrap(replicates, np.array([1.0, 0.0]))[0, 1] == (1 + 2) / 5
    assert shifted_bootstrap(replicates, np.array([1.5, 0.0]))[1, 0] == 1 / 5
    assert sacrebleu_bootstrap(replicates, np.array([0.5, 0.0]))[0, 1] == (1 + 1) / 5


def test_undefined_resamples_tell_nothing_against_chance():
    replicates = np.array([[3.0, 0.0], [5.0, 0.0], [np.nan, 0.0], [4.0, 0.0]])
    observed = np.array([4.0, 0.0])
    assert (
        shifted_bootstrap(replicates, observed)[0, 1]
        == sacrebleu_bootstrap(replicates, observed)[0, 1]
        == 2 / 5
    )


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_the_same_system_twice_is_never_told_apart(test):
    assert chances(scored({"cedar": CEDAR, "again": CEDAR}), test=test)[0, 1] == 1


def test_sacrebleu_tells_the_same_system_from_itself():
    twice = scored({"cedar": CEDAR, "again": CEDAR})
    assert chances(twice, test="sacrebleu-bootstrap")[0, 1] == 1 / 1001


@pytest.mark.parametrize("test", ["bootstrap", "randomisation", "sacrebleu-bootstrap"])
def test_what_differs_much_is_told_apart(test):
    p = chances(drawn(300, 0.5, 0.7), test=test)
    assert p[0, 1] < 0.002
    assert p[0, 1] == p[1, 0]


def test_few_segments_are_swapped_in_every_way():
    """Of five segments two are the same in both, so that 8 of 32 ways are as far apart."""
    found = chances(scored({"cedar": CEDAR, "birch": BIRCH}), test="randomisation")
    assert found[0, 1] == 8 / 32


def test_all_pairs_are_corrected_together():
    one = drawn(100, 0.5, 0.52, 0.55, 0.57)
    plain, corrected = chances(one), chances(one, correction="holm")
    upper = np.triu_indices(4, 1)
    assert corrected[upper].tolist() == adjust(plain[upper], "holm").tolist()
    assert (corrected == corrected.T)[upper].all()


def test_many_systems_can_still_be_told_apart():
    """Of twenty systems two differ much; a thousand resamples would hide it in the correction."""
    one = drawn(100, *([0.5] * 19), 0.9)
    p = chances(one, correction="holm")
    assert p[19, :19].max() < 0.05


def test_documents_are_drawn_whole():
    one = drawn(200, 0.5, 0.54)
    documents = [str(n // 50) for n in range(200)]
    grouped = replace(one, documents=documents)
    settings = ScoreSettings(draw="documents", test="randomisation")
    found = compare_systems(grouped, settings, grouped.resampled(settings))
    assert "all 16 swaps of 4 documents" in found.tests.method
    assert found.tests.trials == 16
    assert found.tests.p[0, 1] >= 2 / 16


def test_intervals_of_differences_turn_with_them():
    one = drawn(100, 0.5, 0.6, 0.65)
    settings = ScoreSettings()
    found = compare_systems(one, settings, one.resampled(settings))
    assert (found.low[0, 1], found.high[0, 1]) == (-found.high[1, 0], -found.low[1, 0])
    assert found.low[0, 1] < found.difference[0, 1] < found.high[0, 1]


def test_an_interval_holds_nothing_where_the_test_finds_nothing():
    one, settings = drawn(60, *np.linspace(0.5, 0.6, 12)), ScoreSettings(correction="none")
    found = compare_systems(one, settings, one.resampled(settings))
    upper = np.triu_indices(12, 1)
    holds = (found.low < 0) & (found.high > 0)
    # a p of (1 + hits) / (1 + R) is a resample off the quantile
    assert ((holds == (found.tests.p > 0.05)) | (np.abs(found.tests.p - 0.05) < 0.002))[upper].all()
    assert 0 < holds[upper].mean() < 1


def test_nothing_to_test_with():
    one = drawn(100, 0.5, 0.6)
    settings = ScoreSettings(bootstrap=0)
    found = compare_systems(one, settings, one.resampled(settings))
    assert np.isnan(found.tests.p).all()
    assert found.tests.reason == "the test needs resamples, and none were asked for"
    single = drawn(1, 0.5, 0.6)
    assert (
        compare_systems(single, settings, None).tests.reason
        == "a single segment says nothing about others"
    )
