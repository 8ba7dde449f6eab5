"""Reading plain forms: one answer for each kind of question, or none."""

from typing import Any

import pytest

from jurat import protocols
from jurat.campaigns import Screen
from jurat.campaigns.screens import Choices
from jurat.model import Suggestion
from jurat.protocols.localization import in_language
from jurat.protocols.questions import NA
from jurat.protocols.questions.scale import Point, Scale
from jurat.protocols.questions.slider import Slider
from jurat.protocols.questions.spans import Category, Severity, Spans
from jurat.protocols.questions.spans.plain_form import FORM_ROWS
from tests.protocols.items import KINDS

SCREEN = Screen(
    assignment="a",
    position=1,
    steps=1,
    task="t",
    phase="evaluation",
    stage=0,
    source=None,
    references=(),
    translations=("Some 😀 words.", "Others."),
    context=(),
    concepts=("who", "when"),
    comprehension=(Choices(ask="Who?", options=("he", "she")),) * 2,
    questions={},
    earlier={},
)


def question(protocol: str, name: str) -> Any:
    return protocols.load(protocol).questions[name]


def read(asked: Any, **fields: str) -> object:
    form = {name.replace("__", "."): value for name, value in fields.items()}
    answer: object = asked.read_form(form, SCREEN)
    return answer


def test_a_point_comes_back_as_the_number_it_is() -> None:
    scale = Scale(
        id="s",
        ask="?",
        not_applicable=True,
        points=(Point(value=1), Point(value=0), Point(value=-1)),
    )
    assert read(scale, q__s="-1") == -1
    assert read(scale, q__s="n/a") == NA
    assert read(scale, q__s="7") == "7"  # which the question refuses
    assert read(scale) is None


@pytest.mark.parametrize(
    ("protocol", "name", "brief"),
    [
        ("tapet-adequacy", "adequacy", True),
        ("tapet-adequacy", "same-meaning", True),
        ("ldc-adequacy", "adequacy", True),
        ("preference", "preference", False),
        ("clarity", "clarity", False),
        ("sqm", "quality", False),
    ],
)
def test_short_answers_keep_their_row_on_a_phone(protocol: str, name: str, brief: bool) -> None:
    asked = question(protocol, name)
    assert asked.fits_on_phone() is brief


@pytest.mark.parametrize(
    ("sent", "answer"), [("64", 64), ("64.5", 64.5), (" 7 ", 7), ("", None), ("much", "much")]
)
def test_a_slider_is_a_number(sent: str, answer: object) -> None:
    assert read(Slider(id="s", ask="?"), q__s=sent) == answer


def test_a_slider_may_not_apply() -> None:
    assert read(Slider(id="s", ask="?", not_applicable=True), q__s="5", q__s__na="1") == NA


def test_lists_are_answered_when_all_of_them_are() -> None:
    reading, concepts = question("comprehension", "reading"), question("concepts", "concepts")
    assert read(reading, q__reading__1="2", q__reading__2="1") == [2, 1]
    assert read(reading, q__reading__1="2") is None
    assert read(concepts, q__concepts__1="changed", q__concepts__2="missing") == [
        *("changed", "missing"),
    ]
    assert read(concepts, q__concepts__2="missing") is None


def test_a_ranking_comes_as_places_or_from_the_script() -> None:
    ranking = question("ranking", "ranking")
    assert read(ranking, q__ranking__1="2", q__ranking__2="1") == [2, 1]
    assert read(ranking, q__ranking__1="2", q__ranking__2="") is None
    assert read(ranking, q__ranking__json="[1,1]") == [1, 1]
    assert read(ranking, q__ranking__json="[1,") == "[1,"


def test_words_lose_only_the_forms_line_ends() -> None:
    assert read(question("informativeness", "message"), q__message="a\r\nb") == "a\nb"
    assert read(question("informativeness", "message"), q__message=" \n ") is None


# Error spans


def row(n: int, **parts: str) -> dict[str, str]:
    names = ("from", "to", "severity", "category")
    given = {name: parts.get(name.replace("from", "first"), "") for name in names}
    ticked = {"missing": "1"} if "missing" in parts else {}
    return {f"q__errors__{n}__{name}": value for name, value in {**given, **ticked}.items()}


def test_a_row_is_an_error() -> None:
    errors = question("mqm", "errors")
    sent = {
        **row(1, first="0-4", to="7-12", severity="major", category="other"),
        **row(2),
        **row(3, first="5-6", severity="minor", category="style/awkward"),
        **row(4, first="7-12", severity="minor", category="other", missing="1"),
        **row(5, severity="minor", missing="1"),
    }
    assert read(errors, **sent) == [
        {"start": 0, "end": 12, "severity": "major", "category": "other"},
        {"start": 5, "end": 6, "severity": "minor", "category": "style/awkward"},
        {"start": 7, "end": 7, "severity": "minor", "category": "other", "missing": True},
        {"start": 0, "end": 0, "severity": "minor", "missing": True},
    ]


def test_without_rows_somebody_must_have_looked() -> None:
    errors = question("esa", "errors")
    assert read(errors, **row(1)) is None
    assert read(errors, **row(1), q__errors__looked="1") == []


def test_the_script_sends_all_at_once() -> None:
    sent = '[{"start":0,"end":4,"severity":"minor"}]'
    assert read(question("esa", "errors"), q__errors__json=sent, **row(1, first="5-6")) == [
        {"start": 0, "end": 4, "severity": "minor"}
    ]
    assert read(question("esa", "errors"), q__errors__json="[{") == "[{"


def test_rows_have_sources_marks_comments_and_suggestions() -> None:
    wide = KINDS["spans of all kinds"]
    assert isinstance(wide, Spans)
    sent = {
        "q.q.1.from": "source:3-9", "q.q.1.severity": "major", "q.q.1.comment": "lost",
        "q.q.2.from": "mark:nonsense", "q.q.2.severity": "minor",
        "q.q.3.from": "0-3", "q.q.3.to": "4-8", "q.q.3.severity": "minor", "q.q.3.suggestion": "2",
        # a suggestion whose row was emptied is removed
        "q.q.4.from": "", "q.q.4.suggestion": "1",
    }  # fmt: skip
    assert wide.read_form(sent, SCREEN) == [
        {"side": "source", "start": 3, "end": 9, "severity": "major", "comment": "lost"},
        {"mark": "nonsense", "severity": "minor"},
        {"start": 0, "end": 8, "severity": "minor", "suggestion": 2},
    ]
    suggested = (Suggestion(start=0, end=3, severity="major"),)
    (first, *_) = wide.form_rows(None, suggested)
    # what needs confirming has its severity chosen again
    assert (first["start"], first["severity"], first["suggestion"]) == (0, "", 1)
    assert wide.form_rows([], suggested) == [{}] * FORM_ROWS


def test_nonsense_in_a_row_is_left_to_the_check() -> None:
    assert read(question("esa", "errors"), **row(1, first="x", to="9999999-1")) == [
        {"start": 0, "end": 0, "severity": ""}
    ]


def test_there_is_room_for_what_was_marked_and_for_more() -> None:
    errors, most = question("esa", "errors"), question("mqm", "errors")
    marked = [{"start": 0, "end": 1, "severity": "minor"}] * (FORM_ROWS + 2)
    assert errors.form_rows(None) == [{}] * FORM_ROWS
    assert errors.form_rows(marked) == marked
    assert most.form_rows(marked[:1]) == [marked[0], *[{}] * 4]


def test_categories_are_grouped_by_their_names() -> None:
    groups = question("mqm", "errors").category_groups()
    assert [(kinds.label, len(kinds.members)) for kinds in groups] == [
        *(("Accuracy", 4), ("Fluency", 6), ("Terminology", 2), ("Style", 1)),
        *(("Locale convention", 6), ("", 1), ("", 1), ("", 1)),
    ]
    assert [each.label for each in groups[0].members][:2] == ["Addition", "Omission"]
    assert [each.label for each in groups[-1].members] == ["Other"]


def test_other_languages_write_the_stroke_otherwise() -> None:
    mqm = in_language(protocols.load("mqm"), "zh")
    errors = mqm.questions["errors"]
    assert isinstance(errors, Spans)
    (first, *_) = errors.category_groups()
    assert (first.label, first.members[0][1]) == ("准确性", "增译")


def test_marks_look_as_bad_as_they_are() -> None:
    kinds = (Category(value="x", label="X"),)
    severities = tuple(
        Severity(value=v, label=v, weight=w) for v, w in (("a", 5), ("b", 1), ("c", 0))
    )
    errors = Spans(id="e", ask="?", severities=severities, categories=kinds)
    assert errors.severity_ranks() == {"a": 2, "b": 1, "c": 0}
