"""Protocols: conditions, legal answers, score, order, version."""

from random import Random

import msgspec
import pytest

from jurat import protocols
from jurat.errors import InputError
from jurat.protocols import Protocol
from jurat.protocols.protocol import Score, Stage
from jurat.protocols.questions import NA, Question
from jurat.protocols.questions.choice import Choice
from jurat.protocols.questions.preference import Preference
from jurat.protocols.questions.scale import Point, Scale
from jurat.protocols.questions.slider import Slider
from jurat.protocols.questions.text import Text
from tests.protocols.items import item

TAPET = protocols.load("tapet-adequacy")


def scale(name: str, top: int = 3, **more: object) -> Scale:
    points = tuple(Point(value=value) for value in range(top, 0, -1))
    return Scale(id=name, ask="?", points=points, **more)  # type: ignore[arg-type]


def choice(name: str, **more: object) -> Choice:
    return Choice(id=name, ask="?", **more)  # type: ignore[arg-type]


def protocol(*questions: Question, **more: object) -> Protocol:
    stages = (Stage(show=("translation",), questions=questions),)
    words = dict.fromkeys(("title", "about", "citation", "guidelines"), "words")
    return Protocol(**{"name": "mine", **words, "stages": stages, **more})  # type: ignore[arg-type]


def problems(*questions: Question, **more: object) -> list[tuple[str | None, str]]:
    with pytest.raises(InputError) as caught:
        protocol(*questions, **more)
    return [(problem.field, problem.message) for problem in caught.value.problems]


def complaints(one: Protocol, answers: dict[str, object], **more: int) -> list[str]:
    with pytest.raises(InputError) as caught:
        one.check(answers, item(), **more)
    return [str(problem) for problem in caught.value.problems]


# What is asked


@pytest.mark.parametrize("adequacy", [5, 6, 7])
def test_the_second_question_comes_after_the_top_three(adequacy: int) -> None:
    answers = {"adequacy": adequacy, "same-meaning": "no"}
    assert TAPET.check(answers, item()) == answers
    assert [q.id for q in TAPET.asked(answers)] == ["adequacy", "same-meaning"]
    assert complaints(TAPET, {"adequacy": adequacy}) == [
        "field same-meaning: 'same-meaning' is not answered"
    ]


@pytest.mark.parametrize("adequacy", [1, 2, 3, 4])
def test_and_not_after_the_others(adequacy: int) -> None:
    assert TAPET.check({"adequacy": adequacy}, item()) == {"adequacy": adequacy}
    assert TAPET.check({"adequacy": adequacy, "same-meaning": None}, item())
    assert complaints(TAPET, {"adequacy": adequacy, "same-meaning": "yes"}) == [
        "field same-meaning: 'same-meaning' is not asked after these answers"
    ]


def test_all_that_is_wrong_at_once() -> None:
    given = {"adequacy": 7, "same-meaning": "perhaps", "adequcy": 5, "x": None}
    assert complaints(TAPET, given) == [
        "field same-meaning: 'perhaps' is not one of the options; allowed: yes, no",
        "unknown question 'adequcy'; allowed: adequacy, same-meaning; did you mean 'adequacy'?",
        "unknown question 'x'; allowed: adequacy, same-meaning",
    ]


@pytest.mark.parametrize(
    "strange", [[7], {"a": 7}, "7", "n/a", True, 10**400, float("nan")], ids=repr
)
def test_a_condition_survives_strange_answers(strange: object) -> None:
    assert any(
        "not a point of the scale" in said for said in complaints(TAPET, {"adequacy": strange})
    )


def test_not_applicable_makes_no_condition_true() -> None:
    mine = protocol(scale("a", not_applicable=True), choice("b", when="a >= 1"))
    assert mine.check({"a": NA}, item()) == {"a": NA}


@pytest.mark.parametrize("blank", [None, "", "  \n"])
def test_optional_and_required(blank: object) -> None:
    mine = protocol(scale("a"), Text(id="why", ask="?", required=False))
    assert mine.check({"a": 1, "why": blank}, item()) == {"a": 1}
    assert mine.check({"a": 1, "why": " x "}, item()) == {"a": 1, "why": "x"}
    assert complaints(mine, {"a": blank, "why": "x"}) == ["field a: 'a' is not answered"]


CHAIN = protocol(scale("a"), choice("b", when="a == 3"), choice("c", when="b == 'yes'"))


@pytest.mark.parametrize(
    ("answers", "asked"),
    [
        ({}, "a"),
        ({"a": 3}, "ab"),
        ({"a": 3, "b": "no"}, "ab"),
        ({"a": 3, "b": "yes"}, "abc"),
        ({"a": 1, "b": "yes"}, "a"),
    ],
)
def test_what_was_not_asked_makes_nothing_else_asked(
    answers: dict[str, object], asked: str
) -> None:
    assert "".join(question.id for question in CHAIN.asked(answers)) == asked


STAGED = msgspec.structs.replace(
    protocol(scale("a")),
    stages=(
        Stage(show=("translation",), questions=(scale("a"),)),
        Stage(show=("source", "translation"), questions=(scale("b"), choice("c", when="a == 3"))),
    ),
)


def test_one_stage_at_a_time() -> None:
    assert STAGED.check({"a": 3}, item(), stage=0) == {"a": 3}
    second = {"a": 3, "b": 1, "c": "yes"}
    assert STAGED.check(second, item(), stage=1) == {"b": 1, "c": "yes"}
    assert STAGED.check(second, item()) == second
    assert complaints(STAGED, {"a": 1, "b": 1}, stage=0) == [
        "field b: 'b' is asked at a later stage"
    ]
    assert complaints(STAGED, {"a": 1, "b": 1, "c": "yes"}, stage=1) == [
        "field c: 'c' is not asked after these answers"
    ]
    assert [q.id for q in STAGED.asked({"a": 3}, stage=1)] == ["b", "c"]


def test_simulated_answers_follow_the_conditions() -> None:
    random = Random(3)
    for quality in (0.0, 0.4, 0.8, 1.0):
        answers = TAPET.simulate(item(), [quality], random)
        assert TAPET.check(answers, item()) == answers
        assert ("same-meaning" in answers) == (answers["adequacy"] >= 5)  # type: ignore[operator]


# Rows


def test_rows_carry_the_items_columns_and_tags_cannot_change_them() -> None:
    about = item(
        references={"r1": "x", "r2": "y"}, tags={"genre": "news", "item": "evil", "value": "9"}
    )
    found = [row.values for row in TAPET.rows({"adequacy": 7, "same-meaning": "yes"}, about)]
    common = {
        "item": "i1",
        "document": "d1",
        "segment": "s1",
        "reference": "r1+r2",
        "genre": "news",
        "system": "m1",
        "na": False,
    }
    assert found == [
        {**common, "question": "adequacy", "value": 7.0, "label": "All"},
        {**common, "question": "same-meaning", "value": 1.0, "label": "yes"},
    ]


def test_no_reference_is_none() -> None:
    (row,) = TAPET.rows({"adequacy": 1}, item(references={}))
    assert row.values["reference"] is None


# Score


def test_no_score_without_a_rule() -> None:
    assert protocol(scale("a")).score_of({"a": 1}, item()) is None


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (("b",), "'b' is not a question of this protocol"),
        (("why",), "'why' has no number to score: it is a text"),
        ((), "at least one question is needed"),
    ],
)
def test_faulty_score(names: tuple[str, ...], problem: str) -> None:
    questions = (scale("a"), Text(id="why", ask="?"))
    score = Score(rule="mean", questions=names)
    assert problems(*questions, score=score) == [("score.questions", problem)]


# Order

SEVEN = "7-yes 7-no 6-yes 6-no 5-yes 5-no 4 3 2 1"
FIVE = "5-yes 5-no 4-yes 4-no 3-yes 3-no 2 1"


@pytest.mark.parametrize(("name", "order"), [("tapet-adequacy", SEVEN), ("tapet-adequacy-5", FIVE)])
def test_tapets_order(name: str, order: str) -> None:
    one = protocols.load(name)
    for place, answers in enumerate(order.split(), 1):
        adequacy, _, same = answers.partition("-")
        given = {"adequacy": int(adequacy), **({"same-meaning": same} if same else {})}
        assert one.place_of(one.check(given, item())) == place
    assert len(one.order) == len(order.split())


def test_no_place_without_an_order_or_an_answer() -> None:
    assert protocol(scale("a")).place_of({"a": 1}) is None
    assert TAPET.place_of({}) is None


def ordered(*places: dict[str, object]) -> list[tuple[str | None, str]]:
    return problems(scale("a"), choice("b", when="a == 3"), order=places)


UP_TO_TWO: list[dict[str, object]] = [{"a": 2}, {"a": 1}]


def test_a_missing_place() -> None:
    found = ordered({"a": 3, "b": "yes"}, *UP_TO_TWO)
    assert found == [("order", "the order has no entry for a 3, b no")]


def test_an_impossible_place() -> None:
    found = ordered({"a": 3}, {"a": 2, "b": "yes"}, *UP_TO_TWO, {"a": 4})
    assert found == [
        ("order.2", "no answers match the entry a 2, b yes"),
        ("order.5", "no answers match the entry a 4"),
    ]


def test_a_place_in_the_shadow_of_another() -> None:
    found = ordered({"a": 3}, {"a": 3, "b": "no"}, *UP_TO_TWO)
    assert found == [("order.2", "no answers match the entry a 3, b no")]


def test_an_unknown_question_in_the_order() -> None:
    found = ordered({"a": 3, "bb": "yes"}, *UP_TO_TWO)
    assert found == [("order.1", "'bb' is not a question of this protocol")]


def test_an_order_of_what_cannot_be_listed() -> None:
    slider = Slider(id="s", ask="?")
    assert problems(slider, order=({"s": 1},)) == [
        ("order", "'s' cannot be in the order: it is a slider")
    ]


def test_an_order_of_too_many_things_does_not_take_for_ever() -> None:
    questions = [scale(f"q{n}", 5) for n in range(12)]
    place = {question.id: 1 for question in questions}
    ((field, message),) = problems(*questions, order=(place,))
    assert field == "order"
    assert "244140625 combinations; at most 1000" in message


def test_an_order_looks_through_chains_of_conditions() -> None:
    chain = tuple(CHAIN.questions.values())
    good = ({"c": "yes"}, {"c": "no"}, {"b": "no"}, {"a": 2}, {"a": 1})
    assert protocol(*chain, order=good).place_of({"a": 3, "b": "no"}) == 3
    assert problems(*chain, order=good[:2]) == [
        ("order", "the order has no entry for a 3, b no"),
        ("order", "the order has no entry for a 2"),
        ("order", "the order has no entry for a 1"),
    ]


def test_places_may_be_written_as_texts() -> None:
    one = protocol(scale("a", 2), order=({"a": "2"}, {"a": 1}))
    assert one.place_of({"a": 2}) == 1


# Faults of the whole


def test_faults_all_at_once() -> None:
    pair = Preference(id="p", ask="?", labels={"a": "1", "b": "2"})
    found = problems(
        scale("a"),
        choice("a", when="later == 1 and a == 2"),
        pair,
        choice("later"),
        name="my protocol",
        score=Score(rule="mean", questions=("aa",)),
    )
    assert found == [
        (
            "name",
            "'my protocol' is not a valid protocol name: "
            "letters, digits and hyphens only, a letter first",
        ),
        ("stages.1.questions.2.id", "'a' is asked twice"),
        ("stages.1.questions.2.when", "'later' is not a question asked before this one"),
        (
            "stages.1.questions.3.kind",
            "a preference needs systems: two; here systems: one",
        ),
        ("score.questions", "'aa' is not a question of this protocol"),
    ]


def test_a_question_cannot_depend_on_itself() -> None:
    ((field, message),) = problems(choice("a", when="a == 'yes'"))
    assert (field, message) == (
        "stages.1.questions.1.when",
        "'a' is not a question asked before this one",
    )


def test_something_is_shown_and_asked() -> None:
    assert problems() == [("stages", "at least one question is needed")]
    assert problems(stages=()) == [("stages", "at least one question is needed")]
    stage = Stage(show=("source",), questions=(scale("a"),))
    assert problems(stages=(stage,)) == [("stages.1.show", "every stage must show the translation")]


# Version and plain data

TEXT = """\
name: mine
title: A title
about: About it
citation: Nobody (2024)
guidelines: Do it.
stages:
  - show: [translation]
    questions:
      - id: concepts
        kind: concepts
        ask: {source: What?, reference: Which?}
        labels: {ok: Fine, wrong: Wrong}
      - {id: good, kind: choice, ask: Good?}
score: {rule: share, questions: [concepts, good]}
order:
  - {good: yes}
  - {good: no}
"""


def version(text: str) -> str:
    return protocols.read(text.encode(), file="f").version


SAME = {
    "comments": TEXT.replace("title:", "# why\ntitle:"),
    "key order": "score: {questions: [concepts, good], rule: share}\n"
    + TEXT.replace("score: {rule: share, questions: [concepts, good]}\n", ""),
    "order of names": TEXT.replace(
        "{source: What?, reference: Which?}", "{reference: Which?, source: What?}"
    ),
    "defaults": TEXT + "final: true\nsystems: one\n",
    "default options": TEXT.replace(
        "ask: Good?}",
        "ask: Good?, options: [{value: yes, label: Yes, number: 1},"
        " {value: no, label: No, number: 0.0}]}",
    ),
    "quotes": TEXT.replace("A title", "'A title'"),
}
OTHER = {
    "a word": TEXT.replace("A title", "A  title!"),
    "guidelines": TEXT.replace("Do it.", "Do it now."),
    "final": TEXT + "final: false\n",
    "order of outcomes": TEXT.replace("{ok: Fine, wrong: Wrong}", "{wrong: Wrong, ok: Fine}"),
    "order of places": TEXT.replace("yes}\n  - {good: no}", "no}\n  - {good: yes}"),
    "a kind": TEXT[: TEXT.index("score")].replace("kind: choice", "kind: text"),
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_the_version_stays(text: str) -> None:
    assert text != TEXT
    assert version(text) == version(TEXT)


@pytest.mark.parametrize("text", OTHER.values(), ids=OTHER)
def test_the_version_changes(text: str) -> None:
    assert version(text) != version(TEXT)


def test_a_version_is_twelve_digits() -> None:
    assert len(version(TEXT)) == 12
    int(version(TEXT), 16)


def test_plain_data_leave_defaults_out() -> None:
    plain = protocols.read(TEXT.encode(), file="f").plain()
    assert isinstance(plain, dict)
    assert set(plain) == {
        *("name", "title", "about", "citation", "guidelines", "stages", "score", "order")
    }
    concepts, good = plain["stages"][0]["questions"]
    assert good == {"kind": "choice", "id": "good", "ask": "Good?"}
    assert concepts["kind"] == "concepts"


def test_dumped_and_read_again() -> None:
    mine = protocols.read(TEXT.encode(), file="f")
    again = protocols.read(protocols.dump(mine).encode(), file="f")
    assert (again, again.version) == (mine, mine.version)
    as_json = protocols.read(msgspec.json.encode(mine.plain()), file="f.json")
    assert (as_json, as_json.version) == (mine, mine.version)
