"""What holds for every format, Jurat's own and others'."""

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import jurat.testsets
from jurat.errors import InputError
from jurat.model import Segment, TestSet
from jurat.registry import Registry
from jurat.testsets import (
    FACTS,
    FORMATS,
    Role,
    SetFile,
    file_names,
    format_for,
    lost,
    read_test_set,
    recognise,
    write_test_set,
)
from tests.testsets.examples import everything, faults_of, odd_sets, plain

every_format = pytest.mark.parametrize("name", list(FORMATS.kinds))
QUICK = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


def texts(test_set: TestSet) -> list[tuple[object, ...]]:
    """The bare texts, by document and segment."""
    return [
        (
            document.id,
            segment.id,
            segment.source,
            dict(segment.references),
            {name: made.text for name, made in segment.translations.items()},
        )
        for document, segment in test_set.segments()
    ]


def test_the_formats_are_those_of_the_design() -> None:
    assert list(FORMATS.kinds) == ["csv", "jsonl", "nist-xml", "plain", "sgml", "tsv", "wmt-xml"]


@every_format
def test_texts_and_names_survive(name: str) -> None:
    before = everything()
    after = read_test_set(write_test_set(before, name))
    assert texts(after) == texts(before)
    assert [system.name for system in after.systems] == [system.name for system in before.systems]
    assert after.references == before.references


def test_jsonl_holds_everything() -> None:
    assert read_test_set(write_test_set(everything(), "jsonl")) == everything()


@every_format
def test_a_format_carries_what_it_says_and_tells_the_rest(name: str) -> None:
    before = everything()
    told = {loss.partition(":")[0]: loss for loss in lost(before, name)}
    for facet in FACTS:
        if facet in FORMATS[name].carries:
            assert facet not in told
        elif facet == "document tags" and "genre and origlang" in FORMATS[name].carries:
            assert told[facet] == "document tags: domain"
        elif facet != "line ends and tabs in texts":
            assert facet in told


@every_format
def test_line_ends_and_tabs_in_texts(name: str) -> None:
    wrapped = replace(everything().documents[0].segments[0], source="one\n\ntwo\tthree")
    document = replace(everything().documents[0], segments=(wrapped,))
    before = replace(everything(), documents=(document,))
    after = read_test_set(write_test_set(before, name))
    facet = "line ends and tabs in texts"
    assert (facet in lost(before, name)) == (facet not in FORMATS[name].carries)
    _, found = next(after.segments())
    words = (found.source or "").split()
    assert words == ["one", "two", "three"]


@every_format
@given(before=odd_sets())
@QUICK
def test_any_texts_and_names_survive(name: str, before: TestSet) -> None:
    after = read_test_set(write_test_set(before, name))
    assert texts(after) == texts(before)
    assert after.references == before.references
    assert after.systems == before.systems
    told = {loss.partition(":")[0] for loss in lost(before, name)}
    assert not told & set(FORMATS[name].carries)


@every_format
@given(data=st.data())
@settings(parent=QUICK, max_examples=25)
def test_damage_gives_a_test_set_or_faults_and_nothing_else(name: str, data: st.DataObject) -> None:
    files = write_test_set(everything(), name)
    which = data.draw(st.integers(0, len(files) - 1))
    files[which] = replace(files[which], data=data.draw(damage(files[which].data)))
    outcome = read_or_complain(files, data.draw(st.sampled_from([None, name])))
    if isinstance(outcome, TestSet):
        assert outcome.documents
        assert outcome.systems
    else:
        assert outcome.problems
        assert all(problem.message for problem in outcome.problems)


def read_or_complain(files: list[SetFile], name: str | None) -> TestSet | InputError:
    try:
        return read_test_set(files, format=name)
    except InputError as error:
        return error


@st.composite
def damage(draw: st.DrawFn, data: bytes) -> bytes:
    """The bytes with some changed, cut, put in or doubled."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 40)))
        piece = draw(st.one_of(st.binary(max_size=4), st.sampled_from(_TROUBLE)))
        match draw(st.sampled_from(["replace", "insert", "cut", "double", "end"])):
            case "replace":
                data = data[:at] + piece + data[at + len(piece) :]
            case "insert":
                data = data[:at] + piece + data[at:]
            case "cut":
                data = data[:at] + data[end:]
            case "double":
                data = data[:end] + data[at:]
            case "end":
                data = data[:at]
    return data


_TROUBLE = [
    *(
        b"\0",
        b"\r",
        b"\n",
        b"\t",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"<",
        b">",
        b"&",
        b'"',
    ),
    *(b"'", b",", b";", b"{", b"}", b"[", b"null", b"1e999", b"\\ud800", b"&#0;", b"&#xD800;"),
    *(b"<!--", b"]]>", b"<![CDATA[", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"</seg>", b"<seg>"),
]


@every_format
def test_an_empty_file_is_said_to_be_empty(name: str) -> None:
    for data in (b"", b"\xef\xbb\xbf", b" \n\n"):
        file = SetFile("a", data, Role("source"))
        assert faults_of(file, format=name)[0].message == "the file is empty"


@every_format
def test_written_files_are_recognised(name: str) -> None:
    for file in write_test_set(everything(), name):
        assert recognise(file).name == name
        if file.role is None:
            # without the help of its name
            assert recognise(replace(file, name="x")).name == name


@every_format
def test_the_byte_order_mark_is_dropped(name: str) -> None:
    files = write_test_set(everything(), name)
    marked = [replace(file, data=b"\xef\xbb\xbf" + file.data) for file in files]
    assert texts(read_test_set(marked)) == texts(everything())


@every_format
def test_lines_may_end_as_on_windows(name: str) -> None:
    files = write_test_set(everything(), name)
    mixed = [replace(file, data=file.data.replace(b"\n", b"\r\n", 3)) for file in files]
    assert texts(read_test_set(mixed)) == texts(everything())


@every_format
def test_every_format_tells_what_it_is(name: str) -> None:
    assert FORMATS[name].about
    assert FORMATS[name].endings
    assert set(FORMATS[name].carries) <= {*FACTS, "genre and origlang"}


def test_a_file_that_nobody_recognises() -> None:
    (problem,) = faults_of(SetFile("notes.doc", b"hello\n"))
    assert problem.file == "notes.doc"
    assert "format of this file is not recognised" in problem.message
    assert set(problem.allowed) == set(FORMATS.kinds)


def test_an_unknown_format_is_named_with_a_suggestion() -> None:
    (problem,) = faults_of(SetFile("a.sgm", b"<srcset>"), format="sgmll")
    assert "did you mean 'sgml'?" in str(problem)


def test_faults_of_all_files_are_listed_together() -> None:
    source = plain("source", "a\nb\n")
    broken = SetFile("x.txt", b"\xff\n", Role("system", "x"))
    short = plain("system", "a\n", "y")
    assert [problem.file for problem in faults_of(source, broken, short)] == [
        "x.txt",
        "systemy.txt",
    ]


def test_a_broken_file_is_not_missed_for_what_it_may_hold() -> None:
    broken = SetFile("x.txt", b"\xff\n", Role("system", "x"))
    assert len(faults_of(plain("source", "a\n"), broken)) == 1


def test_a_file_with_too_many_faults_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jurat.testsets, "MOST_PROBLEMS", 3)
    found = faults_of(SetFile("a.tsv", b"segment\tsource\n" + b"1\n" * 10))
    assert [problem.line for problem in found] == [2, 3, 4, None]
    assert found[-1].message == "the rest of the file was not read"


def test_a_file_with_too_many_texts_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jurat.testsets, "MOST_ROWS", 3)
    (problem,) = faults_of(plain("source", "a\n" * 10))
    assert problem.message == "the file holds more than 3 texts"


def test_columns_are_for_tables() -> None:
    file = SetFile("a.sgm", b"<srcset></srcset>", None, {"mt": Role("system")})
    (problem,) = faults_of(file)
    assert problem.message == "this file is sgml and has no columns; roles were given to mt"


def test_a_role_takes_one_version_of_a_file_and_names_it() -> None:
    (whole,) = write_test_set(everything(), "wmt-xml")
    only_b = replace(whole, data=whole.data.replace(b'translator="A"', b'translator="B"'))
    only_b = replace(only_b, name="b.xml")
    source = replace(whole, role=Role("source"))
    found = faults_of(source, replace(only_b, role=Role("reference", "mine")))
    assert any("occurs twice in reference mine" in problem.message for problem in found)
    (problem,) = faults_of(replace(whole, role=Role("system", "x")))
    assert problem.message.startswith("this file holds several systems (birch pro, cedar)")


def test_a_role_gives_a_system_another_name() -> None:
    files = write_test_set(everything(), "sgml")
    last = replace(files[-1], role=Role("system", "renamed"))
    test_set = read_test_set([*files[:-1], last])
    assert [system.name for system in test_set.systems] == ["cedar", "renamed"]


def test_a_role_that_a_file_does_not_fill() -> None:
    files = write_test_set(everything(), "sgml")
    found = faults_of(*files[1:], replace(files[0], role=Role("system", "x")))
    assert found[0].message == "there is no system in this file"
    assert found[0].file == "source.sgm"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.sgm", "sgml"), ("b/a.SGML", "sgml"), ("a.tsv", "tsv"), ("a.jsonl", "jsonl")],
)
def test_the_format_of_a_file_to_be_written(name: str, expected: str) -> None:
    assert format_for(name) == expected


@pytest.mark.parametrize(("name", "words"), [("a.xml", "several formats"), ("a", "does not show")])
def test_a_name_that_tells_no_format(name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        format_for(name)


def test_names_of_files_are_safe_and_different() -> None:
    names = file_names(["a/b", "a b", "A_b", "../x", "नमस्ते"], "txt")
    assert names == ["a_b.txt", "a_b-1.txt", "A_b-2.txt", ".._x.txt", "नमस_त_.txt"]


FOREIGN = '''
"""A third party's format in one file."""
from jurat.testsets import Format
from jurat.testsets.base import TextEntry, Location

class Bars(Format):
    name = "bars"
    endings = ("bars",)
    about = "source | reference | system"

    def recognises(self, file):
        return b" | " in file.data

    def read(self, file):
        for number, line in enumerate(file.data.decode().splitlines(), 1):
            for kind, text in zip(("source", "reference", "system"), line.split("|")):
                location, id = Location(file.name, number), str(number)
                yield TextEntry(
                    kind=kind, name=kind, document="d", segment=id, text=text, location=location
                )

    def write(self, test_set):
        return []
'''


def test_a_format_in_one_file_is_found_read_and_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bars.py").write_text(FOREIGN)
    monkeypatch.setattr(jurat.testsets, "__path__", [*jurat.testsets.__path__, str(tmp_path)])
    fresh = Registry("jurat.testsets", jurat.testsets.Format, word="format")
    monkeypatch.setattr(jurat.testsets, "FORMATS", fresh)
    monkeypatch.setitem(sys.modules, "jurat.testsets.bars", None)
    del sys.modules["jurat.testsets.bars"]
    assert "bars" in fresh.kinds
    test_set = read_test_set([SetFile("x.bars", b"eins | one | won\nzwei | two | tow\n")])
    _, second = list(test_set.segments())[1]
    assert second == Segment(
        id="2",
        source="zwei",
        references={"reference": "two"},
        translations=second.translations,
    )
    assert second.translations["system"].text == "tow"
