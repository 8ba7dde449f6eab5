"""Worked examples for the guidelines: what is shown, and the answer in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jurat.i18n import Language
from jurat.protocols.questions import Described, Example, Question


class Piece(NamedTuple):
    """A piece of a translation; where an error is marked, with the look of its severity."""

    text: str
    rank: int | None = None


class Worked(NamedTuple):
    """An example, ready for the page: its translations in pieces, and its answer in words."""

    example: Example
    texts: Sequence[Sequence[Piece]]
    answer: Described


def worked(question: Question, example: Example, language: Language) -> Worked:
    """An example in the words of the question and of the judge's language."""
    answer = question.describe(example, language.say)
    first, *rest = example.translations
    texts = [list(_marked(first, answer.marks)), *([Piece(text)] for text in rest)]
    return Worked(example, texts, answer)


def _marked(text: str, marks: Sequence[tuple[int, int, int]]) -> Iterator[Piece]:
    """The text in pieces; of stretches that overlap, the first is marked."""
    at = 0
    for start, end, rank in sorted(marks):
        if start < at:
            continue
        yield Piece(text[at:start])
        yield Piece(text[start:end], rank)
        at = end
    yield Piece(text[at:])
