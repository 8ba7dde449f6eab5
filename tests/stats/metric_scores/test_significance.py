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


class TestDocuments:
    """Documents are what varies: two equal systems whose segments of a document are alike."""

    @staticmethod
    def campaign(rng, documents, segments=5, effect=0.25):
        """Words that are right, of ten a segment, with an effect of document and system."""
        shared = rng.normal(0, effect, (2, documents, 1))
        share = np.clip(0.5 + shared + np.zeros((2, documents, segments)), 0.05, 0.95)
        right = rng.binomial(10, share).reshape(2, -1)
        counts = {
            f"system {n}": np.column_stack([own, np.full_like(own, 10)]).astype(np.float64)
            for n, own in enumerate(right)
        }
        names = [f"d{n // segments}" for n in range(documents * segments)]
        return replace(drawn(2, 0.5, 0.5), counts=counts, documents=names)

    @pytest.mark.parametrize("documents", [10, 30])
    def test_equal_systems_are_told_apart_in_one_of_twenty(self, documents):
        rng, runs, few = np.random.default_rng(documents), 250, 40
        by_document = ScoreSettings(bootstrap=100)
        found, of_segments = 0, 0
        for run in range(runs):
            one = self.campaign(rng, documents)
            made = compare_systems(one, by_document, one.resampled(by_document))
            p, low, high = made.tests.p[0, 1], made.low[0, 1], made.high[0, 1]
            found += p < 0.05
            assert (p < 0.05) == (low > 0 or high < 0)
            of_segments += run < few and chances(one, draw="segments", bootstrap=100)[0, 1] < 0.05
        assert 0.015 < found / runs < 0.08
        assert of_segments / few > 0.15

    def test_few_documents_and_unknown_ones(self):
        one = drawn(60, 0.5, 0.6)
        few = replace(one, documents=["a"] * 30 + ["b"] * 30)
        settings = ScoreSettings(bootstrap=50)
        made = compare_systems(few, settings, few.resampled(settings))
        assert made.tests.reason == "2 documents cannot speak for others"
        assert one.unit_note(settings).startswith("documents are unknown: segments are taken as")
        by_name = ScoreSettings(test="sacrebleu-bootstrap")
        assert few.drawn(by_name) == "segments"
