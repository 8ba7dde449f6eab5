"""Questionnaires and crowd platforms in the form of a draft's rules."""

import pytest

from tests.campaigns.sample_campaigns import make_set
from tests.web.coordinator.preparing import Preparing, begin, problem
from tests.web.website import Visitor, Website

BEFORE = "questionnaires.before"
ASKED = f"{BEFORE}.questions"
EXPERIENCE = {
    "id": "experience",
    "kind": "choice",
    "ask": "How long?",
    "options": [{"value": "none", "label": "Never"}, {"value": "long", "label": "Years"}],
}


@pytest.fixture
def work(town: Website, grace: Visitor) -> Preparing:
    made = begin(town, grace, ("set.jsonl", make_set(3, 2)))
    made.post("tasks/add", {"add-protocol": "da"})
    return made


def rows(*given: tuple[str, str, str, str, str]) -> dict[str, list[str]]:
    parts = ("id", "kind", "ask", "answers", "optional")
    cells = {f"{ASKED}.{part}": [one[n] for one in given] for n, part in enumerate(parts)}
    return {**cells, f"{ASKED}.declared": ["{}"] * len(given)}


def test_questions_and_consent_are_declared_as_in_a_file(work: Preparing) -> None:
    said = rows(
        ("experience", "choice", "How long?", "none: Never\r\nlong: Years", ""),
        ("", "scale", "How sure are you?", "3: very\n2\n1: not at all", "yes"),
        ("", "text", "", "", ""),
    )
    told = work.fill("rules", "seed", title="Asked", **{f"{BEFORE}.consent": "I agree.", **said})
    assert told.status_code == 200
    made = work.declared["questionnaires"]["before"]
    assert made["consent"] == "I agree."
    assert made["questions"] == [
        EXPERIENCE,
        {
            "id": "question2",
            "kind": "scale",
            "ask": "How sure are you?",
            "required": False,
            "points": [
                {"value": 3, "label": "very"},
                {"value": 2},
                {"value": 1, "label": "not at all"},
            ],
        },
    ]
    # saved again as it is shown, nothing changes; emptied, nothing is left
    work.fill("rules", "seed")
    assert work.declared["questionnaires"]["before"] == made
    work.fill("rules", "seed", **{f"{BEFORE}.consent": "", f"{ASKED}.ask": ["", "", "", ""]})
    assert "questionnaires" not in work.declared


def test_what_the_form_does_not_show_is_not_lost(work: Preparing) -> None:
    options = [{"value": "a", "label": "A", "meaning": "the first"}, {"value": "b"}]
    own = {"id": "x", "kind": "choice", "ask": "Which?", "hint": "One.", "options": options}
    drafts = work.site.service.drafts
    drafts.set_fields(work.key, {"questionnaires": {"before": {"questions": [own]}}})
    work.fill("rules", "seed", title="Other")
    assert work.declared["questionnaires"]["before"]["questions"] == [own]
    work.fill("rules", "seed", **{f"{ASKED}.ask": ["Which of them?", "", ""]})
    assert work.declared["questionnaires"]["before"]["questions"] == [
        {**own, "ask": "Which of them?"}
    ]


def test_a_wrong_question_is_said_beside_its_field(work: Preparing) -> None:
    told = work.fill("rules", "seed", title="Odd", **rows(("x", "scale", "How?", "5", "")))
    assert told.status_code == 422
    assert "two points" in problem(told, ASKED)
    assert work.declared["questionnaires"]["before"]["questions"][0]["points"] == [{"value": 5}]


def test_a_platform_is_declared_and_what_is_wrong_is_said(work: Preparing) -> None:
    said = {
        "platform.identity": "PROLIFIC_PID",
        "platform.keep": "STUDY_ID,  SESSION_ID",
        "platform.quota": "50",
        "platform.attention": "2",
        "platform.completion.code": "C1",
        "platform.completion.url": "https://example.org/done?cc={code}",
    }
    work.fill("rules", "seed", title="Crowd", **said)
    assert work.declared["platform"] == {
        "identity": "PROLIFIC_PID",
        "keep": ["STUDY_ID", "SESSION_ID"],
        "quota": 50,
        "attention": 2,
        "completion": {"code": "C1", "url": "https://example.org/done?cc={code}"},
    }
    told = work.fill("rules", "seed", **{**said, "platform.full.url": "example.org"})
    assert told.status_code == 422
    assert "not an address" in problem(told, "platform.full.url")
    work.fill("rules", "seed", **dict.fromkeys([*said, "platform.full.url"], ""))
    assert "platform" not in work.declared
