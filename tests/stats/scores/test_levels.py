"""Scores of segments, documents and systems as results."""

import pytest

from jurat.stats.scores.choices import ScoreSettings
from jurat.stats.scores.levels import corpus_scores, part_scores
from tests.stats.scores.small import BIRCH, CEDAR, Missing, drawn, scored

SETTINGS = ScoreSettings()


def both(metric=None, **more):
    return scored({"birch": BIRCH, "cedar": CEDAR}, metric, **more)


def test_systems_best_first_with_intervals():
    one = both()
    result = corpus_scores(one, SETTINGS, one.resampled(SETTINGS), "words")
    first, second = result.estimates
    assert first.by == {
        "metric": "overlap",
        "system": "cedar",
        "reference": "ref",
        "level": "corpus",
    }
    assert first.value == pytest.approx(100 * 26 / 29)
    assert first.n == 5
    assert first.low is not None
    assert first.high is not None
    assert first.low < first.value < first.high
    assert second.by["system"] == "birch"
    assert result.name == "metric-score"
    assert result.headline == "words"
    assert result.signature == (
        "overlap|bs:1000|seed:1|confidence:0.95|nrefs:1|eff:no|version:jurat:0.1.0"
    )


def test_fewer_errors_come_first():
    one = both(Missing())
    result = corpus_scores(one, SETTINGS, None, "")
    assert [e.by["system"] for e in result.estimates] == ["cedar", "birch"]
    assert "lower is better" in result.method
    assert result.estimates[0].low is None
    assert "bs:" not in result.signature


def test_segments_are_counted_from_one():
    result = part_scores(both(), "segment")
    cedar = [e for e in result.estimates if e.by["system"] == "cedar"]
    assert [e.by["segment"] for e in cedar] == [1, 2, 3, 4, 5]
    assert [e.value for e in cedar] == pytest.approx([100, 100, 100 * 4 / 6, 100, 100 * 8 / 9])
    assert {e.n for e in cedar} == {1}
    assert result.headline == "Median Overlap of 5 segments against ref: birch 57.14, cedar 100.0."
    assert result.signature.startswith("overlap|level:segment|nrefs:1|eff:yes|")


def test_segments_keep_their_own_ids():
    one = both(documents=list("xxyyy"), segments=list("12123"))
    last = part_scores(one, "segment").estimates[-1]
    assert last.by["segment"] == 5
    assert last.tags == {"document": "y", "id": "3"}


def test_documents_are_scored_from_sums():
    result = part_scores(both(documents=list("xyxyx")), "document")
    cedar = [e for e in result.estimates if e.by["system"] == "cedar"]
    assert [(e.by["document"], e.tags["id"], e.n) for e in cedar] == [(1, "x", 3), (2, "y", 2)]
    assert [e.value for e in cedar] == pytest.approx([100 * 20 / 23, 100])


def test_a_system_that_is_the_reference_says_why():
    result = part_scores(both(own={"birch": "ref"}), "segment")
    nothing = result.estimates[-1]
    assert (nothing.value, nothing.reason) == (None, "it is ref itself")
    assert nothing.by["system"] == "birch"


def test_a_single_segment_has_no_interval_and_speaks_of_none():
    one = drawn(1, 0.5)
    result = corpus_scores(one, SETTINGS, one.resampled(SETTINGS), "")
    assert result.estimates[0].low is None
    assert "interval" not in result.method
