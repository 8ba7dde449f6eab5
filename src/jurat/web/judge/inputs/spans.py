"""Error spans: marked in the text; without a script a row of lists for each error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count, groupby, takewhile
from typing import NamedTuple

from starlette.datastructures import FormData

from jurat.campaigns import Screen
from jurat.protocols.questions import Question
from jurat.protocols.questions.spans import Category, Spans
from jurat.web.judge.inputs import Input, decoded, field
from jurat.wordbreaks import pieces

ROWS = 8
"""Errors that a page without a script has room for, where the protocol allows any number."""

PARTS = ("from", "to", "severity", "category", "missing")
_STROKE = re.compile(r"\s*[/\uff0f]\s*")
_WORD = re.compile(r"(\d{1,6})-(\d{1,6})")


class Place(NamedTuple):
    """A word in a list of a page without a script: where it is, and how it reads."""

    start: int
    end: int
    text: str


class Kinds(NamedTuple):
    """Categories that belong together, each with the last part of its label."""

    label: str
    """Empty for a category that belongs to no group."""
    members: list[tuple[Category, str]]


class SpansInput(Input):
    """From which word to which, a severity and a category: each row of a plain form is an error."""

    name = "spans"
    template = "spans"

    def read(self, form: FormData, question: Question, screen: Screen) -> object:
        """The errors; a script sends them as JSON, a plain form in rows."""
        assert isinstance(question, Spans)
        whole = form.get(field(question, "json"))
        if whole:
            return decoded(str(whole))
        found = [*self._rows(form, question)]
        looked = form.get(field(question, "looked")) is not None
        return found if found or looked else None

    def places(self, text: str) -> list[Place]:
        """The words of a text, and the signs between them."""
        return [Place(start, end, text[start:end]) for start, end in pieces(text)]

    def rows(self, question: Spans, answer: object) -> list[dict[str, object]]:
        """What each row of a plain form holds: the errors so far, and room for more."""
        listed = answer if isinstance(answer, list) else []
        given = [one for one in listed if isinstance(one, dict)]
        room = ROWS if question.most is None else question.most
        return [*given, *({} for _ in range(room - len(given)))]

    def groups(self, question: Spans) -> list[Kinds]:
        """The categories by the part of their names before the stroke, in their order."""
        by_group = groupby(question.categories, key=_group)
        return [_kinds(group, list(members)) for group, members in by_group]

    def ranks(self, question: Spans) -> dict[str, int]:
        """How a mark of each severity looks: 2 for the worst, 0 for what costs nothing, else 1."""
        worst = max(severity.weight for severity in question.severities)
        return {
            severity.value: 2 if severity.weight == worst else int(severity.weight > 0)
            for severity in question.severities
        }

    def _rows(self, form: FormData, question: Spans) -> Iterator[dict[str, object]]:
        for n in takewhile(lambda n: field(question, n, "from") in form, count(1)):
            row = {part: str(form.get(field(question, n, part), "")) for part in PARTS}
            if any(row.values()):
                yield _span(row)


def _span(row: dict[str, str]) -> dict[str, object]:
    """An error as a row says it; what a row leaves out is for the check to complain about.

    One word is from and to itself; what is missing is missing before the first word.
    """
    start, first_end = _place(row["from"])
    missing = bool(row["missing"])
    end = _place(row["to"])[1] if row["to"] else start if missing else first_end
    kind = {"category": row["category"]} if row["category"] else {}
    gap = {"missing": True} if missing else {}
    return {"start": start, "end": end, "severity": row["severity"], **kind, **gap}


def _place(text: str) -> tuple[int, int]:
    found = _WORD.fullmatch(text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _group(category: Category) -> str:
    group, stroke, _ = category.value.partition("/")
    return group if stroke else category.value


def _kinds(group: str, members: Sequence[Category]) -> Kinds:
    if [category.value for category in members] == [group]:
        return Kinds("", [(members[0], members[0].label)])
    group_label = _STROKE.split(members[0].label)[0]
    return Kinds(group_label, [(one, _STROKE.split(one.label)[-1]) for one in members])
