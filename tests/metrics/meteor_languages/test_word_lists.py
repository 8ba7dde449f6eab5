"""Lists of words: Jurat's own, and those that users bring."""

import pytest

from jurat.errors import InputError
from jurat.metrics.meteor_languages import (
    LANGUAGES,
    digest,
    function_words,
    read_stems,
    read_synonyms,
    read_words,
)
from jurat.model import File


@pytest.mark.parametrize("language", [code for code, own in LANGUAGES.items() if own.delta != 0.5])
def test_languages_that_weigh_function_words_have_a_list(language: str) -> None:
    words = function_words(language)
    assert len(words) > 150
    assert all(word == word.lower() for word in words)
    assert {",", ".", '"'} < words


def test_others_have_none() -> None:
    assert function_words("other") == frozenset()


def test_lists_are_read() -> None:
    assert read_words(File("w.txt", b"the a\n\nof\n")) == {"the", "a", "of"}
    assert read_stems(File("s.txt", b"houses\thouse\r\n\nwent go\n")) == {
        "houses": "house",
        "went": "go",
    }
    assert read_synonyms(File("n.txt", b"car\t7 9\nauto\t7\ncar\t3\n")) == {
        "car": ("7", "9", "3"),
        "auto": ("7",),
    }


@pytest.mark.parametrize("read", [read_stems, read_synonyms])
def test_a_word_alone_in_its_line_is_refused(read: object) -> None:
    assert callable(read)
    with pytest.raises(InputError, match=r"n.txt:2: a line .*, not 'car' alone"):
        read(File("n.txt", b"a b\ncar\n"))


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(InputError, match="not UTF-8"):
        read_words(File("w.txt", b"\xff"))


def test_a_digest_tells_lists_apart_but_not_their_order() -> None:
    assert digest(["a", "b"]) == digest({"b", "a"})
    assert digest(["a", "b"]) != digest(["ab"])
