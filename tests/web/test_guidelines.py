"""The guidelines with their examples, of every protocol."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from jurat import protocols
from jurat.i18n import languages
from jurat.model import File
from jurat.protocols.localization import in_language
from jurat.protocols.questions import NA, Example
from jurat.web.judge.guidelines import MarkedPiece, Worked, worked
from jurat.yamlfile import dump
from tests.campaigns.sample_campaigns import fetching, make_set, plan, task
from tests.web.website import website, words

ENGLISH = languages()["en"]


def examples(name: str, question: str = "") -> list[Worked]:
    found = protocols.load(name).questions
    asked = found[question or next(iter(found))]
    return [worked(asked, one, ENGLISH) for one in asked.examples]


def test_a_point_of_a_scale_is_named_or_counted():
    first, second, *_ = examples("tapet-adequacy")
    assert (first.answer.text, first.answer.point, first.answer.points) == ("All", 1, 7)
    assert (second.answer.text, second.answer.point) == ("Position 2 of 7", 2)


def test_a_preference_is_named():
    legend = protocols.load("preference-4").questions["preference"].legend()
    labels = {label for _, label, _ in legend}
    assert {one.answer.text for one in examples("preference-4")} == labels


def test_a_slider_is_a_number_of_its_range():
    assert [one.answer.text for one in examples("da")][:2] == ["100 of 100", "88 of 100"]


def test_what_does_not_apply_says_so():
    scale = protocols.load("heval").questions["tense"]
    example = Example(answer=NA, because="There is no verb.", translation="Yes.")
    assert worked(scale, example, ENGLISH).answer.text == "Not applicable"


def test_a_ranking_is_told_in_words_ties_and_all():
    first, second, *_ = examples("ranking")
    assert [said for _, said in first.answer.parts] == [
        "Translation 2",
        "Translation 3",
        "Translation 1",
    ]
    assert second.answer.parts[0] == ("Place 1", "Translation 1 and Translation 2")


def test_errors_are_marked_in_the_text():
    none, one, *_ = examples("esa")
    assert none.answer.text == "No errors"
    assert one.texts == [
        [
            MarkedPiece("You will find further "),
            MarkedPiece("informations", 1),
            MarkedPiece(" on our website."),
        ]
    ]
    assert one.answer.parts == (("informations", "Minor"),)


def test_what_is_missing_is_marked_where_it_should_stand():
    missing = examples("mqm")[2]
    assert missing.texts[0][1] == MarkedPiece("", 2)
    assert missing.answer.parts == (("Missing", "Major · Accuracy / Omission"),)


def test_every_marked_text_is_the_text_to_the_last_sign():
    for name in ("esa", "mqm"):
        for one in examples(name):
            assert "".join(piece.text for piece in one.texts[0]) == one.example.translation


def test_concepts_and_questions_have_an_answer_each():
    assert examples("concepts")[1].answer.parts[2] == ("four boxes", "Changed")
    assert examples("comprehension")[1].answer.parts == (
        ("How does the doctor get to the villages?", "By mule"),
    )


@pytest.mark.parametrize("name", protocols.names())
def test_every_protocol_has_a_page_with_all_its_examples(name: str, tmp_path: Path):
    with website(tmp_path) as site:
        site.setting.create(plan(task(name)))
        visitor = site.visitor()
        told = visitor.get("guidelines/rating")
        assert told.status_code == 200
        text = words(told.text)
        for question in protocols.load(name).questions.values():
            for example in question.examples:
                assert " ".join(example.because.split()) in text
        assert "{" not in text
        for code in languages():
            told = visitor.get("guidelines/rating", headers={"accept-language": code})
            title = in_language(protocols.load(name), code).guidelines.splitlines()[0]
            prose = f'<div class="prose" lang="{code}"><h1>{title.removeprefix("# ")}</h1>'
            assert prose in told.text
            assert told.text.count(f'class="because" lang="{code}"') == told.text.count(
                'class="because"'
            )


def test_guidelines_of_ones_own_stay_as_they_were_written(tmp_path: Path):
    mine = replace(protocols.load("da"), guidelines="# Judge the sound")
    with website(tmp_path) as site:
        declared = File("campaign.yaml", dump(plan(task("mine.yaml"))).encode())
        files = {"set.jsonl": make_set(), "mine.yaml": protocols.dump(mine).encode()}
        site.setting.service.campaigns.create(declared, fetching(files), author="boss")
        told = site.visitor().get("guidelines/rating", headers={"accept-language": "hi"})
    assert '<div class="prose" lang="en"><h1>Judge the sound</h1>' in told.text


FINAL = re.compile(r"\bfinal\b|go back|change (your|an) (answer|mark)", re.IGNORECASE)


@pytest.mark.parametrize("name", protocols.names())
def test_guidelines_leave_it_to_the_campaign_whether_answers_can_be_changed(name: str):
    assert not FINAL.search(protocols.load(name).guidelines)


@pytest.mark.parametrize(
    ("revise", "said"),
    [(True, "you can return to earlier answers"), (False, "You cannot change an answer after")],
)
def test_the_page_says_whether_answers_can_be_changed(tmp_path: Path, *, revise: bool, said: str):
    with website(tmp_path) as site:
        site.setting.create(plan(task("esa", revise=revise)))
        assert said in words(site.visitor().get("guidelines/rating").text)


def test_there_are_no_guidelines_of_a_task_that_is_not_there(tmp_path: Path):
    with website(tmp_path) as site:
        site.setting.create()
        assert site.visitor().get("guidelines/nothing").status_code == 404
