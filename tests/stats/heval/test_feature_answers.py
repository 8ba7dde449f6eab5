import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.model import Item
from jurat.protocols import load
from jurat.protocols.questions import NA
from jurat.stats import Settings
from jurat.stats.heval.feature_answers import feature_answers, sentence_scores
from jurat.stats.settings import HEvalSettings
from tests.stats.heval.tables import FEATURES, sentence_150, small
from tests.stats.tables import evaluation

ITEM = Item(id="i", document="d", segment="s", translations=())


def scores(table, **settings):
    (sheet,) = feature_answers(table, HEvalSettings(**settings))
    keys = [*sheet.judged_by, "system"]
    return {row[:-1]: row[-1] for row in sheet.scores.select(*keys, "value").iter_rows()}


def values(table, **settings):
    (sheet,) = feature_answers(table, HEvalSettings(**settings))
    return sheet.scores["value"].to_list()


def test_the_papers_example():
    found = scores(sentence_150(), compared=("adequacy",))
    assert found == {
        ("Human1", "E1"): 0.8,
        ("Human2", "E1"): 0.725,
        ("Human1", "E2"): 0.925,
        ("Human2", "E2"): 0.95,
    }


@given(st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=11, max_size=11))
def test_as_the_protocol_itself_scores_a_decision(answers):
    """`score_of` of the protocol heval is the rule that judges' pages use."""
    protocol = load("heval")
    given_ = {q: NA if a is None else a for q, a in zip(protocol.questions, answers, strict=True)}
    expected = protocol.score_of(given_, ITEM)
    frame = pl.DataFrame(
        [("s", "i", a) for a in answers if a is not None],
        schema={"system": pl.String, "item": pl.String, "value": pl.Float64},
        orient="row",
    )
    values = sentence_scores(frame)["value"].to_list()
    assert values == ([] if expected is None else [pytest.approx(expected)])


def test_the_protocols_eleven_are_known_among_other_questions():
    eleven = list(load("heval").questions)
    rows = [f"j,s,{name},4" for name in eleven] + ["j,s,adequacy,7"]
    table = evaluation("\n".join(["judge,system,question,value", *rows]))
    (sheet,) = feature_answers(table, HEvalSettings())
    assert list(sheet.features) == eleven
    assert sheet.scores["value"].to_list() == [1.0]


def test_what_is_compared_is_no_feature():
    (sheet,) = feature_answers(sentence_150(), HEvalSettings(compared=("adequacy",)))
    assert sheet.features == FEATURES
    assert sheet.others["value"].to_list() == [3, 4]


def test_features_named():
    assert values(small(), features=("tense",)) == [1, 0.5, 0.75, 1, 0.75, 1, 0.5]


def test_one_question_between_0_and_1_is_scores():
    (sheet,) = feature_answers(
        evaluation("doc,E1,E2\n1,0.5,1\n2,0.25,0", columns="document=doc", systems=("E1", "E2")),
        HEvalSettings(),
    )
    assert sheet.features == ()
    assert sheet.scores["value"].to_list() == [0.5, 0.25, 1, 0]


def test_the_way_can_be_said():
    table = evaluation("item,system,value\n1,X,1\n2,X,0")
    assert values(table) == [1, 0]
    assert values(table, method="features") == [0.25, 0]


def test_the_first_answer_of_a_judge_counts():
    table = evaluation("judge,segment,system,position,value\nj,1,X,2,4\nj,1,X,1,2")
    assert scores(table, method="features") == {("j", "X"): 0.5}


def test_an_item_that_two_systems_translated_is_two_sentences():
    table = evaluation("judge,item,system,value\nj,1,X,4\nj,1,Y,2")
    (sheet,) = feature_answers(table, HEvalSettings())
    assert sheet.scores["value"].to_list() == [1, 0.5]
    assert sheet.scores["place"].n_unique() == 1


def test_another_best_point():
    table = evaluation("judge,item,system,value\nj,1,X,5\nj,2,X,4")
    (sheet,) = feature_answers(table, HEvalSettings())
    assert sheet.reason == "features go from 0 to 4, and value has 5: choose features, top or fold"
    assert sheet.scores.is_empty()
    assert values(table, top=5) == [1, 0.8]


def test_nothing_that_is_a_number():
    (sheet,) = feature_answers(evaluation("item,system,value\n1,X,good"), HEvalSettings())
    assert sheet.reason == "no feature of any system was answered"
    (sheet,) = feature_answers(
        evaluation("item,system,value\n1,X,NA", by=("system",)), HEvalSettings()
    )
    assert sheet.scores.is_empty()


def test_columns_that_say_nothing():
    table = evaluation("judge,document,item,system,value\n,,1,X,4\n,,1,,4\n,,2,Y,2")
    (sheet,) = feature_answers(table, HEvalSettings())
    assert sheet.judged_by == []
    assert sheet.scores.select("system", "value").rows() == [("X", 1.0), ("Y", 0.5)]


def test_a_question_that_is_not_there():
    with pytest.raises(InputError, match=r"unknown question 'tens'.*did you mean 'tense'"):
        feature_answers(small(), HEvalSettings(features=("tens",)))


def test_splits():
    found = feature_answers(small(by=("construct",)), HEvalSettings())
    assert [(s.tags, s.scores.height) for s in found] == [
        ({"construct": "gerund"}, 6),
        ({"construct": "that"}, 2),
    ]


def test_common_settings_are_enough():
    assert HEvalSettings.of(Settings(seed=5)) == HEvalSettings(seed=5)
