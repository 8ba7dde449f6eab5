"""The same questions about each of several translations."""

from typing import Any

import pytest

from jurat import protocols
from jurat.errors import InputError
from jurat.protocols.questions import Example
from jurat.protocols.questions.each import Each
from jurat.protocols.questions.ranking import Ranking
from jurat.protocols.questions.slider import Slider
from tests.protocols.items import KINDS, item, rows

EACH = KINDS["each"]
assert isinstance(EACH, Each)
ITEM = item("One bad word.", "All is well.", "All is well here.")
BAD = {"start": 4, "end": 7, "severity": "major", "category": None, "missing": False}
ANSWER: list[dict[str, Any]] = [
    {"errors": [BAD], "score": 40, "why": "A word."},
    {"errors": [], "score": 90},
    {"errors": [], "score": 90},
]


def test_every_translation_has_rows_of_its_own_with_its_place() -> None:
    made = rows(EACH, ANSWER, ITEM)
    told = [
        (r.values["system"], r.values["slot"], r.values["question"], r.values["value"])
        for r in made
        if r.table == "judgments"
    ]
    assert told == [
        ("m1", 1, "errors", -5.0),
        ("m1", 1, "score", 40.0),
        ("m2", 2, "errors", 0.0),
        ("m2", 2, "score", 90.0),
        ("m3", 3, "errors", 0.0),
        ("m3", 3, "score", 90.0),
    ]
    assert [r.values["system"] for r in made if r.table == "spans"] == ["m1"]
    assert [r.values["text"] for r in made if r.table == "texts"] == ["A word."]


def test_the_numbers_imply_an_order_in_which_equal_ones_are_tied() -> None:
    made = [r.values for r in rows(EACH, ANSWER, ITEM) if r.table == "rankings"]
    assert [(row["system"], row["slot"], row["rank"]) for row in made] == [
        ("m1", 1, 2),
        ("m2", 2, 1),
        ("m3", 3, 1),
    ]
    assert {row["question"] for row in made} == {"q"}


def wrong(answer: object) -> list[tuple[str | None, str]]:
    with pytest.raises(InputError) as caught:
        EACH.check(answer, ITEM)
    return [(problem.field, problem.code or problem.message) for problem in caught.value.problems]


def test_what_is_wrong_is_said_of_its_translation() -> None:
    beyond = {**BAD, "start": 10, "end": 99}
    assert wrong(
        [{"errors": [beyond], "score": 40}, {"errors": []}, {"errors": [], "score": 101}]
    ) == [
        ("q.1.errors", "span-first"),
        ("q.2.score", "missing"),
        ("q.3.score", "101 is not a number from 0 to 100"),
    ]
    assert wrong([{"errors": [], "score": 90}])[0][0] == "q"
    assert wrong("all fine")[0][0] == "q"
    unasked = [{"errors": [], "score": 90, "why": "Why not?"}, *ANSWER[1:]]
    assert wrong(unasked) == [("q.1.why", "'why' is not asked of translation 1")]


def test_a_draft_keeps_what_is_legal() -> None:
    begun = [{"errors": [BAD], "score": 400}, {}, {"score": 7}]
    assert EACH.usable(begun, ITEM) == [{"errors": [BAD]}, {}, {"score": 7}]
    assert EACH.usable([{}, {}, {}], ITEM) is None
    assert EACH.usable([{"score": 7}], ITEM) is None


def test_a_form_without_script_names_the_places() -> None:
    class Shown:
        translations = tuple(one.text for one in ITEM.translations)
        concepts = comprehension = ()

    form = {f"q.q.{n}.errors.looked": "1" for n in (1, 2, 3)}
    form |= {"q.q.1.errors.1.from": "4-7", "q.q.1.errors.1.severity": "major"}
    form |= {"q.q.1.score": "40", "q.q.2.score": "90", "q.q.3.score": "90", "q.q.1.why": "A word."}
    read = EACH.read_form(form, Shown())
    assert EACH.check(read, ITEM) == ANSWER
    assert EACH.read_form({}, Shown()) is None


def test_an_example_is_told_translation_by_translation() -> None:
    example = Example(
        answer=ANSWER[:2], because="So.", translation=("One bad word.", "All is well.")
    )
    told = EACH.describe(example, lambda key, **values: " ".join([key, *map(str, values.values())]))
    assert told.parts == (
        ("translation-n 1", "bad: Major · step-of 40 100 · A word."),
        ("translation-n 2", "span-none · step-of 90 100"),
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"questions": ()}, "at least one question is needed"),
        (
            {"questions": (Ranking(id="r", ask="?"),)},
            "a ranking cannot be asked of one translation",
        ),
        (
            {"questions": (Slider(id="s", ask="?", when="t > 1"),)},
            "'t' is not a question asked before",
        ),
        ({"ranked_by": "t"}, "'t' is not one of these questions"),
    ],
)
def test_a_faulty_declaration_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Each(**{"id": "q", "ask": "?", "questions": (Slider(id="s", ask="?"),), **fields})


def test_scores_of_each_translation() -> None:
    protocol = protocols.load("contrastive-esa")
    answer = [{name: one[name] for name in ("errors", "score")} for one in ANSWER]
    assert protocol.scores({"translations": answer}, ITEM) == [40.0, 90.0, 90.0]
    assert protocol.tolerance == 25
