"""Scores of segments, documents and systems as results.

What is told of one metric: scores, differences, p-values, and their words.
"""

import json

import msgspec
import pytest
import vl_convert

from jurat.results import to_json
from jurat.stats.metric_scores.results import corpus_scores, part_scores, results
from jurat.stats.settings import ScoreSettings
from tests.stats.metric_scores.small import BIRCH, CEDAR, Missing, drawn, scored

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
        f"|data:{one.fingerprint}"
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
    assert last.by["segment"] == 3
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


SETTINGS_PAIRWISE_RESULTS = ScoreSettings(bootstrap=200)


def names(found):
    return [result.name for result in found]


def test_one_system_is_compared_with_nothing():
    (only,) = results(scored({"cedar": CEDAR}), SETTINGS_PAIRWISE_RESULTS)
    assert only.headline.startswith("Overlap: cedar scores 89.66 [")
    assert only.headline.endswith("] against ref.")


def test_two_systems():
    found = list(results(drawn(200, 0.5, 0.7), SETTINGS_PAIRWISE_RESULTS))
    assert names(found) == ["metric-score", "metric-difference", "metric-p"]
    scores, differences, chances = found
    assert scores.headline.startswith("Overlap against ref: system 2 is ahead of system 1 by ")
    assert scores.headline.endswith("(p = 0.005).")
    first, second = chances.estimates
    assert first.by == {"metric": "overlap", "system_a": "system 2", "system_b": "system 1"}
    assert first.value == second.value == 1 / 201
    (apart,) = differences.estimates
    assert 0 < apart.low < apart.value < apart.high
    assert chances.headline == (
        "Overlap: 1 of 1 pairs of systems are told apart (p < 0.05, corrected by Holm's method)."
    )
    assert "test:bootstrap|bs:200|seed:1|correction:holm" in chances.signature


def test_a_chain_of_systems():
    (scores, *_) = results(drawn(300, 0.5, 0.5, 0.7, 0.9, 0.95), SETTINGS_PAIRWISE_RESULTS)
    first, second, third, rest = scores.headline.split("; ")
    assert first.startswith("Overlap against ref: system 5 is ahead of system 4 by")
    assert second.startswith("system 4 is ahead of system 3 by")
    assert third.startswith("system 3 is ahead of system")
    assert rest == "9 of 10 pairs of systems are told apart."


def test_those_that_cannot_be_told_apart():
    (scores, *_) = results(drawn(100, 0.5, 0.5), SETTINGS_PAIRWISE_RESULTS)
    assert "cannot be told apart (p = 0." in scores.headline


def test_those_that_score_the_same():
    (scores, *_) = results(scored({"a": CEDAR, "b": CEDAR}), SETTINGS_PAIRWISE_RESULTS)
    assert scores.headline == "Overlap against ref: a and b score the same."


def test_less_is_better():
    (scores, _, chances) = results(
        scored({"a": BIRCH, "b": CEDAR}, Missing()), SETTINGS_PAIRWISE_RESULTS
    )
    assert scores.estimates[0].by["system"] == "b"
    assert chances.estimates[0].by["system_a"] == "b"


def test_without_resamples():
    scores, _, chances = results(drawn(100, 0.5, 0.6), ScoreSettings(bootstrap=0))
    assert scores.headline.endswith("ahead of system 1, untested.")
    assert {e.reason for e in chances.estimates} == {
        "the test needs resamples, and none were asked for"
    }
    assert chances.figure() is None


def test_references_apart_are_tags():
    found = list(results(drawn(50, 0.5, 0.6), SETTINGS_PAIRWISE_RESULTS, apart=True))
    assert {e.tags["reference"] for r in found[1:] for e in r.estimates} == {"ref"}


def test_segments_are_not_compared():
    assert names(results(drawn(50, 0.5, 0.6), SETTINGS_PAIRWISE_RESULTS, level="segment")) == [
        "metric-score"
    ]


def test_a_metric_without_systems():
    (only,) = results(scored({"birch": BIRCH}, own={"birch": "ref"}), SETTINGS_PAIRWISE_RESULTS)
    assert [e.reason for e in only.estimates] == ["it is ref itself"]


@pytest.mark.parametrize("level", ["corpus", "segment", "document"])
def test_figures_can_be_drawn(level):
    one = scored({"birch": BIRCH, "cedar": CEDAR}, documents=list("xxyyy"))
    settings = msgspec.structs.replace(SETTINGS_PAIRWISE_RESULTS, draw="segments")
    for result in results(one, settings, level=level):
        figure = result.figure()
        assert figure is not None
        vl_convert.vegalite_to_vega(json.dumps(figure))


def test_the_same_numbers_as_json():
    rows = json.loads(to_json(results(drawn(50, 0.5, 0.6), SETTINGS_PAIRWISE_RESULTS)))["results"]
    assert {row["name"] for row in rows} == {"metric-score", "metric-difference", "metric-p"}
    assert all(row["n"] == 50 and row["signature"] for row in rows)
