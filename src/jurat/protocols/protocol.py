"""What a protocol consists of, and what follows from it for a judge's answers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from random import Random
from typing import Literal

import msgspec

from jurat.conditions import holds, names
from jurat.errors import InputError, Problem, quoted, raise_problems, unknown_name
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

# Combinations of answers that an order is checked against.
MOST_PLACES = 1000


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
        # an order can be checked only where all that it speaks of is sound
        raise_problems([*self._faulty_shape(), *self._faulty_questions(), *self._faulty_names()])
        raise_problems(list(self._faulty_order()))

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
        """The answers as they will be stored; an `InputError` lists all that is wrong or missing.

        Of one stage (from 0), only its own answers are checked and kept; those of earlier stages
        come along for the conditions.
        """
        problems: list[Problem] = []
        kept: dict[str, Answer] = {}
        for question in self.asked(answers, stage=stage):
            answer = answers.get(question.id)
            if answer is None or (isinstance(answer, str) and not answer.strip()):
                if question.required:
                    message = f"'{question.id}' is not answered"
                    problems.append(Problem(message=message, field=question.id, code="missing"))
                continue
            try:
                kept[question.id] = question.check(answer, item)
            except InputError as error:
                problems.extend(error.problems)
        # what was answered and is not asked takes a second pass, and hardly ever is there any
        if problems or not answers.keys() <= kept.keys():
            raise_problems([*problems, *self._unasked(answers, stage)])
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

    def _unasked(self, answers: Answers, stage: int | None) -> Iterator[Problem]:
        asked = {question.id for question in self.asked(answers)}
        coming = () if stage is None else self.stages[stage + 1 :]
        later = {question.id for part in coming for question in part.questions}
        for name, answer in answers.items():
            if name not in self.questions:
                yield from unknown_name("question", name, self.questions).problems
            elif answer is not None and name in later:
                yield Problem(message=f"'{name}' is asked at a later stage", field=name)
            elif answer is not None and name not in asked:
                yield Problem(message=f"'{name}' is not asked after these answers", field=name)

    def _faulty_shape(self) -> Iterator[Problem]:
        if not is_name(self.name):
            message = f"{quoted(self.name)} is not a valid protocol name: {NAME_RULE}"
            yield Problem(message=message, field="name")
        if not any(stage.questions for stage in self.stages):
            yield Problem(message="at least one question is needed", field="stages")

    def _faulty_questions(self) -> Iterator[Problem]:
        seen: set[str] = set()
        for s, stage in enumerate(self.stages, 1):
            if "translation" not in stage.show:
                yield Problem(
                    message="a translation is shown at every stage", field=f"stages.{s}.show"
                )
            for q, question in enumerate(stage.questions, 1):
                place = f"stages.{s}.questions.{q}"
                if question.id in seen:
                    yield Problem(message=f"'{question.id}' is asked twice", field=f"{place}.id")
                if self.systems not in question.screens:
                    yield self._wrong_screen(question, f"{place}.kind")
                yield from self._faulty_condition(question, seen, f"{place}.when")
                seen.add(question.id)

    def _wrong_screen(self, question: Question, field: str) -> Problem:
        fits = ", ".join(sorted(question.screens))
        message = f"a {question.name} is asked with systems: {fits}; here systems: {self.systems}"
        return Problem(message=message, field=field)

    def _faulty_condition(
        self, question: Question, earlier: set[str], field: str
    ) -> Iterator[Problem]:
        condition = question.condition
        for name in names(condition) if condition else ():
            if name not in earlier:
                message = f"'{name}' is not a question asked before this one"
                yield Problem(
                    message=message, field=field, value=name, allowed=tuple(sorted(earlier))
                )

    def _faulty_names(self) -> Iterator[Problem]:
        """Score and order speak of questions that there are, and that fit."""
        scored = self.score.questions if self.score else ()
        if self.score and not scored:
            yield Problem(message="at least one question is needed", field="score.questions")
        for name in scored:
            question = self.questions.get(name)
            if question is None:
                yield self._no_question(name, "score.questions")
            elif type(question).number is Question.number:
                message = f"'{name}' has no number to score: it is a {question.name}"
                yield Problem(message=message, field="score.questions")
        for n, place in enumerate(self.order, 1):
            for name in place:
                if name not in self.questions:
                    yield self._no_question(name, f"order.{n}")

    def _no_question(self, name: str, field: str) -> Problem:
        message = f"{quoted(name)} is not a question of this protocol"
        return Problem(message=message, field=field, value=name, allowed=tuple(self.questions))

    def _faulty_order(self) -> Iterator[Problem]:
        """Every possible answer has its place, and every place some answer."""
        named = self._ordered()
        unlisted = [question for question in named if not question.answers()]
        for question in unlisted:
            message = f"'{question.id}' cannot be put in an order: it is a {question.name}"
            yield Problem(message=message, field="order")
        count = prod(len(question.answers()) for question in named)
        if count > MOST_PLACES:
            message = f"the order covers {count} combinations of answers; at most {MOST_PLACES} can"
            yield Problem(message=message, field="order")
        elif self.order and not unlisted:
            yield from self._faulty_places(list(self._possible(named, {})))

    def _faulty_places(self, possible: Sequence[Answers]) -> Iterator[Problem]:
        places = [self.place_of(answers) for answers in possible]
        for answers, place in zip(possible, places, strict=True):
            if place is None:
                yield Problem(
                    message=f"the order has no place for {_spoken(answers)}", field="order"
                )
        for n, pattern in enumerate(self.order, 1):
            if n not in places:
                message = f"no answer gets the place {_spoken(pattern)}"
                yield Problem(message=message, field=f"order.{n}")

    def _ordered(self) -> list[Question]:
        """The questions that the order speaks of, and those on which asking them depends."""
        wanted = {name for place in self.order for name in place}
        # from the last to the first: a condition speaks of earlier questions only
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
    # as texts: YAML reads `adequacy: 7` as a number, and an option may be the text '7'
    return all(n in answers and str(answers[n]) == str(value) for n, value in pattern.items())


def _spoken(answers: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in answers.items())


def _default(field: msgspec.structs.FieldInfo) -> object:
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()


def _lean(value: object) -> object:
    """Plain data of declared objects, with the kind of each question and without defaults."""
    if isinstance(value, msgspec.Struct):
        # defaults are left out, so that a field that a later release adds changes no version
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
