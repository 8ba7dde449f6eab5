"""What is told of one metric: scores, differences, p-values, and their words."""

import json

import pytest
import vl_convert

from jurat.results import to_json
from jurat.stats.scores.choices import ScoreSettings
from jurat.stats.scores.comparing import results
from tests.stats.scores.small import BIRCH, CEDAR, Missing, drawn, scored

SETTINGS = ScoreSettings(bootstrap=200)


def names(found):
    return [result.name for result in found]


def test_one_system_is_compared_with_nothing():
    (only,) = results(scored({"cedar": CEDAR}), SETTINGS)
    assert only.headline.startswith("Overlap: cedar scores 89.66 [")
    assert only.headline.endswith("] against ref.")


def test_two_systems():
    found = list(results(drawn(200, 0.5, 0.7), SETTINGS))
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
    (scores, *_) = results(drawn(300, 0.5, 0.5, 0.7, 0.9, 0.95), SETTINGS)
    first, second, third, rest = scores.headline.split("; ")
    assert first.startswith("Overlap against ref: system 5 is ahead of system 4 by")
    assert second.startswith("system 4 is ahead of system 3 by")
    assert third.startswith("system 3 is ahead of system")
    assert rest == "9 of 10 pairs of systems are told apart."


def test_those_that_cannot_be_told_apart():
    (scores, *_) = results(drawn(100, 0.5, 0.5), SETTINGS)
    assert "cannot be told apart (p = 0." in scores.headline


def test_those_that_score_the_same():
    (scores, *_) = results(scored({"a": CEDAR, "b": CEDAR}), SETTINGS)
    assert scores.headline == "Overlap against ref: a and b score the same."


def test_less_is_better():
    (scores, _, chances) = results(scored({"a": BIRCH, "b": CEDAR}, Missing()), SETTINGS)
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
    found = list(results(drawn(50, 0.5, 0.6), SETTINGS, apart=True))
    assert {e.tags["reference"] for r in found[1:] for e in r.estimates} == {"ref"}


def test_segments_are_not_compared():
    assert names(results(drawn(50, 0.5, 0.6), SETTINGS, level="segment")) == ["metric-score"]


def test_a_metric_without_systems():
    (only,) = results(scored({"birch": BIRCH}, own={"birch": "ref"}), SETTINGS)
    assert [e.reason for e in only.estimates] == ["it is ref itself"]


@pytest.mark.parametrize("level", ["corpus", "segment", "document"])
def test_figures_can_be_drawn(level):
    one = scored({"birch": BIRCH, "cedar": CEDAR}, documents=list("xxyyy"))
    for result in results(one, SETTINGS, level=level):
        figure = result.figure()
        assert figure is not None
        vl_convert.vegalite_to_vega(json.dumps(figure))


def test_the_same_numbers_as_json():
    rows = json.loads(to_json(results(drawn(50, 0.5, 0.6), SETTINGS)))["results"]
    assert {row["name"] for row in rows} == {"metric-score", "metric-difference", "metric-p"}
    assert all(row["n"] == 50 and row["signature"] for row in rows)
