"""Error spans: pieces of the translation with severity and category, and what they cost."""

from random import Random

import pytest
from msgspec.structs import replace

from jurat.errors import InputError
from jurat.model import Item, Shown, Suggestion
from jurat.protocols.questions.spans import Category, Severity, Spans, SpecialMark
from tests.protocols.items import KINDS, SPANS, item, rows

SPANS_OF = {name: one for name, one in KINDS.items() if isinstance(one, Spans)}
PLAIN = SPANS_OF["three spans"]
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


# Sources, special marks, comments and suggestions

WIDE = SPANS_OF["spans of all kinds"]
ABOUT = replace(
    item(TEXT),
    translations=(
        Shown(
            system="m1",
            text=TEXT,
            suggestions=(
                Suggestion(start=0, end=3, severity="major", by="gemba"),
                Suggestion(start=4, end=5, severity="minor", by="gemba"),
                Suggestion(start=6, end=9, severity="minor", by="gemba"),
            ),
        ),
    ),
    suggested=True,
)


def plain(start: int, end: int, severity: str = "major", **more: object) -> dict[str, object]:
    cells = {"start": start, "end": end, "severity": severity, "category": None, "missing": False}
    return {**cells, **more}


def test_an_error_of_the_source_is_missing_in_the_translation() -> None:
    given = [plain(0, 6, side="source", comment=" left out ")]
    assert WIDE.check(given, about()) == [plain(0, 6, side="source", comment="left out")]
    marked = rows(WIDE, given, about())[0].values
    assert (marked["start"], marked["end"], marked["missing"]) == (0, 0, True)
    assert (marked["source_start"], marked["source_end"]) == (0, 6)
    assert marked["comment"] == "left out"


def test_a_special_mark_is_missing_at_the_end_with_its_name_as_category() -> None:
    given = [{"mark": "instructions-fault", "severity": "minor"}]
    marked, judged = rows(WIDE, given, about())
    assert (marked.values["start"], marked.values["end"]) == (len(TEXT), len(TEXT))
    assert (marked.values["category"], marked.values["missing"]) == ("instructions-fault", True)
    # its own weight
    assert judged.values["value"] == -2


def test_the_fate_of_suggestions() -> None:
    given = [plain(0, 3, suggestion=1), plain(4, 9, "minor", suggestion=2), plain(9, 10)]
    found = rows(WIDE, given, ABOUT)
    spans = [row.values for row in found if row.table == "spans"]
    assert [row["fate"] for row in spans] == ["kept", "changed", "added"]
    assert [row["suggested_by"] for row in spans] == ["gemba", "gemba", None]
    told = [row.values for row in found if row.table == "suggestions"]
    assert [(row["start"], row["fate"]) for row in told] == [
        (0, "kept"),
        (4, "changed"),
        (6, "removed"),
    ]
    # without suggestions on the screen there is no fate
    (row, _) = rows(WIDE, [plain(0, 3)], about())
    assert "fate" not in row.values


MORE_WRONG = {
    "beyond the source": ([plain(0, 7, side="source")], "0 to 7 is not part of the source"),
    "gap in the source": ([plain(1, 1, side="source", missing=True)], "1 to 1 is not part"),
    "unknown side": ([plain(0, 1, side="above")], "a list of marked errors"),
    "unknown mark": ([{"mark": "instruction-fault", "severity": "minor"}], "did you mean"),
    "no severity": ([{"mark": "instructions-fault", "severity": ""}], "severity is missing"),
    "long comment": ([plain(0, 1, comment="x" * 501)], "at most 500"),
    "shared words": ([plain(0, 5), plain(4, 6)], "must not share words"),
    "no such suggestion": ([plain(0, 1, suggestion=4)], "each number from 1 to 3"),
    "none": ([plain(0, 1, suggestion=0)], "each number from 1 to 3"),
    "twice": ([plain(0, 1, suggestion=1), plain(2, 3, suggestion=1)], "each number from 1 to 3"),
}


@pytest.mark.parametrize(("answer", "problem"), MORE_WRONG.values(), ids=MORE_WRONG)
def test_more_is_refused(answer: object, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        WIDE.check(answer, ABOUT)


def test_what_a_protocol_does_not_offer_is_refused() -> None:
    for more in ({"side": "source"}, {"comment": "x"}, {"mark": "m"}, {"suggestion": 1}):
        with pytest.raises(InputError):
            PLAIN.check([plain(0, 3, **more)], ABOUT)


def test_suggestions_of_other_tools_fit() -> None:
    given = [
        Suggestion(start=0, end=3, severity="Major", category="Accuracy"),
        Suggestion(start=9, end=9, severity="minor", missing=True, category="[instructions fault]"),
    ]
    first, second = WIDE.fitting(given, about())
    assert (first.severity, first.category) == ("major", None)
    assert (second.mark, second.missing) == ("instructions-fault", False)
    with pytest.raises(InputError, match="'critical' is not a severity"):
        WIDE.fitting([Suggestion(start=0, end=3, severity="critical")], about())


def test_keys_of_marks() -> None:
    keys = {choice.value: choice.key for choice in WIDE.mark_choices()}
    assert keys == {"instructions-fault": "i", "nonsense": "e"}
    with pytest.raises(InputError, match="cannot be the key of a mark"):
        replace(WIDE, marks=(SpecialMark(value="x", label="X", key="m"),))


def test_bots_do_something_of_everything() -> None:
    random = Random(3)
    given = [WIDE.simulate(ABOUT, [0.2], random) for _ in range(80)]
    assert all(WIDE.check(answer, ABOUT) == answer for answer in given)
    found = {
        row.values["fate"]
        for answer in given
        for row in rows(WIDE, answer, ABOUT)[:-3]
        if row.table == "spans"
    }
    assert found == {"kept", "changed", "added"}
    assert any(len(answer) == 0 or "mark" in answer[-1] for answer in given)  # type: ignore[arg-type,index]
