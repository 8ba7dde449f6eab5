"""Questions about each segment of a whole document."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from jurat import protocols
from jurat.campaigns.answer_rows import rows
from jurat.errors import InputError
from jurat.model import Item, Shown
from jurat.protocols.questions.segments import Segments
from jurat.protocols.questions.slider import Slider
from jurat.protocols.questions.spans import Severity, Spans

PROTOCOL = protocols.load("esa-document")
ITEM = Item(
    id="i",
    document="d",
    segment="",
    segments=("s1", "s2"),
    source="Uno.\nDos.",
    translations=(Shown(system="cedar", text="One.\nTwo."),),
)
ANSWERS: dict[str, Any] = {
    "segments": [
        {"errors": [{"start": 0, "end": 3, "severity": "minor"}], "score": 80},
        {"errors": [], "score": 100},
    ],
    "document": 90,
}


def test_answers_become_rows_of_segments_and_of_the_document() -> None:
    made = rows(PROTOCOL, PROTOCOL.check(ANSWERS, ITEM), ITEM)
    scores = [(r["item"], r["segment"], r["question"], r["value"]) for r in made["judgments"]]
    assert [one for one in scores if one[2] != "errors"] == [
        ("d|s1|cedar", "s1", "score", 80.0),
        ("d|s2|cedar", "s2", "score", 100.0),
        ("d|cedar", "", "document", 90.0),
    ]
    (span,) = made["spans"]
    assert (span["item"], span["segment"], span["start"], span["end"]) == ("d|s1|cedar", "s1", 0, 3)
    assert PROTOCOL.scores(ANSWERS, ITEM) == [90.0]


def test_marks_are_within_their_segment() -> None:
    beyond = [{"errors": [{"start": 3, "end": 7, "severity": "minor"}], "score": 80}]
    with pytest.raises(InputError) as caught:
        PROTOCOL.check({**ANSWERS, "segments": [*beyond, ANSWERS["segments"][1]]}, ITEM)
    assert [problem.field for problem in caught.value.problems] == ["segments.1.errors"]
    with pytest.raises(InputError, match="each of 2 segments"):
        PROTOCOL.check({**ANSWERS, "segments": ANSWERS["segments"][:1]}, ITEM)


def test_a_segment_is_shown_with_its_own_source_only() -> None:
    (question,) = [one for one in PROTOCOL.stages[0].questions if isinstance(one, Segments)]
    first, second = question.alone(ITEM)
    assert (first.source, first.translations[0].text) == ("Uno.", "One.")
    assert (second.segment, second.source) == ("s2", "Dos.")
    without = replace(ITEM, source=None, segments=())
    assert [(one.segment, one.source) for one in question.alone(without)] == [
        ("1", None),
        ("2", None),
    ]


def test_a_simulated_judge_answers_every_segment() -> None:
    answers = PROTOCOL.simulate(ITEM, [0.7], Random(1))
    assert PROTOCOL.check(answers, ITEM) == answers
    assert len(answers["segments"]) == 2  # type: ignore[arg-type]


SCORE = Slider(id="s", ask="?")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"ranked_by": "s"}, "are not ranked"),
        (
            {
                "questions": (
                    Spans(
                        id="e",
                        ask="?",
                        suggestions="keep",
                        severities=(Severity(value="minor", label="Minor", weight=1),),
                    ),
                )
            },
            "suggestions are shown where one segment is on the screen",
        ),
    ],
)
def test_a_faulty_declaration_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Segments(**{"id": "q", "ask": "?", "questions": (SCORE,), **fields})
