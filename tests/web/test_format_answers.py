"""Answers in words."""

import pytest

from jurat.protocols import load
from jurat.protocols.questions import NA
from jurat.web.coordinator.adjudication import readable_answers

ERROR = {"start": 4, "end": 9, "severity": "major", "category": None, "missing": False}
TOLD = {
    "a labelled point has its number": ("tapet-adequacy", {"adequacy": 7}, "7 (All)"),
    "a point without a label is a number": ("tapet-adequacy", {"adequacy": 6}, "6"),
    "a word is its label": ("tapet-adequacy", {"same-meaning": "yes"}, "Yes"),
    "a slider is a number": ("da", {"adequacy": 64}, "64"),
    "not applicable": ("heval", {"tense": NA}, NA),
    "places are in the order of the systems": ("ranking", {"ranking": [2, 1, 3]}, "2, 1, 3"),
    "errors": ("esa", {"errors": [ERROR, {**ERROR, "end": 4}]}, "Major (4–9); Major (4)"),
    "no error": ("esa", {"errors": []}, "–"),
}


@pytest.mark.parametrize(("protocol", "answers", "said"), TOLD.values(), ids=TOLD)
def test_answers(protocol: str, answers: dict[str, object], said: str):
    assert list(readable_answers(load(protocol), answers).values()) == [said]


def test_a_question_that_there_is_not_is_passed_over():
    assert readable_answers(load("da"), {"adequacy": 64, "other": 1}) == {"adequacy": "64"}
