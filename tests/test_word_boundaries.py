"""Where words are: in every script, to the code point."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.word_boundaries import pieces, words


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in words(text)]


def pointed(text: str) -> list[str]:
    return [text[start:end] for start, end in pieces(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The bridge, closed.", ["The", "bridge", "closed"]),
        ("cafe\u0301 ferme\u0301", ["cafe\u0301", "ferme\u0301"]),
        ("पुराना पुल", ["पुराना", "पुल"]),
        ("क्\u200dष की", ["क्\u200dष", "की"]),
        ("می\u200cروم", ["می\u200cروم"]),
        ("旧桥 closed了", ["旧", "桥", "closed", "了"]),
        ("😀 𝒳1 ok", ["𝒳1", "ok"]),
        ("", []),
        (" … ", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_everything_but_blanks_can_be_pointed_at() -> None:
    assert pointed("Well… 😀 (25%)\n旧桥。") == [
        *("Well", "…", "😀", "(", "25", "%", ")", "旧", "桥", "。"),
    ]


@given(st.text())
def test_pieces_lie_in_order_and_leave_out_only_blanks(text: str) -> None:
    at = 0
    for start, end in pieces(text):
        assert at <= start < end <= len(text)
        assert not text[at:start].strip()
        at = end
    assert not text[at:].strip()


@given(st.text())
def test_words_are_letters_marks_and_digits(text: str) -> None:
    for sign in "".join(found(text)):
        assert unicodedata.category(sign)[0] in "LMN" or sign in "\u200c\u200d"
