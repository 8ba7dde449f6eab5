"""Answers in words, for pages that show what was answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jurat.protocols import Protocol
from jurat.protocols.questions import Question
from jurat.protocols.questions.each import Each
from jurat.protocols.shortcut_keys import Say

# How an answer without anything in it is written.
NOTHING = "–"


def readable_answers(
    protocol: Protocol, answers: Mapping[str, object], *, say: Say, numbers: bool = False
) -> dict[str, str]:
    """Answers in words by question, in the order of the answers.

    Args:
        protocol: whose questions were answered; answers to other questions are left out.
        answers: the answers by question.
        say: texts of the interface by key.
        numbers: whether numbers are told that the protocol hides from those who judge.
    """
    known = protocol.questions
    return {
        name: _told(known[name], answer, say, numbers=numbers)
        for name, answer in answers.items()
        if name in known
    }


def _told(question: Question, answer: object, say: Say, *, numbers: bool) -> str:
    if isinstance(question, Each):
        return _of_each(question, answer, say, numbers=numbers)
    if isinstance(answer, Mapping):
        return _marked(question, answer, say)
    if isinstance(answer, Sequence) and not isinstance(answer, str):
        # marked errors contain commas themselves
        between = "; " if any(isinstance(one, Mapping) for one in answer) else ", "
        told = (_told(question, one, say, numbers=numbers) for one in answer)
        return between.join(told) or NOTHING
    return question.answer_name(answer, say, numbers=numbers)


def _of_each(question: Each, answer: object, say: Say, *, numbers: bool) -> str:
    """The answers about each translation, after its number."""
    told = []
    for n, given in enumerate(answer if isinstance(answer, list) else [], 1):
        own = (
            _told(one, given[one.id], say, numbers=numbers)
            for one in question.questions
            if one.id in given
        )
        told.append(f"{say(f'{question.what}-n', number=n)}: {', '.join(own)}")
    return "; ".join(told) or NOTHING


def _marked(question: Question, error: Mapping[str, object], say: Say) -> str:
    """A marked error as text: severity, category or special mark, position, and comment."""
    words = (error[name] for name in ("severity", "category", "mark") if error.get(name))
    named = ", ".join(question.answer_name(word, say) for word in words)
    comment = f" “{error['comment']}”" if error.get("comment") else ""
    if error.get("mark"):
        return named + comment
    start, end = error.get("start"), error.get("end")
    # an empty span marks a place where something is missing
    place = str(start) if start == end else f"{start}–{end}"
    side = f"{say('source')} " if error.get("side") == "source" else ""
    return f"{named} ({side}{place}){comment}"
