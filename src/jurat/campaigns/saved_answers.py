"""What a judge has begun to answer, as far as it can stand on the screen again."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from jurat.errors import InputError
from jurat.protocols import Protocol
from jurat.protocols.questions import Question
from jurat.store import Step


def begun(protocol: Protocol, step: Step, content: object) -> dict[str, object]:
    """Of saved answers what could be an answer, or the beginning of one."""
    given = content if isinstance(content, Mapping) else {}
    asked = protocol.stages[step.stage].questions
    found = {q.id: _standing(q, given[q.id], step) for q in asked if q.id in given}
    return {name: answer for name, answer in found.items() if answer is not None}


def _standing(question: Question, answer: object, step: Step) -> object:
    """The answer, or of a list what is right in it; None where nothing is."""
    if not isinstance(answer, list):
        return answer if _is_legal(question, answer, step) else None
    if _is_legal(question, _filled(question, answer, step), step):
        return answer
    parts = [part for part in answer if _is_legal(question, [part], step)]
    return parts if parts and _is_legal(question, parts, step) else None


def _filled(question: Question, answer: list[object], step: Step) -> list[object]:
    """A list in which gaps are closed with anything: what stands around them is what matters."""
    anything = question.simulate(step.item, [0.5] * len(step.item.translations), Random(0))
    if None not in answer or not isinstance(anything, list) or len(anything) != len(answer):
        return answer
    return [one if own is None else own for own, one in zip(answer, anything, strict=True)]


def _is_legal(question: Question, answer: object, step: Step) -> bool:
    try:
        question.check(answer, step.item)
    except InputError:
        return False
    return True
