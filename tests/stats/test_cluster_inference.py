"""Cluster-robust tests: against scipy, and by simulation."""

import math
import tracemalloc

import numpy as np
import pytest
from scipy import stats

from jurat.stats.cluster_inference import (
    INSEPARABLE,
    THESE_JUDGES,
    Clusters,
    infer,
    infer_these_judges,
    two_way,
)
from jurat.stats.linear_model import LinearModel, Variance
from jurat.stats.phrases import NO_VARIATION

APART = np.array([1.0, -1.0])
MEAN = np.ones(1)


def mean_of(values):
    """The model of a mean."""
    model = LinearModel(values=values, system=np.zeros(len(values), dtype=np.int64))
    return model.contrast(MEAN)


def drawn(seed=0, judgments=200, documents=8, judges=4):
    rng = np.random.default_rng(seed)
    document, judge, system = rng.integers(0, [[documents], [judges], [2]], (3, judgments))
    values = rng.normal(size=judgments) + rng.normal(size=documents)[document]
    return values, document, judge, system


def test_rounding_does_not_decide_which_of_equal_variances_count():
    alike = (Variance(1.0, 4.0), Variance(1.0, 3.0), Variance(1.0, 20.0))
    rounded = (Variance(1.0 + 1e-14, 4.0), *alike[1:])
    assert two_way(*rounded)[0] == pytest.approx(two_way(*alike)[0])


def test_a_mean_over_equal_clusters_is_the_t_test_on_their_means():
    values, document = np.random.default_rng(2).normal(0.3, 1, 50), np.repeat(np.arange(10), 5)
    found = infer(mean_of(values), Clusters(document), confidence=0.9)
    expected = stats.ttest_1samp(values.reshape(10, 5).mean(axis=1), 0)
    assert found.p == pytest.approx(expected.pvalue)
    assert (found.low, found.high) == pytest.approx(expected.confidence_interval(0.9))


def test_p_and_interval_agree_and_the_widest_counts():
    rng = np.random.default_rng(4)
    document, judge = (part.ravel() for part in np.indices((12, 6)))
    values = rng.normal(size=72) + rng.normal(0, 1, 6)[judge]
    two_way = infer(mean_of(values), Clusters(document, judge), confidence=0.95)
    alone = infer_these_judges(mean_of(values), Clusters(document, judge), confidence=0.95)
    assert two_way.p > alone.p
    level = infer(mean_of(values), Clusters(document, judge), confidence=1 - two_way.p)
    assert min(abs(level.low), abs(level.high)) == pytest.approx(0, abs=1e-9)


def test_documents_with_one_judge_each_are_tested_by_judges():
    rng = np.random.default_rng(5)
    document = np.repeat(np.arange(12), 5)
    judge = document % 4
    values = rng.normal(size=60)
    found = infer(mean_of(values), Clusters(document, judge), confidence=0.95)
    sums = np.bincount(judge, weights=values) / 15
    assert found.p == pytest.approx(stats.ttest_1samp(sums, 0).pvalue)


def test_two_judges_speak_for_themselves_only():
    values, document, judge, _ = drawn(judges=2)
    found = infer(mean_of(values), Clusters(document, judge), confidence=0.95)
    assert THESE_JUDGES in found.scope
    alone = infer_these_judges(mean_of(values), Clusters(document, judge), confidence=0.95)
    assert found.p == alone.p


def test_few_documents_have_an_interval_and_no_p():
    values, document = np.random.default_rng(6).normal(size=50), np.repeat(np.arange(5), 10)
    found = infer(mean_of(values), Clusters(document), confidence=0.95)
    assert math.isnan(found.p)
    assert found.reason == "5 documents cannot speak for others"
    assert found.low < found.value < found.high


def test_equal_values_have_nothing_to_judge_by():
    document = np.repeat(np.arange(10), 3)
    found = infer(mean_of(np.zeros(30)), Clusters(document), confidence=0.95)
    assert (found.reason, math.isnan(found.p)) == (NO_VARIATION, True)
    # the same everywhere: 2 of 2¹⁰ patterns of signs of the documents are as extreme
    found = infer(mean_of(np.full(30, 0.1)), Clusters(document), confidence=0.95)
    assert (found.p, math.isnan(found.low)) == (2 / 2**10, True)


def test_systems_that_no_judge_shares_cannot_be_separated():
    values, document, judge, _ = drawn()
    model = LinearModel(values=values, system=judge % 2, judge=judge)
    found = infer(model.contrast(APART), Clusters(document, judge), confidence=0.95)
    assert (math.isnan(found.value), found.reason) == (True, INSEPARABLE)


def false_alarms(values_of, *, runs=300):
    """How many of 100 runs find something where there is nothing."""
    rng = np.random.default_rng(7)
    found = [values_of(rng).p < 0.05 for _ in range(runs)]
    return 100 * float(np.mean(found))


def test_judges_with_favourite_systems_raise_no_false_alarms():
    document, judge = (part.ravel() for part in np.indices((20, 6)).repeat(3, axis=2))

    def run(rng, judges=None):
        values = rng.normal(size=360) + rng.normal(0, 0.3, 6)[judge] * math.sqrt(2)
        values += rng.normal(0, 0.4, 20)[document]
        return infer(mean_of(values), Clusters(document, judges), confidence=0.95)

    assert false_alarms(lambda rng: run(rng, judge)) <= 8
    # what the same data say if sentences of different judges were taken as independent
    assert false_alarms(run) > 12


def test_systems_on_partly_different_documents_raise_no_false_alarms():
    def run(rng):
        document, judge = rng.integers(0, [[20], [6]], (2, 200))
        kept = rng.integers(0, 3, 20)[document]
        system = np.where(kept == 0, rng.integers(0, 2, 200), kept - 1)
        values = rng.normal(size=200) + rng.normal(size=20)[document] + rng.normal(size=6)[judge]
        model = LinearModel(values=values, system=system, judge=judge)
        return infer(model.contrast(APART), Clusters(document, judge), confidence=0.95)

    assert false_alarms(run) <= 8


def test_as_many_effects_as_cells_leave_nothing_to_judge_by():
    """Document d: system 0 by judge d, system 1 by judge d + 1, in a ring of eight."""
    ring = np.arange(8)
    document, judge = np.repeat(ring, 4), np.repeat(np.stack([ring, (ring + 1) % 8]).T.ravel(), 2)
    system = np.tile([0, 0, 1, 1], 8)
    values = np.random.default_rng(0).normal(size=len(system))
    model = LinearModel(values=values, system=system, judge=judge, block=document)
    contrast = model.contrast(APART)
    found = infer(contrast, Clusters(document, judge), confidence=0.95)
    assert math.isnan(found.p)
    assert found.reason == NO_VARIATION


def test_memory_grows_with_the_judgments_and_not_with_documents_times_sentences():
    rng = np.random.default_rng(6)
    sentence = np.repeat(np.arange(8_000), 4)
    judge = rng.integers(0, 20, len(sentence))
    system = np.tile(np.arange(2), 16_000)
    model = LinearModel(values=rng.normal(size=len(sentence)), system=system, block=sentence)
    tracemalloc.start()
    found = infer(model.contrast([-1, 1]), Clusters(sentence // 4, judge), confidence=0.95)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.p < 1
    assert most < 2_000 * 8_000  # bytes, where a table of both would take eight times as many
