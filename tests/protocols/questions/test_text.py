"""Free text: words of the judge's own."""

import pytest

from jurat.errors import InputError
from jurat.protocols.questions.text import Text
from tests.protocols.items import KINDS, item, rows

TEXT, SHORT = KINDS["text"], KINDS["short text"]


@pytest.mark.parametrize("answer", ["a", "two\nlines", "مرحبا", "😀", "a  b"])
def test_legal(answer: str) -> None:
    assert TEXT.check(answer, item()) == answer
    assert TEXT.check(f"  {answer}\n", item()) == answer


@pytest.mark.parametrize("answer", [None, 5, True, [], ["a"], {}, "a\0b", "\ud800"])
def test_refused(answer: object) -> None:
    with pytest.raises(InputError, match="a text is needed"):
        TEXT.check(answer, item())


@pytest.mark.parametrize("blank", ["", "  ", "\n\t", "\u3000"])
def test_blank_only_where_nothing_is_required(blank: str) -> None:
    assert SHORT.check(blank, item()) == ""
    with pytest.raises(InputError, match="the text is empty"):
        TEXT.check(blank, item())


def test_length() -> None:
    assert SHORT.check(" 不不不 ", item()) == "不不不"
    with pytest.raises(InputError, match="4 characters; at most 3"):
        SHORT.check("abcd", item())


def test_a_row() -> None:
    (row,) = rows(TEXT, "why not", item())
    assert row.table == "texts"
    assert row.values == {"system": "m1", "question": "q", "text": "why not"}


@pytest.mark.parametrize("longest", [0, -5])
def test_something_must_fit(longest: int) -> None:
    with pytest.raises(InputError, match="at least one character"):
        Text(id="q", ask="?", longest=longest)
