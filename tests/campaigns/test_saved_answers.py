"""Drafts: what was begun comes back, and nothing that a page could not show."""

import pytest

from jurat import protocols
from tests.campaigns.setting import NAME, Setting, plan, task


def kept(setting: Setting, protocol: str, content: object) -> object:
    judge, *_ = setting.launch(plan(task(protocol)))
    step = setting.next(judge)
    setting.service.judging.save_answers(NAME, judge, step.assignment, 1, content)
    return setting.next(judge).draft


@pytest.mark.parametrize("name", protocols.names())
def test_whole_answers_come_back(quick: Setting, name):
    judge, *_ = quick.launch(plan(task(name)))
    step = quick.next(judge)
    answers = quick.sent(judge, step).answers
    quick.service.judging.save_answers(NAME, judge, step.assignment, 1, answers)
    assert quick.next(judge).draft == answers


GAPS = {
    "concepts": ("concepts", {"concepts": ["transferred", None]}),
    "comprehension": ("comprehension", {"reading": [None, 2]}),
    "ranking": ("ranking", {"ranking": [None, 1, None]}),
}


@pytest.mark.parametrize(("name", "content"), GAPS.values(), ids=GAPS)
def test_gaps_stay_gaps(quick: Setting, name, content):
    (question,) = protocols.load(name).questions
    ((_, answer),) = content.items()
    assert kept(quick, name, {question: answer}) == {question: answer}


def test_of_marked_errors_those_stay_that_are_whole(quick: Setting):
    whole = {"start": 0, "end": 4, "severity": "minor"}
    begun = {"start": 5, "end": 9, "severity": None}
    assert kept(quick, "esa", {"errors": [whole, begun]}) == {"errors": [whole]}


NONSENSE: list[object] = [
    None,
    [],
    "adequacy",
    {"adequacy": 99},
    {"adequacy": [1]},
    {"adequacy": None},
    {"no such question": 1},
]


@pytest.mark.parametrize("content", NONSENSE, ids=str)
def test_nonsense_is_not_kept(quick: Setting, content):
    assert kept(quick, "tapet-adequacy", content) == {}


@pytest.mark.parametrize(
    ("name", "answer"), [("concepts", ["transferred"]), ("concepts", [1, None]), ("ranking", [[]])]
)
def test_lists_of_another_shape_are_not_kept(quick: Setting, name, answer):
    (question,) = protocols.load(name).questions
    assert kept(quick, name, {question: answer}) == {}
