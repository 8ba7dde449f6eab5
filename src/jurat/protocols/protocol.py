"""What a protocol consists of, and what follows from it for a judge's answers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from random import Random
from typing import Literal

import msgspec

from jurat.expressions import holds, names
from jurat.faults import Fault, FaultyInput, quoted, refuse, unknown
from jurat.model import Item
from jurat.protocols.questions import (
    NAME_RULE,
    TOLERATED,
    Answer,
    Question,
    Row,
    Screen,
    is_name,
)

Show = Literal["source", "reference", "references", "context", "translation"]
Answers = Mapping[str, Answer]

MOST_PLACES = 1000
"""Combinations of answers that an order is checked against."""


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown at once, and asked about it; a later stage reveals more."""

    show: tuple[Show, ...]
    questions: tuple[Question, ...]


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """How the answers make one number, higher is better.

    `mean`: the mean of the questions' numbers. `share`: their sum divided by the sum of their
    maxima. What is not applicable or was not asked takes no part in either.
    """

    rule: Literal["mean", "share"]
    questions: tuple[str, ...]


class Protocol(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A way of judging."""

    name: str
    title: str
    about: str
    citation: str
    guidelines: str
    systems: Screen = "one"
    stages: tuple[Stage, ...]
    advance: Literal["item", "kit"] = "item"
    """Whether an item goes through all stages at once, or a stage through the whole kit first."""
    unit: Literal["segment", "document"] = "segment"
    final: bool = True
    """Whether a decision, once made, stays."""
    one_system_per_segment: bool = True
    """Whether a judge is kept from seeing the same segment from a second system."""
    score: Score | None = None
    order: tuple[dict[str, str | int], ...] = ()
    """Answers from the best place to the worst; without it the score gives the order."""

    def __post_init__(self) -> None:
        refuse([*self._faulty_shape(), *self._faulty_questions(), *self._faulty_names()])
        refuse(list(self._faulty_order()))

    @cached_property
    def version(self) -> str:
        """Twelve hexadecimal digits that change whenever the content does."""
        # names with values have no order, but what can be chosen has one
        choices = [list(question.legend()) for question in self.questions.values()]
        content = msgspec.json.encode([self.plain(), choices], order="deterministic")
        return hashlib.sha256(content).hexdigest()[:12]

    @cached_property
    def questions(self) -> dict[str, Question]:
        """Every question by its id, in the order of asking."""
        return {question.id: question for stage in self.stages for question in stage.questions}

    def plain(self) -> object:
        """The protocol as plain data, with defaults left out: what a file would say."""
        return _lean(self)

    def asked(self, answers: Answers, *, stage: int | None = None) -> Iterator[Question]:
        """The questions that these answers make necessary, of one stage (from 0) or of all."""
        earlier: dict[str, Answer] = {}
        for n, part in enumerate(self.stages):
            for question in part.questions:
                condition = question.condition
                if condition is None or holds(condition, earlier):
                    if stage in (None, n):
                        yield question
                    if question.id in answers:
                        earlier[question.id] = answers[question.id]

    def check(self, answers: Answers, item: Item, *, stage: int | None = None) -> dict[str, Answer]:
        """The answers as they will be kept; a `FaultyInput` lists all that is wrong or missing.

        Of one stage (from 0), only its own answers are checked and kept; those of earlier stages
        come along for the conditions.
        """
        faults: list[Fault] = []
        kept: dict[str, Answer] = {}
        for question in self.asked(answers, stage=stage):
            answer = answers.get(question.id)
            if answer is None or (isinstance(answer, str) and not answer.strip()):
                if question.required:
                    message = f"'{question.id}' is not answered"
                    faults.append(Fault(message=message, field=question.id, code="missing"))
                continue
            try:
                kept[question.id] = question.check(answer, item)
            except FaultyInput as error:
                faults.extend(error.faults)
        if faults or not answers.keys() <= kept.keys():
            refuse([*faults, *self._unasked(answers, stage)])
        return kept

    def rows(self, answers: Answers, item: Item) -> Iterator[Row]:
        """What checked answers leave in the long tables, with the item's own columns."""
        reference = "+".join(item.references) or None
        place = {
            "item": item.id,
            "document": item.document,
            "segment": item.segment,
            "reference": reference,
        }
        for name, answer in answers.items():
            for row in self.questions[name].rows(answer, item):
                yield Row(row.table, {**item.tags, **place, **row.values})

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> dict[str, Answer]:
        """The answers of a judge who perceives the translations at these qualities, 0 to 1."""
        answers: dict[str, Answer] = {}
        for question in self.asked(answers):  # which looks at each answer before it goes on
            answers[question.id] = question.simulate(item, qualities, random)
        return answers

    def score_of(self, answers: Answers, item: Item) -> float | None:
        """The one score of checked answers; None where nothing was applicable."""
        if self.score is None:
            return None
        given = [(self.questions[q], answers[q]) for q in self.score.questions if q in answers]
        numbers = [(question.number(a, item), question.maximum(a, item)) for question, a in given]
        counted = [(number, top) for number, top in numbers if number is not None]
        if not counted:
            return None
        total = sum(number for number, _ in counted)
        if self.score.rule == "mean":
            return total / len(counted)
        return total / top if (top := sum(top or 0.0 for _, top in counted)) else None

    @property
    def tolerance(self) -> float:
        """How far apart two scores may lie before somebody should settle it; 0 without scores."""
        if self.score is None:
            return 0.0
        if self.score.rule == "share":
            return TOLERATED
        return max(self.questions[name].tolerance for name in self.score.questions)

    def place_of(self, answers: Answers) -> int | None:
        """The place of answers in the protocol's own order, 1 is best; None without one."""
        for place, pattern in enumerate(self.order, 1):
            if _matches(pattern, answers):
                return place
        return None

    def _unasked(self, answers: Answers, stage: int | None) -> Iterator[Fault]:
        asked = {question.id for question in self.asked(answers)}
        coming = () if stage is None else self.stages[stage + 1 :]
        later = {question.id for part in coming for question in part.questions}
        for name, answer in answers.items():
            if name not in self.questions:
                yield from unknown("question", name, self.questions).faults
            elif answer is not None and name in later:
                yield Fault(message=f"'{name}' is asked at a later stage", field=name)
            elif answer is not None and name not in asked:
                yield Fault(message=f"'{name}' is not asked after these answers", field=name)

    def _faulty_shape(self) -> Iterator[Fault]:
        if not is_name(self.name):
            message = f"{quoted(self.name)} is no name for a protocol: {NAME_RULE}"
            yield Fault(message=message, field="name")
        if not any(stage.questions for stage in self.stages):
            yield Fault(message="at least one question is needed", field="stages")

    def _faulty_questions(self) -> Iterator[Fault]:
        seen: set[str] = set()
        for s, stage in enumerate(self.stages, 1):
            if "translation" not in stage.show:
                yield Fault(
                    message="a translation is shown at every stage", field=f"stages.{s}.show"
                )
            for q, question in enumerate(stage.questions, 1):
                place = f"stages.{s}.questions.{q}"
                if question.id in seen:
                    yield Fault(message=f"'{question.id}' is asked twice", field=f"{place}.id")
                if self.systems not in question.screens:
                    yield self._wrong_screen(question, f"{place}.kind")
                yield from self._faulty_condition(question, seen, f"{place}.when")
                seen.add(question.id)

    def _wrong_screen(self, question: Question, field: str) -> Fault:
        fits = ", ".join(sorted(question.screens))
        message = f"a {question.name} is asked with systems: {fits}; here systems: {self.systems}"
        return Fault(message=message, field=field)

    def _faulty_condition(
        self, question: Question, earlier: set[str], field: str
    ) -> Iterator[Fault]:
        condition = question.condition
        for name in names(condition) if condition else ():
            if name not in earlier:
                message = f"'{name}' is no question asked before this one"
                yield Fault(
                    message=message, field=field, value=name, allowed=tuple(sorted(earlier))
                )

    def _faulty_names(self) -> Iterator[Fault]:
        """Score and order speak of questions that there are, and that fit."""
        scored = self.score.questions if self.score else ()
        if self.score and not scored:
            yield Fault(message="at least one question is needed", field="score.questions")
        for name in scored:
            question = self.questions.get(name)
            if question is None:
                yield self._no_question(name, "score.questions")
            elif type(question).number is Question.number:
                message = f"'{name}' has no number to score: it is a {question.name}"
                yield Fault(message=message, field="score.questions")
        for n, place in enumerate(self.order, 1):
            for name in place:
                if name not in self.questions:
                    yield self._no_question(name, f"order.{n}")

    def _no_question(self, name: str, field: str) -> Fault:
        message = f"{quoted(name)} is no question of this protocol"
        return Fault(message=message, field=field, value=name, allowed=tuple(self.questions))

    def _faulty_order(self) -> Iterator[Fault]:
        """Every possible answer has its place, and every place some answer."""
        named = self._ordered()
        unlisted = [question for question in named if not question.answers()]
        for question in unlisted:
            message = f"'{question.id}' cannot be put in an order: it is a {question.name}"
            yield Fault(message=message, field="order")
        count = prod(len(question.answers()) for question in named)
        if count > MOST_PLACES:
            message = f"the order covers {count} combinations of answers; at most {MOST_PLACES} can"
            yield Fault(message=message, field="order")
        elif self.order and not unlisted:
            yield from self._faulty_places(list(self._possible(named, {})))

    def _faulty_places(self, possible: Sequence[Answers]) -> Iterator[Fault]:
        places = [self.place_of(answers) for answers in possible]
        for answers, place in zip(possible, places, strict=True):
            if place is None:
                yield Fault(message=f"the order has no place for {_spoken(answers)}", field="order")
        for n, pattern in enumerate(self.order, 1):
            if n not in places:
                message = f"no answer gets the place {_spoken(pattern)}"
                yield Fault(message=message, field=f"order.{n}")

    def _ordered(self) -> list[Question]:
        """The questions that the order speaks of, and those on which asking them depends."""
        wanted = {name for place in self.order for name in place}
        for question in reversed(self.questions.values()):
            if question.id in wanted and question.condition:
                wanted |= set(names(question.condition))
        return [question for question in self.questions.values() if question.id in wanted]

    def _possible(self, questions: Sequence[Question], given: Answers) -> Iterator[Answers]:
        """Every combination of answers to these questions that can come about."""
        if not questions:
            yield given
            return
        first, *rest = questions
        if first.condition and not holds(first.condition, given):
            yield from self._possible(rest, given)
        else:
            for answer in first.answers():
                yield from self._possible(rest, {**given, first.id: answer})


def _matches(pattern: Mapping[str, str | int], answers: Answers) -> bool:
    return all(n in answers and str(answers[n]) == str(value) for n, value in pattern.items())


def _spoken(answers: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in answers.items())


def _default(field: msgspec.structs.FieldInfo) -> object:
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()


def _lean(value: object) -> object:
    """Plain data of declared objects, with the kind of each question and without defaults."""
    if isinstance(value, msgspec.Struct):
        kind = {"kind": value.name} if isinstance(value, Question) else {}
        fields = msgspec.structs.fields(value)
        given = {field.name: getattr(value, field.name) for field in fields}
        kept = {
            f.encode_name: _lean(given[f.name])
            for f in fields
            if f.required or given[f.name] != _default(f)
        }
        return kind | kept
    if isinstance(value, dict):
        return {name: _lean(part) for name, part in value.items()}
    return [_lean(part) for part in value] if isinstance(value, tuple) else value
