"""Strangers' bytes: what is text, what is not, and where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.errors import InputError, Problem
from jurat.testsets import SetFile, base
from jurat.testsets.base import clean, flat, lines, tidy, unwrapped, wrong_character


def problems(data: bytes) -> list[Problem]:
    with pytest.raises(InputError) as caught:
        clean(SetFile("a.txt", data))
    return list(caught.value.problems)


def places(data: bytes) -> list[tuple[int | None, str]]:
    return [(problem.line, problem.message) for problem in problems(data)]


def test_the_mark_at_the_start_is_dropped() -> None:
    assert clean(SetFile("a", b"\xef\xbb\xbfone\n")).data == b"one\n"


@pytest.mark.parametrize(
    ("codec", "name"),
    [("utf-16", "UTF-16"), ("utf-32", "UTF-32"), ("utf-16-be", "UTF-16"), ("utf-32-be", "UTF-32")],
)
def test_other_encodings_are_named(codec: str, name: str) -> None:
    data = "\ufeffone".removeprefix("\ufeff" * (not codec.endswith("be"))).encode(codec)
    assert places(data) == [(None, f"this is {name}; save it as UTF-8")]


@pytest.mark.parametrize(
    ("beginning", "name"),
    [
        (b"PK\x03\x04\x14", "ZIP (DOCX, XLSX)"),
        (b"\xd0\xcf\x11\xe0\xa1", "DOC (XLS)"),
        (b"%PDF-1.7", "PDF"),
        (b"\x1f\x8b\x08", "GZIP"),
        (b"\x89PNG\r\n", "PNG"),
        (b"\xff\xd8\xff\xe0", "JPEG"),
    ],
)
def test_files_that_are_no_text_are_named_once(beginning: bytes, name: str) -> None:
    (problem,) = problems(beginning + bytes(range(256)) * 40)
    assert (problem.line, problem.value, problem.code) == (None, name, "no-text-file")
    assert problem.message.startswith(f"this is not a text file but {name};")


def test_latin_1_is_found_with_line_and_byte() -> None:
    data = "one\ntwo é\nthree\nfour ü".encode("latin-1")
    assert places(data) == [
        (2, "byte 0xE9 is not UTF-8 (byte 5 of the line)"),
        (4, "byte 0xFC is not UTF-8 (byte 6 of the line)"),
    ]


@pytest.mark.parametrize(
    "bad", [b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80"]
)
def test_overlong_surrogate_and_cut_sequences_are_no_utf8(bad: bytes) -> None:
    assert places(b"one\nx" + bad)[0][0] == 2
    assert "is not UTF-8 (byte 2 of the line)" in places(b"one\nx" + bad)[0][1]


def test_a_character_is_not_cut_where_a_piece_of_the_file_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(base, "_CHUNK", 3)
    data = "你好\n你好\n".encode() * 3
    assert clean(SetFile("a", data)).data == data
    assert places(data + b"\xff\n" + data + b"\xfe") == [
        (7, "byte 0xFF is not UTF-8 (byte 1 of the line)"),
        (14, "byte 0xFE is not UTF-8 (byte 1 of the line)"),
    ]


@pytest.mark.parametrize(
    ("bad", "name"),
    [
        (b"\0", "a NUL character"),
        (b"\x0c", "a control character (U+000C)"),
        (b"\x1b", "a control character (U+001B)"),
        (b"\x7f", "a control character (U+007F)"),
        (b"\r", "a carriage return without a line feed"),
        ("\uffff".encode(), "a control character (U+FFFF)"),
    ],
)
def test_unwanted_characters_are_named_with_their_lines(bad: bytes, name: str) -> None:
    data = b"one\r\ntw" + bad + b"o" + bad + b"\nthree\nfour" + bad
    message = f"there is {name} in this line"
    assert places(data) == [(2, message), (4, message)]


def test_at_most_so_many_lines_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "MOST_PROBLEMS", 2)
    found = problems(b"\xff\n\xff\n\0\n")
    assert [problem.line for problem in found] == [1, 2, None]
    assert found[-1].message == "there are more lines like these"


def test_a_file_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "LARGEST", 1500)
    assert places(b"a" * 1501) == [(None, "the file has 1,501 bytes; at most 1,500 are read")]


def test_lines_end_with_lf_or_crlf_and_nothing_else() -> None:
    data = "a\r\nb\u2028c\u0085d\u2029e\nf\x1cg".encode()
    assert list(lines(SetFile("a", data))) == [
        (1, "a"),
        (2, "b\u2028c\u0085d\u2029e"),
        (3, "f\x1cg"),
    ]


def test_a_line_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "LONGEST_LINE", 10)
    with pytest.raises(InputError, match=r"a:2: the line has 12 bytes; at most 10 are read"):
        list(lines(SetFile("a", b"one\n" + b"x" * 11 + b"\nthree")))


def test_too_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "MOST_LINES", 3)
    with pytest.raises(InputError, match="the file has 4 lines; at most 3 are read"):
        list(lines(SetFile("a", b"\n" * 4)))


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_lines_agree_with_a_split_at_line_feeds(content: str) -> None:
    expected = content.removesuffix("\n").split("\n") if content else []
    found = [line for _, line in lines(SetFile("a", content.encode()))]
    assert found == [line.removesuffix("\r") for line in expected]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  a  b ", "a  b"),
        ("\ufeffa", "a"),
        ("\u3000a\u00a0", "a"),
        (" \ufeff a\u200b ", "a"),
        ("a\r\nb", "a\nb"),
        ("\u200b", ""),
    ],
)
def test_tidy_takes_the_blanks_around_a_text(before: str, after: str) -> None:
    assert tidy(before) == after


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("fine\n\ttext", ""),
        ("a\0", "a NUL character"),
        ("a\ufeffb", "a byte order mark (U+FEFF)"),
        ("a\ud800", "half a character (a surrogate)"),
        ("a\rb", "a carriage return without a line feed"),
    ],
)
def test_wrong_characters_that_came_by_escapes(content: str, name: str) -> None:
    assert wrong_character(content) == name


def test_wrapped_and_flat_texts() -> None:
    assert unwrapped("  one  two\n   three\n\n") == "one  two three"
    assert unwrapped(" kept as it is ") == " kept as it is "
    assert flat("a\nb\tc") == "a b c"
