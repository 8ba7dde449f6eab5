"""Counts of systems, and what is drawn from them."""

from dataclasses import replace

import numpy as np
import pytest

from jurat.stats.scores.choices import ScoreSettings
from jurat.stats.scores.scored import threads
from tests.stats.scores.small import BIRCH, CEDAR, Missing, drawn, scored


def test_the_score_of_all_segments_comes_from_sums():
    """Of 29 words 26 are in common, and of 27 words 14."""
    one = scored({"cedar": CEDAR, "birch": BIRCH})
    assert one.corpus.tolist() == pytest.approx([100 * 26 / 29, 100 * 14 / 27])
    assert one.goodness.tolist() == one.corpus.tolist()
    less = scored({"cedar": CEDAR}, Missing())
    assert less.goodness == -less.corpus


def test_documents_in_order_of_appearance():
    one = scored({"cedar": CEDAR}, documents=["b", "b", "a", "a", "b"])
    assert one.document_names == ("b", "a")
    sums = one.by_document(one.counts["cedar"])
    assert sums.tolist() == [[20.0, 21.0], [6.0, 8.0]]


def test_resamples_are_the_same_for_every_system():
    one = drawn(50, 0.5, 0.6)
    twice = replace(one, counts={**one.counts, "again": one.counts["system 1"]})
    found = twice.resampled(ScoreSettings(bootstrap=50))
    assert found is not None
    assert found.replicates[:, 0].tolist() == found.replicates[:, 2].tolist()
    assert found.replicates[:, 0].tolist() != found.replicates[:, 1].tolist()


def test_further_resamples_follow_the_first():
    one, settings = drawn(50, 0.5, 0.6), ScoreSettings(bootstrap=50)
    first = one.resampled(settings)
    assert first is not None
    more = one.replicates(settings, first, 2100)
    assert more.shape == (2100, 2)
    assert more[:50].tolist() == first.replicates.tolist()
    assert len(np.unique(more[:, 0])) > 1500
    assert one.replicates(settings, first, 50).tolist() == first.replicates.tolist()
    assert one.replicates(settings, first, 2100).tolist() == more.tolist()


def test_no_resamples_where_none_are_asked_for():
    assert drawn(50, 0.5).resampled(ScoreSettings(bootstrap=0)) is None


def test_threads_change_no_number(monkeypatch):
    one = drawn(3000, 0.5, 0.6)
    alone = one.resampled(ScoreSettings(bootstrap=40))
    monkeypatch.setattr("jurat.stats.scores.scored.WORTH", 0)
    both = one.resampled(ScoreSettings(bootstrap=40, jobs=2))
    assert alone is not None
    assert both is not None
    assert np.array_equal(alone.replicates, both.replicates)


def test_a_second_thread_is_for_much_work():
    with threads(ScoreSettings(jobs=4), 1000) as few:
        assert few == 1
    with threads(ScoreSettings(jobs=4), 2**30) as many:
        assert many == 4
