"""What is wrong with an answer is told in the judge's language, never in the core's."""

from pathlib import Path

import pytest

from jurat import protocols
from jurat.errors import InputError, Problem
from jurat.i18n import languages
from jurat.protocols.questions import Question
from jurat.protocols.questions.ranking import Ranking
from jurat.protocols.questions.text import Text
from jurat.web.error_messages import answer_problem, answer_problems
from tests.campaigns.sample_campaigns import NAME, plan, task
from tests.protocols.items import item
from tests.web.website import form_key, website, words

ENGLISH = languages()["en"]
ERRORS = protocols.load("mqm").questions["errors"]


def fault(question: Question, answer: object, *texts: str) -> str:
    """How a page tells what is wrong with an answer."""
    with pytest.raises(InputError) as caught:
        question.check(answer, item(*(texts or ("One two three four.",))))
    return answer_problem(caught.value.problems[0], question, ENGLISH)


def span(start: int = 0, end: int = 3, severity: str = "major", category: str = "other"):
    return {"start": start, "end": end, "severity": severity, "category": category}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([span()] * 6, "You can mark at most 5 errors."),
        ([span(severity="")], "Choose the severity of this error"),
        ([span(category="")], "Choose the category of this error"),
        ([span(3, 3)], "Select some words first."),
        ([span(category="non-translation"), span()], "This category can't be combined"),
        ("nonsense", "This answer isn't allowed here"),
    ],
)
def test_errors_that_are_not_marked_right(answer: object, said: str):
    assert fault(ERRORS, answer).startswith(said)


def test_other_kinds():
    ranking = Ranking(id="r", ask="?", ties=False)
    assert "Ties aren't allowed" in fault(ranking, [1, 1], "one", "two")
    assert fault(Text(id="t", ask="?", longest=3), "too many") == "This is too long."
    assert fault(Text(id="t", ask="?"), " ") == "Please answer this first"


@pytest.mark.parametrize("code", languages())
def test_a_fault_without_words_is_told_plainly_in_every_language(code: str):
    language = languages()[code]
    strange = [Problem(message="secret words of the core", field="x"), Problem(message="more")]
    said = answer_problems(strange, {}, language)
    assert said == {"x": language.say("not-legal"), "": language.say("not-legal")}


def test_forms_and_scripts_hear_the_same(tmp_path: Path):
    with website(tmp_path) as site:
        site.setting.create(plan(task("mqm"), language="es"))
        slips = site.slips(3)
        site.setting.start()
        visitor = site.visitor().follow(slips[0])
        account = site.service.accounts.by_pin(NAME, slips[0].pin).id
        step = site.setting.next(account)
        wanted = languages()["es"].say("span-severity")
        place = {"assignment": step.assignment, "position": step.position}
        row = {"q.errors.1.from": "0-3", "q.errors.1.category": "other", "q.errors.1.severity": ""}
        page = visitor.post("judge", {**place, **row})
        assert page.status_code == 422
        assert wanted in words(page.text)
        key = {"x-form-key": form_key(visitor.get())}
        body = {**place, "answers": {"errors": [span(severity="")]}}
        reply = visitor.client.post(visitor.base + "api/decide", json=body, headers=key)
        assert reply.json()["faults"] == {"errors": wanted}
