"""Texts in pages: direction, exact characters, highlighted words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.web.highlight import MIN_TEXTS, Highlighter, Piece, common_words
from jurat.web.html_text import direction, exact


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        *(("ar", "rtl"), ("ur-PK", "rtl"), ("fa_IR", "rtl"), ("pa-Arab", "rtl")),
        *(("hi", "ltr"), ("zh-Hans", "ltr"), ("", "auto"), ("Arabic", "auto"), ("??", "auto")),
    ],
)
def test_a_language_has_a_direction(language: str, expected: str) -> None:
    assert direction(language) == expected


def test_a_text_is_safe_and_keeps_every_sign() -> None:
    assert exact("<b>a\r\nb</b> & 'c'") == "&lt;b&gt;a&#13;\nb&lt;/b&gt; &amp; &#39;c&#39;"


PLAIN = Highlighter([])


def shaded(text: str, *references: str, shader: Highlighter = PLAIN) -> list[tuple[str, str]]:
    return [(text, shade) for text, shade in shader.shade(text, references) if shade]


def test_words_of_any_reference_count() -> None:
    found = shaded("The old bridge is shut.", "An old BRIDGE", "It was shut")
    assert found == [("old", "content"), ("bridge", "content"), ("shut", "content")]


def test_capitals_and_ways_of_writing_accents_make_no_difference() -> None:
    assert shaded("Cafe\u0301 Straße", "CAFÉ STRASSE") == [
        ("Cafe\u0301", "content"),
        ("Straße", "content"),
    ]


def test_parts_of_words_do_not_count() -> None:
    assert shaded("bridgehead", "bridge") == []


def test_signs_of_scripts_without_blanks_are_shaded_together() -> None:
    assert shaded("旧桥已经关闭", "老桥已于周二关闭") == [("桥已", "content"), ("关闭", "content")]


def test_function_words_are_those_of_many_texts() -> None:
    texts = [f"the thing{n} of mine{n}" for n in range(MIN_TEXTS)]
    assert common_words(texts) == {"the", "of"}
    assert shaded("the thing1", "The thing1", shader=Highlighter(texts)) == [
        ("the", "function"),
        ("thing1", "content"),
    ]
    assert common_words(texts[: MIN_TEXTS - 1]) == frozenset()


def test_a_text_without_a_match_is_one_piece() -> None:
    assert PLAIN.shade("Nothing here.", ["else"]) == [Piece("Nothing here.")]
    assert PLAIN.shade("", ["else"]) == [Piece("")]


@given(st.text(), st.lists(st.text(), max_size=3))
def test_the_pieces_are_the_text(text: str, references: list[str]) -> None:
    pieces = PLAIN.shade(text, [*references, text[: len(text) // 2]])
    assert "".join(piece.text for piece in pieces) == text
