"""The field for the questions of a questionnaire: a row of inputs for each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from starlette.datastructures import FormData

from jurat.campaigns.participation_config import PERSONAL_KINDS
from jurat.web.coordinator.form_fields import Field, clean_line

# Where each kind has the answers that can be chosen, if it has any.
ANSWERS = {"choice": "options", "scale": "points"}
# Characters of the answers of one question.
MAX_ANSWERS = 5000
# Rows for new questions, so that no script is needed to add one.
NEW_ROWS = 2


class QuestionRow(NamedTuple):
    """A question as its inputs show it."""

    id: str = ""
    kind: str = "choice"
    ask: str = ""
    answers: str = ""
    """A line for each answer that can be chosen: `value: label`, or the label alone."""
    optional: bool = False
    declared: str = "{}"
    """All that is declared of it, as JSON: a form does not lose what it has no input for."""


class QuestionsField(Field, frozen=True, kw_only=True):
    """Questions of the kinds choice, scale and text."""

    kind = "questions"
    kinds: tuple[str, ...] = tuple(PERSONAL_KINDS)

    def shown(self, value: object) -> list[QuestionRow]:
        """A row for each question, and empty ones for new questions."""
        return [*_rows(value), *(QuestionRow() for _ in range(NEW_ROWS))]

    def entered(self, value: object) -> object:
        """The questions as a form that nobody has changed would give them; None without any."""
        return [_question(row, n) for n, row in enumerate(_rows(value), 1)] or None

    def describe(self, value: object) -> tuple[object, bool]:
        """What is asked, one after the other."""
        return " · ".join(row.ask or row.id for row in _rows(value)), False

    def _said(self, form: FormData) -> object:
        names = QuestionRow._fields
        columns = [form.getlist(f"{self.name}.{part}") for part in names]
        cells = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=False)]
        rows = map(_sent, cells)
        # a question is removed by emptying what it asks
        asked = [row for row in rows if row.ask]
        return [_question(row, n) for n, row in enumerate(asked, 1)] or ""


def _rows(value: object) -> Iterator[QuestionRow]:
    for one in value if isinstance(value, list | tuple) else ():
        if isinstance(one, Mapping):
            kind = str(one.get("kind", "choice"))
            yield QuestionRow(
                id=str(one.get("id", "")),
                kind=kind,
                ask=str(one.get("ask", "")),
                answers=_lines(one.get(ANSWERS.get(kind, ""))),
                optional=one.get("required") is False,
                declared=msgspec.json.encode(one).decode(),
            )


def _lines(answers: object) -> str:
    lines = []
    for one in answers if isinstance(answers, list | tuple) else ():
        value, label = (one.get("value", ""), one.get("label", "")) if _is_map(one) else (one, "")
        lines.append(f"{value}: {label}" if label and label != value else str(value))
    return "\n".join(lines)


def _is_map(one: object) -> bool:
    return isinstance(one, Mapping)


def _sent(cells: Mapping[str, object]) -> QuestionRow:
    """A row of the form, cleaned."""
    lines = [clean_line(line) for line in str(cells["answers"])[:MAX_ANSWERS].splitlines()]
    return QuestionRow(
        id=clean_line(cells["id"]),
        kind=clean_line(cells["kind"]),
        ask=clean_line(cells["ask"]),
        answers="\n".join(line for line in lines if line),
        optional=cells["optional"] == "yes",
        declared=str(cells["declared"]),
    )


def _question(row: QuestionRow, number: int) -> dict[str, Any]:
    """A question as it is declared; `number` names one without an id."""
    declared = _declared(row.declared)
    made = {**declared, "id": row.id or f"question{number}", "kind": row.kind, "ask": row.ask}
    made.pop("required", None)
    if row.optional:
        made["required"] = False
    own = ANSWERS.get(row.kind, "")
    # unchanged answers stay as they are, with meanings and numbers that the form does not show
    if row.kind != declared.get("kind") or row.answers != _lines(declared.get(own)):
        for name in ANSWERS.values():
            made.pop(name, None)
        if own and row.answers:
            made[own] = [_answer(line, row.kind) for line in row.answers.split("\n")]
    return made


def _declared(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    # a forged form
    except msgspec.MsgspecError:
        return {}


def _answer(line: str, kind: str) -> dict[str, object]:
    value, colon, label = (part.strip() for part in line.partition(":"))
    # what is no number is saved as typed, and shown again with the problem
    number = kind == "scale" and value.removeprefix("-").isdecimal() and len(value) < 10
    made: dict[str, object] = {"value": int(value) if number else value}
    return {**made, "label": label if colon else value} if label or not number else made
