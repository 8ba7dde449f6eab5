import pytest

from jurat.stats.heval.feature_profile import HEvalConstruct, HEvalFeature
from jurat.stats.settings import HEvalSettings
from tests.stats.heval.tables import by, sentence_150, small
from tests.stats.tables import evaluation


def profile(table, **settings):
    (result,) = HEvalFeature().results(table, HEvalSettings(**settings))
    return result


def test_means_leave_out_what_is_not_applicable():
    result = profile(small())
    assert by(result, feature="tense", system="X").value == pytest.approx(3)
    assert by(result, feature="tense", system="X").n == 3
    assert by(result, feature="voice", system="Y").value == pytest.approx(8 / 3)


def test_the_weakest_are_named():
    assert "X: voice 1.00 and tense 3.00" in profile(small()).headline


def test_a_feature_that_never_applies_says_so():
    result = profile(sentence_150(), compared=("adequacy",))
    never = by(result, feature="f4", system="E1")
    assert (never.value, never.n, never.reason) == (None, 0, "applies to no sentence")
    assert [e.by["feature"] for e in result.estimates][:11] == [f"f{n}" for n in range(1, 12)]


def test_per_judge_as_a_split():
    result = profile(small(by=("judge",)))
    found = {(e.tags["judge"], e.by["system"], e.by["feature"]): e.value for e in result.estimates}
    assert found["b", "X", "tense"] == 3
    assert found["a", "X", "voice"] == 1


def test_scores_have_no_features():
    (only,) = profile(evaluation("item,system,value\n1,X,0.5")).estimates
    assert only.reason == "there are scores only, and no features"


def test_constructs():
    scores, profiles = HEvalConstruct().results(small(), HEvalSettings())
    assert by(scores, construct="gerund", system="X").value == pytest.approx(1.25 / 3)
    assert by(scores, construct="that", system="Y").value == 0.75
    found = by(profiles, construct="gerund", system="X", feature="voice")
    assert (found.value, found.n) == (pytest.approx(2 / 3), 3)
    assert scores.headline.startswith("The lowest of 4 mean scores is that of gerund by X: 0.417")


def test_constructs_of_another_column():
    table = evaluation("item,system,kind,value\n1,X,wh,4\n2,X,,0")
    scores, _ = HEvalConstruct().results(table, HEvalSettings(construct="kind"))
    assert [(e.by["construct"], e.value) for e in scores.estimates] == [("wh", 1.0)]


def test_without_constructs():
    scores, profiles = HEvalConstruct().results(sentence_150(), HEvalSettings())
    assert scores.estimates[0].reason == "needs the column construct"
    assert profiles.estimates[0].reason == "needs the column construct"
