"""Answers in words."""

import pytest
from msgspec.structs import replace

from jurat.i18n import languages
from jurat.protocols import load
from jurat.protocols.questions import NA
from jurat.web.format_answers import readable_answers
from tests.protocols.items import KINDS

SAY = languages()["en"].say
ERROR = {"start": 4, "end": 9, "severity": "major", "category": None, "missing": False}
TOLD = {
    "a hidden number": ("tapet-adequacy", {"adequacy": 7}, "All", "7 (All)"),
    "a hidden number without a label": ("tapet-adequacy", {"adequacy": 6}, "Position 2 of 7", "6"),
    "a number that is shown": ("sqm", {"quality": 4}, *["4 (Most meaning preserved …)"] * 2),
    "one without a label": ("sqm", {"quality": 5}, *["5"] * 2),
    "a word is its label": ("tapet-adequacy", {"same-meaning": "yes"}, *["Yes"] * 2),
    "a slider is a number": ("da", {"adequacy": 64}, *["64"] * 2),
    "a mark of a slider": ("da", {"adequacy": 100}, *["100 (Strongly agree)"] * 2),
    "not applicable": ("heval", {"tense": NA}, *["Not applicable"] * 2),
    "places are in the order of the systems": ("ranking", {"ranking": [2, 1, 3]}, *["2, 1, 3"] * 2),
    "errors": ("esa", {"errors": [ERROR, {**ERROR, "end": 4}]}, *["Major (4–9); Major (4)"] * 2),
    "no error": ("esa", {"errors": []}, *["–"] * 2),
}


@pytest.mark.parametrize(("protocol", "answers", "said", "in_full"), TOLD.values(), ids=TOLD)
def test_answers(protocol: str, answers: dict[str, object], said: str, in_full: str):
    """For adjudicators, who see no numbers that are hidden, and for coordinators."""
    for numbers, expected in ((False, said), (True, in_full)):
        (told,) = readable_answers(load(protocol), answers, say=SAY, numbers=numbers).values()
        if expected.endswith("…)"):
            assert told.startswith(expected.removesuffix(" …)"))
        else:
            assert told == expected


def test_a_question_that_there_is_not_is_passed_over():
    told = readable_answers(load("da"), {"adequacy": 64, "other": 1}, say=SAY)
    assert told == {"adequacy": "64"}


def test_errors_of_all_kinds():
    error = {**ERROR, "severity": "minor", "comment": "an old word"}
    given = [{**error, "side": "source"}, {"severity": "major", "mark": "nonsense"}]
    protocol = load("esa")
    (stage,) = protocol.stages
    wide = replace(KINDS["spans of all kinds"], id="errors")
    shown = replace(protocol, stages=(replace(stage, questions=(wide,)),), score=None)
    told = readable_answers(shown, {"errors": given}, say=SAY)
    assert told == {"errors": "Minor (Source 4–9) “an old word”; Major, Nonsense"}
