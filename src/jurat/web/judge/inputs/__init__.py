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
