from dataclasses import replace

import polars as pl
import pytest

from jurat.model import File
from jurat.stats import Evaluation
from jurat.stats.evaluation_tables import by_question
from jurat.tables import Intake, Judgments, read_tables
from tests.stats.tables import comparison, evaluation

TWO = """judge,item,adequacy,fluency,genre
a,x,1,5,news
b,x,2,,talk
b,y,NA,4,news"""


def test_questions_apart_and_without_what_is_not_applicable():
    found = evaluation(TWO, questions=("adequacy", "fluency"))
    assert {r.question: sorted(r.values.tolist()) for r in found.ratings} == {
        "adequacy": [1, 2],
        "fluency": [4, 5],
    }
    assert found.judged.height == 5


def test_splits_have_their_tags():
    found = evaluation(TWO, questions=("adequacy", "fluency"), by=("genre",))
    assert [(r.question, r.tags, len(r)) for r in found.ratings] == [
        ("adequacy", {"genre": "news"}, 1),
        ("adequacy", {"genre": "talk"}, 1),
        ("fluency", {"genre": "news"}, 2),
    ]


def test_a_split_without_a_name_has_an_empty_one():
    found = evaluation("judge,item,value,genre\na,x,1,\nb,x,2,news", by=("genre",))
    assert [r.tags for r in found.ratings] == [{"genre": ""}, {"genre": "news"}]


def test_adjudicated_rows_and_spoilt_controls_are_no_judgments_of_a_system():
    found = evaluation(
        """judge,item,value,status,control
        a,x,1,valid,
        b,x,3,valid,easy
        c,x,2,adjudicated,
        a,x bad,0,valid,degraded"""
    )
    (judged,), (settled,) = found.ratings, found.adjudicated
    assert judged.values.tolist() == [1, 3]
    assert settled.values.tolist() == [2]
    assert found.judged.height == 4


def test_controls_and_repeats_do_not_count_in_the_scores_of_systems():
    found = evaluation(
        """judge,item,system,value,control
        a,x,cedar,1,
        a,x,cedar,2,repeat
        a,y,cedar,7,easy
        a,z,cedar,6,gold
        a,z bad,cedar,2,degraded
        b,x,cedar,3,odd word of others"""
    )
    assert [one.values.tolist() for one in found.scored] == [[1, 3]]
    assert found.not_scored == 4
    assert found.scoring_notes == ("4 answers to controls and repeated items do not count here",)


def test_only_answers_that_would_rank_systems_are_counted_as_left_out():
    """So that a page's judgments and what does not count add up to all judgments."""
    found = evaluation(
        """judge,item,system,question,value,decided_at,status,control
        a,x,cedar,adequacy,7,2026-03-01T10:00:00Z,valid,
        a,x,cedar,same,1,2026-03-01T10:00:00Z,valid,
        a,x,cedar,adequacy,6,2026-03-01T10:01:00Z,valid,repeat
        a,x,cedar,same,1,2026-03-01T10:01:00Z,valid,repeat
        a,y,birch,adequacy,2,2026-03-01T10:02:00Z,valid,
        z,y,birch,adequacy,2,2026-03-01T10:03:00Z,adjudicated,
        b,y,birch,adequacy,3,2026-03-01T10:04:00Z,excluded,"""
    )
    assert found.not_scored == 1
    # the adjudicator's judgment and the excluded one are none of these
    assert found.partly_asked == {"same": (2, 3)}


def test_a_question_that_follows_some_answers_does_not_rank_systems():
    asked = """judge,item,system,question,value,decided_at
        a,x,cedar,adequacy,7,2026-03-01T10:00:00Z
        a,x,cedar,same,1,2026-03-01T10:00:00Z
        a,y,birch,adequacy,2,2026-03-01T10:01:00Z
        a,y,birch,fluency,2,2026-03-01T10:02:00Z"""
    found = evaluation(asked)
    assert found.partly_asked == {"same": (1, 2)}
    assert [one.question for one in found.scored] == ["adequacy", "fluency"]
    assert [one.question for one in found.ratings] == ["adequacy", "same", "fluency"]
    assert found.scoring_notes == (
        "'same' was asked in 1 of 2 judgments only: systems are not ranked by it",
    )


def test_the_baseline_has_rows_that_the_figures_have_not():
    table = read_tables([File("t.csv", b"judge,item,value,type\na,x,1,SYS\na,y,9,REF")])
    found = Evaluation(judgments=Judgments(table, Intake(where="type == 'SYS'")))
    assert [r.values.tolist() for r in found.ratings] == [[1]]
    assert [r.values.tolist() for r in found.baseline] == [[1, 9]]


def test_preferences_alone():
    found = comparison("judge,item,system_a,system_b,outcome\na,x,A,B,a\nb,x,A,B,tie")
    assert found.ratings == ()
    assert found.compared.height == 2
    assert {"system_a", "outcome"} <= found.columns
    assert found.signature("sign-test").startswith("sign-test|judges:2|pairs:2|")


def test_nothing_at_all():
    empty = Evaluation()
    assert empty.ratings == empty.adjudicated == empty.baseline == ()
    assert empty.compared.is_empty()
    assert empty.by == ()


def test_the_signature_tells_every_choice():
    found = evaluation(TWO, questions=("adequacy",), where="genre == 'news'", exclude=("b",))
    told = found.signature("fleiss-kappa", folded="7to5")
    assert "questions:adequacy" in told
    assert "excluded:b" in told
    assert "folded:7to5" in told


def test_what_was_chosen_before_is_told_too():
    found = replace(evaluation(TWO, questions=("adequacy",)), chosen={"task": "first", "none": ""})
    assert "|task:first|" in found.signature("x")
    assert "none" not in found.signature("x")


def test_the_rows_of_each_question():
    rows = pl.DataFrame({"question": ["b", None, "a", "b"], "value": [1, 2, 3, 4]})
    found = [(name, part["value"].to_list()) for name, part in by_question(rows)]
    assert found == [("b", [1, 4]), ("None", [2]), ("a", [3])]
    alone = rows.filter(question="b")
    assert [part is alone for _, part in by_question(alone)] == [True]


@pytest.mark.parametrize("by", [(), ("genre",)])
def test_every_row_is_in_one_split(by):
    found = evaluation(TWO, questions=("adequacy", "fluency"), by=by)
    assert sum(frame.height for _, frame in found.split(found.judged)) == 5
    assert pl.concat(frame for _, frame in found.split(found.judged)).height == 5


def test_what_several_statistics_start_from_is_made_a_single_time():
    made = []

    def make(of: Evaluation, *choices: object) -> int:
        made.append((of, choices))
        return len(made)

    found = evaluation(TWO, questions=("adequacy", "fluency"))
    assert [found.once(make, "a"), found.once(make, "a"), found.once(make, "b", 1)] == [1, 1, 2]
    assert made == [(found, ("a",)), (found, ("b", 1))]


def test_valid_rows_are_judges_own_and_of_true_translations():
    rows = ("a,1,3,valid,", "b,1,NA,valid,", "c,1,3,adjudicated,", "a,2,1,valid,degraded")
    table = "\n".join(["judge,item,value,status,control", *rows])
    assert evaluation(table).valid["judge"].to_list() == ["a", "b"]
