"""Parallel text, line by line."""

import pytest

from jurat.testsets import SetFile, read_test_set, write_test_set
from tests.testsets.examples import everything, faults_of, plain

SOURCE = plain("source", "eins\nzwei\ndrei\n")
REFERENCE = plain("reference", "one\ntwo\nthree", "A")
SYSTEM = plain("system", " won \r\ntoo\r\nfree\r\n", "x")


def ids(documents: str | None) -> list[tuple[str, str]]:
    extra = [plain("documents", documents)] if documents else []
    test_set = read_test_set([SOURCE, REFERENCE, SYSTEM, *extra])
    return [(document.id, segment.id) for document, segment in test_set.segments()]


def test_without_documents_there_is_one() -> None:
    assert ids(None) == [("1", "1"), ("1", "2"), ("1", "3")]


def test_segments_are_counted_within_documents() -> None:
    assert ids("a\na\nb\n") == [("a", "1"), ("a", "2"), ("b", "1")]


def test_segments_may_have_ids_of_their_own() -> None:
    assert ids("a\tx\na\ty\nb\tx\n") == [("a", "x"), ("a", "y"), ("b", "x")]


def test_texts_are_stripped() -> None:
    test_set = read_test_set([SOURCE, SYSTEM])
    assert [s.translations["x"].text for _, s in test_set.segments()] == ["won", "too", "free"]


def test_a_file_with_another_number_of_lines_is_one_fault() -> None:
    (problem,) = faults_of(SOURCE, REFERENCE, plain("system", "a\nb\n", "x"))
    assert str(problem) == "systemx.txt: this file has 2 lines, but source.txt has 3 lines"


def test_the_documents_file_sets_the_number_of_lines() -> None:
    found = faults_of(SOURCE, REFERENCE, SYSTEM, plain("documents", "a\n"))
    assert [problem.file for problem in found] == ["source.txt", "referenceA.txt", "systemx.txt"]
    assert found[0].message == "this file has 3 lines, but documents.txt has 1 line"


def test_a_line_of_the_documents_file_that_names_none() -> None:
    found = faults_of(SOURCE, SYSTEM, plain("documents", "a\n\tx\n \n"))
    assert [str(problem) for problem in found] == [
        "documents.txt:2: this line names no document",
        "documents.txt:3: this line names no document",
    ]


def test_one_file_may_be_given_twice() -> None:
    again = plain("system", "one\ntwo\nthree", "same", "referenceA.txt")
    assert read_test_set([SOURCE, REFERENCE, again]).systems[0].name == "same"


def test_an_empty_line_is_an_empty_segment() -> None:
    (problem,) = faults_of(
        SOURCE, plain("reference", "a\n\nb\n", "A"), plain("system", "a\nb\nc\n", "x")
    )
    assert (problem.file, problem.line, problem.segment) == ("referenceA.txt", 2, "2")
    assert problem.message == "reference A is empty"
    made = read_test_set([SOURCE, plain("system", "a\n\nb\n", "x")])
    assert [one.translations["x"].text for _, one in made.segments()] == ["a", "", "b"]


def test_a_file_without_a_role() -> None:
    (problem,) = faults_of(SOURCE, SetFile("a.txt", b"one\n"))
    assert str(problem).startswith("a.txt: plain text needs a role")


@pytest.mark.parametrize("first", ["<b>one</b>", '{"a": 1}', "a\tb"])
def test_text_that_looks_like_something_else_is_told_by_its_ending(first: str) -> None:
    test_set = read_test_set([plain("source", f"{first}\n"), plain("system", "x\n", "x")])
    assert test_set.documents[0].segments[0].source == first


def test_the_files_that_are_written() -> None:
    files = write_test_set(everything(), "plain")
    assert [(file.name, file.role.kind if file.role else "") for file in files] == [
        ("source.txt", "source"),
        ("reference.A.txt", "reference"),
        ("reference.B.txt", "reference"),
        ("system.cedar.txt", "system"),
        ("system.birch_pro.txt", "system"),
        ("documents.txt", "documents"),
    ]
    assert files[-1].data == b"market\t1\nmarket\t2\ntrain\t1\n"
    assert files[1].data == b"First 1\nFirst 2\nFirst 1\n"
