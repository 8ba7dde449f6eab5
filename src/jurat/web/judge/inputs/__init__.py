"""How each kind of question is answered on a page: one file a kind, beside its template.

An input reads the fields of a plain form; with a script the same page sends the same answers as
JSON. The template `inputs/<template>.html` draws it.
"""

from __future__ import annotations

from functools import cache
from typing import ClassVar

import msgspec
from starlette.datastructures import FormData

from jurat.campaigns import Screen
from jurat.protocols.questions import NA, Question
from jurat.registry import Registry

PHONE = 42
"""Letters that find room beside each other on a phone, over all answers."""
LONGEST_LABEL = 12
"""Letters of an answer that finds room in two lines of them."""


class Input:
    """One kind of question on a page; `name` is the kind's."""

    name: ClassVar[str]
    template: ClassVar[str]
    same: ClassVar[bool] = False
    """Whether a blank one looks alike whatever the texts are."""

    def read(self, form: FormData, question: Question, screen: Screen) -> object:
        """The answer in a form's fields; None where there is none."""
        raise NotImplementedError


class Picked(Input):
    """One of several answers, by radio buttons: the values go through the form as text."""

    template = "picked"
    same = True

    def read(self, form: FormData, question: Question, screen: Screen) -> object:
        """The value that was picked."""
        sent = form.get(field(question))
        if sent is None:
            return None
        known = {str(value): value for value in (*question.answers(), NA)}
        return known.get(str(sent), str(sent))

    def keys(self, question: Question) -> list[int | None]:
        """The digit that picks each answer; None where they do not reach.

        Where a scale's numbers are shown and are digits, they are the keys: whoever reads 9 and
        presses 9 means it. Else answers are counted as they stand. 0 is for what does not apply.
        """
        values = [value for value, _, _ in question.legend()]
        free = range(1 if getattr(question, "not_applicable", False) else 0, 10)
        if getattr(question, "show_numbers", False) and all(value in free for value in values):
            return values  # type: ignore[return-value]
        places = [n % 10 if n <= 10 else None for n, _ in enumerate(values, 1)]
        return [place if place in free else None for place in places]

    def is_brief(self, question: Question) -> bool:
        """Whether the answers stand side by side even on a phone."""
        labels = [label for _, label, _ in question.legend()]
        words = [word for label in labels for word in label.split()]
        return (
            not getattr(question, "show_numbers", False)
            and not getattr(question, "not_applicable", False)
            and max(map(len, labels)) <= LONGEST_LABEL
            and all(len(word) * len(labels) <= PHONE for word in words)
        )


def field(question: Question, *parts: object) -> str:
    """The name of a question's field in a form: `q.adequacy`, `q.concepts.2`."""
    return ".".join(("q", question.id, *map(str, parts)))


def decoded(text: str) -> object:
    """What a script has put into a field as JSON; the text itself where it is none."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


@cache
def _inputs() -> dict[str, Input]:
    registry: Registry[Input] = Registry(__name__, Input, word="input")
    return {kind.name: kind() for kind in registry}


def input_of(question: Question) -> Input:
    """The input of a question's kind."""
    return _inputs()[question.name]
