"""A model's text as answers that the protocol accepts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from jurat.errors import InputError, input_error
from jurat.model import Item
from jurat.protocols import Protocol
from jurat.protocols.questions import Question
from jurat.protocols.questions.each import Each
from jurat.protocols.questions.spans import Spans


def read_answers(
    text: str, protocol: Protocol, item: Item, *, stage: int, earlier: Mapping[str, object]
) -> dict[str, object]:
    """The checked answers of one stage; raises `InputError` with all that is wrong.

    What the model said about questions that are not asked is ignored.
    """
    said = _object(text)
    given = dict(earlier)
    for question in protocol.asked(given, stage=stage):  # which looks at answers as it goes
        answer = said.get(question.id)
        if answer is not None:
            given[question.id] = _placed(question, answer, item)
    return dict(protocol.check(given, item, stage=stage))


def _placed(question: Question, answer: object, item: Item) -> object:
    """An answer with marked words as places; one that is not of the right form stays as it is."""
    if isinstance(question, Spans):
        return _spans(question.id, answer, item)
    if not isinstance(question, Each) or not isinstance(answer, list):
        return answer
    parts = question.alone(item)
    # answers of another number, or that are no objects, are left for the check
    if len(parts) != len(answer) or not all(isinstance(one, dict) for one in answer):
        return answer
    own = {one.id: one for one in question.questions}
    return [
        {
            name: _placed(question.at(n, own[name]), one, alone) if name in own else one
            for name, one in given.items()
            if one is not None
        }
        for n, (given, alone) in enumerate(zip(answer, parts, strict=True), 1)
    ]


def _object(text: str) -> Mapping[str, Any]:
    """The JSON object in a text, which may have words or a Markdown fence around it."""
    start, end = text.find("{"), text.rfind("}")
    try:
        found = msgspec.json.decode(text[start : end + 1].encode(errors="replace"))
    except (msgspec.DecodeError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise input_error("the answer is not a JSON object")
    return found


def _spans(question: str, answer: object, item: Item) -> object:
    """Marked words as places in the translation; what is not a list is left for the check."""
    if not isinstance(answer, list):
        return answer
    text, used = item.translations[0].text, set[int]()
    return [_span(question, one, text, used) for one in answer]


def _span(question: str, one: object, text: str, used: set[int]) -> object:
    """A span with places; `used` are the starts of words that an earlier span has."""
    if not isinstance(one, dict) or "start" in one:
        return one
    marked = {name: value for name, value in one.items() if name != "text" and value is not None}
    if one.get("mark"):
        return marked
    if one.get("missing"):
        # where an omission stands is not asked: models cannot tell
        return {**marked, "start": 0, "end": 0}
    words = one.get("text")
    start = _place(words, text, used) if isinstance(words, str) and words else -1
    if not isinstance(words, str) or start < 0:
        message = f"{words!r} does not stand in the translation; copy the words exactly"
        raise input_error(message, field=question)
    used.add(start)
    return {**marked, "start": start, "end": start + len(words)}


def _place(words: str, text: str, used: set[int]) -> int:
    """Where words stand, in code points: the first place that is not taken, -1 if nowhere."""
    first = text.find(words)
    at = first
    while at in used:
        at = text.find(words, at + 1)
    return first if at < 0 else at


def in_words(error: InputError) -> str:
    """The problems of an answer, for the model that is asked again."""
    return "; ".join(problem.message for problem in error.problems)
