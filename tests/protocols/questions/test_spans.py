"""Error spans: pieces of the translation with severity and category, and what they cost."""

from random import Random

import pytest

from jurat.errors import InputError
from jurat.model import Item
from jurat.protocols.questions.spans import Category, Severity, Spans
from tests.protocols.items import KINDS, SPANS, item, rows

PLAIN = KINDS["three spans"]
TEXT = "The 猫 sat."


def about() -> Item:
    return item(TEXT)


def span(start: object = 0, end: object = 3, **more: object) -> dict[str, object]:
    return {"start": start, "end": end, "severity": "major", "category": "accuracy", **more}


def test_no_error_is_an_answer() -> None:
    assert SPANS.check([], about()) == []
    (row,) = rows(SPANS, [], about())
    assert (row.table, row.values["value"]) == ("judgments", 0.0)
    assert str(row.values["value"]) == "0.0"


def test_a_span_counts_code_points_and_keeps_all_it_has() -> None:
    kept = SPANS.check([span(4, 5)], about())
    assert kept == [{**span(4, 5), "missing": False}]
    assert TEXT[4:5] == "猫"


def test_rows_and_weights() -> None:
    given = [span(), span(severity="minor"), span(severity="minor", category="style")]
    found = rows(SPANS, given, about())
    assert [row.table for row in found] == ["spans", "spans", "spans", "judgments"]
    assert [row.values.get("weight") for row in found[:3]] == [5, 1, 0.1]
    assert found[3].values["value"] == pytest.approx(-6.1)
    assert found[0].values == {
        "system": "m1",
        "question": "q",
        **span(),
        "missing": False,
        "weight": 5,
    }


def test_what_is_missing_has_a_place_and_no_text() -> None:
    assert SPANS.check([span(len(TEXT), len(TEXT), missing=True)], about())
    with pytest.raises(InputError, match="omissions cannot be marked here"):
        PLAIN.check([{"start": 0, "end": 0, "severity": "major", "missing": True}], about())


WRONG = {
    "no list": ("x", "a list of marked errors"),
    "nothing": (None, "a list of marked errors"),
    "no span": ([5], "a list of marked errors"),
    "unknown field": ([span(weight=0)], "a list of marked errors"),
    "text as start": ([span("0")], "a list of marked errors"),
    "half a start": ([span(0.5)], "a list of marked errors"),
    "truth as start": ([span(False)], "a list of marked errors"),
    "no severity at all": ([{"start": 0, "end": 1}], "a list of marked errors"),
    "before the text": ([span(-1, 2)], "-1 to 2 is not part"),
    "after the text": ([span(0, 11)], "0 to 11 is not part"),
    "far after it": ([span(0, 10**400)], "0 to a huge number is not part"),
    "backwards": ([span(3, 1)], "3 to 1 is not part"),
    "empty": ([span(3, 3)], "3 to 3 is not part"),
    "unknown severity": ([span(severity="mayor")], "not a severity.*did you mean 'major'"),
    "unknown category": ([span(category="stile")], "not a category.*did you mean 'style'"),
    "no category": ([span(category=None)], "the category is missing"),
    "second one wrong": ([span(), span(9, 9)], "9 to 9 is not part"),
}


@pytest.mark.parametrize(("answer", "problem"), WRONG.values(), ids=WRONG)
def test_refused(answer: object, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        SPANS.check(answer, about())


def test_a_category_only_where_there_are_any() -> None:
    with pytest.raises(InputError, match="errors have no category here"):
        PLAIN.check([span()], about())


def test_only_so_many() -> None:
    one = {"start": 0, "end": 1, "severity": "minor"}
    assert PLAIN.check([one] * 3, about())
    with pytest.raises(InputError, match="at most 3"):
        PLAIN.check([one] * 4, about())


def test_all_faults_of_a_declaration_at_once() -> None:
    major = Severity(value="major", label="M", weight=5)
    strange = Category(value="c", label="C", weights={"mayor": 1, "x": 2})
    with pytest.raises(InputError) as caught:
        Spans(id="q", ask="?", severities=(major, major), categories=(strange, strange), most=0)
    found = [(problem.field, str(problem.message)) for problem in caught.value.problems]
    assert found == [
        ("most", "at least one error must be allowed"),
        ("severities", "'major' occurs 2 times"),
        ("categories", "'c' occurs 2 times"),
        *[
            (f"categories.{n}.weights", f"'{word}' is not a severity of this question")
            for n in (1, 2)
            for word in ("mayor", "x")
        ],
    ]
    assert "did you mean 'major'" in str(caught.value)


def test_an_error_that_stands_alone() -> None:
    whole = Category(value="whole", label="All of it", alone=True)
    question = Spans(
        id="q", ask="?", severities=SPANS.severities, categories=(*SPANS.categories, whole)
    )
    assert question.check([span(category="whole")], about())
    with pytest.raises(InputError, match="an error 'whole' must be the only one"):
        question.check([span(), span(category="whole")], about())
    only = Spans(id="q", ask="?", severities=SPANS.severities, categories=(whole,))
    for seed in range(20):
        assert len(only.check(only.simulate(about(), [0.0], Random(seed)), about())) <= 1  # type: ignore[arg-type]
        marked = question.simulate(about(), [0.0], Random(seed))
        assert question.check(marked, about()) == marked


def test_severities_are_needed() -> None:
    with pytest.raises(InputError, match="at least one severity"):
        Spans(id="q", ask="?", severities=())
