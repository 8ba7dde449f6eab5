"""JSON Lines, Jurat's own format."""

import json

import pytest

from jurat.errors import Problem
from jurat.model import TestSet
from jurat.testsets import SetFile, read_test_set
from tests import ROOT
from tests.testsets.examples import faults_of

ABOUT: dict[str, object] = {"test_set": "t", "systems": [{"name": "x", "site": "north"}]}
LINE: dict[str, object] = {
    "document": "d",
    "segment": 1,
    "source": "q",
    "references": {"A": "r"},
    "translations": {"x": {"text": "s", "tags": {"easy": "yes", "n": 2}}},
}


def file(*lines: object) -> SetFile:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return SetFile("a.jsonl", "\n".join(texts).encode())


def read(*lines: object) -> TestSet:
    return read_test_set([file(*lines)])


def problem(*lines: object) -> Problem:
    return faults_of(file(*lines))[0]


@pytest.mark.parametrize(
    ("name", "documents", "segments"), [("testset", 12, 54), ("tutorial", 2, 6)]
)
def test_the_samples(name: str, documents: int, segments: int) -> None:
    data = (ROOT / "src" / "jurat" / "sample" / f"{name}.jsonl").read_bytes()
    test_set = read_test_set([SetFile(f"{name}.jsonl", data)])
    assert len(test_set.documents) == documents
    assert len(list(test_set.segments())) == segments
    assert [system.name for system in test_set.systems] == ["cedar", "birch", "willow", "bramble"]
    assert all(document.comprehension for document in test_set.documents)
    assert all(segment.concepts for _, segment in test_set.segments())


def test_the_first_line_is_not_needed() -> None:
    assert read(LINE).systems[0].name == "x"


def test_numbers_are_texts_where_texts_are_meant() -> None:
    _, segment = next(read(ABOUT, LINE).segments())
    assert segment.id == "1"
    assert segment.translations["x"].tags == {"easy": "yes", "n": "2"}


def test_the_document_is_not_needed() -> None:
    line = {key: value for key, value in LINE.items() if key != "document"}
    assert read(line).documents[0].id == "1"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"segment": 1,', "this is not JSON: Expecting property name enclosed in double quotes"),
        ("{" * 9, "this is not JSON"),
        ('{"a":' * 100_000, "this is not JSON: it is nested too deeply"),
        ('{"segment": 1, "segment": 2}', "this is not JSON: 'segment' occurs twice"),
        ('{"segment": NaN}', "this is not JSON: NaN is not a value"),
        ('{"segment": 1' + "0" * 5000 + "}", "this is not JSON: Exceeds the limit"),
        ("[1]", "this line is not a JSON object"),
        ({**LINE, "source": "a\ud800"}, "this is not JSON: an escape is half a character"),
        ({**LINE, "tags": {"\udfff": "x"}}, "an escape is half a character"),
        ('\ufeff{"segment": 2}', "this is not JSON: Unexpected UTF-8 BOM"),
        ({**LINE, "segment": [1]}, "expected a whole number or a text, got a list"),
        ({**LINE, "source": 5}, "expected a text or nothing, got a whole number"),
        ({"document": "d"}, "'segment' is missing"),
        ({**LINE, "translations": {"x": {"tags": {}}}}, "'text' is missing"),
    ],
)
def test_lines_that_cannot_be_read(line: object, message: str) -> None:
    found = problem(ABOUT, LINE, line)
    assert (found.file, found.line) == ("a.jsonl", 3)
    assert message in found.message


def test_other_lines_are_still_checked() -> None:
    found = faults_of(file(ABOUT, "{", LINE, "}"))
    assert [each.line for each in found] == [2, 4]


@pytest.mark.parametrize(
    ("lines", "line", "suggestion"),
    [
        ([ABOUT, {**LINE, "tranlations": {}}], 2, "did you mean 'translations'?"),
        ([{**ABOUT, "targt_language": "en"}, LINE], 1, "did you mean 'target_language'?"),
        ([{**ABOUT, "systems": [{"name": "x", "sites": "n"}]}, LINE], 1, "did you mean 'site'?"),
        ([{"documents": [{"id": "d", "comprehension": [{"aks": 1}]}]}, LINE], 1, "'ask'?"),
    ],
)
def test_unknown_names_are_told_with_the_nearest(
    lines: list[object], line: int, suggestion: str
) -> None:
    found = problem(*lines)
    assert found.line == line
    assert found.message.startswith("unknown name")
    assert suggestion in str(found)


def test_a_wrong_kind_of_system() -> None:
    found = problem({"systems": [{"name": "x", "kind": "robot"}]}, LINE)
    assert found.allowed == ("machine", "human")


def test_wrong_values_name_their_field() -> None:
    found = problem({"documents": [{"id": "d", "tags": {"a": []}}]}, LINE)
    assert found.field == "documents[0].tags[...]"
    question = {"ask": "?", "options": ["a"], "answer": 2}
    found = problem({"documents": [{"id": "d", "comprehension": [question]}]}, LINE)
    assert "the answer must be an option from 1 to 1" in found.message


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"documents": [{"id": "e"}]}, "the document 'e' is declared here, but has no texts"),
        ({"systems": [{"name": "y"}]}, "the system 'y' is declared here, but has no texts"),
        (
            {"systems": [{"name": "x", "reference": "Z"}]},
            "system x is declared as reference Z, which does not exist",
        ),
    ],
)
def test_what_is_declared_must_be_there(about: object, message: str) -> None:
    found = problem(about, LINE)
    assert (found.file, found.line, found.message) == ("a.jsonl", 1, message)


def test_a_segment_without_any_text() -> None:
    found = problem(ABOUT, LINE, {"document": "d", "segment": 2})
    assert (found.line, found.message) == (3, "the segment '2' is declared here, but has no texts")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\0b", "there is a NUL character in the source"),
        ("a\rb", "there is a carriage return without a line feed in the source"),
    ],
)
def test_escapes_bring_in_nothing_bad(text: str, message: str) -> None:
    found = problem(ABOUT, {**LINE, "source": text})
    assert (found.line, found.document, found.segment) == (2, "d", "1")
    assert found.message == message


def test_bad_characters_in_names_and_tags() -> None:
    assert "holds a tab or a line end" in problem({**LINE, "document": "a\tb"}).message
    assert "holds a NUL character" in problem({**LINE, "translations": {"x\0": "s"}}).message
    assert "a NUL character in the tag t" in problem({**LINE, "tags": {"t": "\0"}}).message
    assert "a NUL character in the concepts" in problem({**LINE, "concepts": ["a", "\0"]}).message
    easy = {"x": {"text": "s", "tags": {"easy": "\0"}}}
    assert "a NUL character in system x" in problem({**LINE, "translations": easy}).message
    question = {"ask": "?", "options": ["a", "\0"], "answer": 1}
    about = {"documents": [{"id": "d", "comprehension": [question]}]}
    assert "a NUL character in the comprehension" in problem(about, LINE).message


def test_an_unknown_name_in_a_huge_line_takes_no_time() -> None:
    names = ",".join(f'"k{number}":1' for number in range(100_000))
    found = faults_of(SetFile("a.jsonl", ('{"segment":1,' + names + "}").encode()))
    assert len([each for each in found if each.message.startswith("unknown name")]) == 20
