"""The protocol of an imported campaign: one of Jurat's, or one with what judges were also shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from jurat.model import File, Suggestion
from jurat.protocols import Protocol, dump, load
from jurat.protocols.questions import Question
from jurat.protocols.questions.each import Each
from jurat.protocols.questions.spans import Spans, SpecialMark

# Protocols that Jurat also has with errors marked beforehand.
SUGGESTING = {"esa": "esa-ai"}


class ImportedProtocol(NamedTuple):
    """The name of a protocol, and its file where it is none of Jurat's."""

    name: str
    file: File | None = None


def imported_protocol(
    name: str, *, suggestions: bool, marks: Sequence[str] = ()
) -> ImportedProtocol:
    """The protocol of that name with special marks, and with errors marked beforehand.

    A protocol in which no errors are marked stays as it is.
    """
    chosen = SUGGESTING.get(name, name) if suggestions else name
    protocol = load(chosen)
    asked = marking_questions(protocol)
    shows = all(one.suggestions for one in asked) or not suggestions
    if not asked or (shows and not marks):
        return ImportedProtocol(chosen)
    stages = tuple(
        replace(
            stage,
            questions=tuple(
                _changed(one, suggestions=suggestions, marks=marks) for one in stage.questions
            ),
        )
        for stage in protocol.stages
    )
    own = dump(replace(protocol, stages=stages))
    return ImportedProtocol(chosen, File(f"{chosen}.yaml", own.encode()))


def marking_questions(protocol: Protocol) -> list[Spans]:
    """The questions in which errors are marked, also of translations side by side."""
    asked = (question for stage in protocol.stages for question in stage.questions)
    every = (one for question in asked for one in (question, *question.nested))
    return [one for one in every if isinstance(one, Spans)]


def fitting_suggestions(
    suggestions: Sequence[Suggestion], protocol: str, length: int, lost: Counter[str]
) -> list[Suggestion]:
    """The suggestions of a text of that length as a protocol has them; others are counted.

    Where a protocol has no categories, those of suggestions are left out.
    """
    placed = [o for o in suggestions if o.missing or o.mark or 0 <= o.start < o.end <= length]
    lost["errors marked beforehand in no place of their text"] += len(suggestions) - len(placed)
    questions = marking_questions(load(protocol))
    kept = [known for one in placed for known in _known(one, questions[:1])]
    lost["errors marked beforehand of kinds that the protocol does not have"] += len(placed) - len(
        kept
    )
    return kept


def _known(one: Suggestion, questions: Sequence[Spans]) -> Iterator[Suggestion]:
    """The suggestion with severity and category as a question has them, if it does."""
    for question in questions:
        severities = {own.value.lower(): own.value for own in question.severities}
        categories = {own.value.lower(): own.value for own in question.categories}
        severity = severities.get(one.severity.lower())
        category = None if one.mark else categories.get((one.category or "").lower())
        if severity and (category or one.mark or not categories):
            yield replace(one, severity=severity, category=category)


def _changed(question: Question, *, suggestions: bool, marks: Sequence[str]) -> Question:
    if isinstance(question, Each):
        own = (_changed(q, suggestions=suggestions, marks=marks) for q in question.questions)
        return replace(question, questions=tuple(own))
    if not isinstance(question, Spans):
        return question
    known = {one.value for one in question.marks}
    more = (
        # what is missing is so called there, and `Missing` here
        SpecialMark(value=name, label=name.strip("[]").capitalize() or name)
        for name in dict.fromkeys(marks)
        if name not in known
    )
    shown = "keep" if suggestions else question.suggestions
    return replace(question, marks=(*question.marks, *more), suggestions=shown)
