"""The parts of a protocol, and how it checks, scores and orders a judge's answers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from random import Random
from typing import Literal

import msgspec

from jurat.condition_language import holds, names, parse
from jurat.deserialize import struct_fields
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
from jurat.protocols.questions.each import Each

Show = Literal["source", "reference", "references", "context", "translation"]
Answers = Mapping[str, Answer]

# Combinations of answers that the check of an order may go through.
MOST_COMBINATIONS = 1000


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown at once, and the questions about it; a later stage reveals more."""

    show: tuple[Show, ...]
    questions: tuple[Question, ...]


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """How the score is computed from the answers; higher is better.

    `mean`: the mean of the questions' numbers. `share`: their sum divided by the sum of their
    maxima. Answers that are not applicable or were not asked for do not count.
    """

    rule: Literal["mean", "share"]
    questions: tuple[str, ...]

    def of(
        self, answers: Mapping[str, Answer], item: Item, asked: Mapping[str, Question]
    ) -> float | None:
        """The score of checked answers; None if nothing was applicable.

        `asked` are the protocol's questions by id.
        """
        given = [(asked[q], answers[q]) for q in self.questions if q in answers]
        numbers = [(question.number(a, item), question.maximum(a, item)) for question, a in given]
        counted = [(number, top) for number, top in numbers if number is not None]
        if not counted:
            return None
        total = sum(number for number, _ in counted)
        if self.rule == "mean":
            return total / len(counted)
        # each answer's maximum, since it may depend on the item (how many concepts it has)
        return total / top if (top := sum(top or 0.0 for _, top in counted)) else None

    def tolerance(self, asked: Mapping[str, Question]) -> float:
        """How far apart two scores may be before an adjudicator has to decide."""
        if self.rule == "share":
            return TOLERATED
        return max(asked[name].tolerance for name in self.questions)


class Protocol(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What judges see and are asked, and how their answers are checked, scored and ordered."""

    name: str
    title: str
    about: str
    citation: str
    guidelines: str
    systems: Screen = "one"
    most_systems: int | None = None
    """The most translations on a screen where all systems are; more systems need more screens."""
    stages: tuple[Stage, ...]
    advance: Literal["item", "kit"] = "item"
    """What comes first: all stages of an item, or one stage of the whole kit."""
    unit: Literal["segment", "document"] = "segment"
    final: bool = True
    """Whether a decision cannot be changed."""
    one_system_per_segment: bool = True
    """Whether a judge sees each segment from one system only."""
    score: Score | None = None
    order: tuple[dict[str, str | int], ...] = ()
    """Combinations of answers, best first; without it the score gives the order."""

    def __post_init__(self) -> None:
        # an order can only be checked if the questions in it are valid
        raise_problems([*self._faulty_shape(), *self._faulty_questions(), *self._faulty_names()])
        raise_problems(list(self._faulty_order()))

    @cached_property
    def version(self) -> str:
        """Twelve hexadecimal digits that change whenever the content does."""
        # mappings are sorted below, but the order of choices is part of the content
        choices = [list(question.legend()) for question in self.questions.values()]
        content = msgspec.json.encode([self.plain(), choices], order="deterministic")
        # 48 bits: enough to distinguish versions, short enough to read aloud
        return hashlib.sha256(content).hexdigest()[:12]

    @cached_property
    def questions(self) -> dict[str, Question]:
        """All questions by id, in the order in which they are asked, with those within others."""
        asked = (question for stage in self.stages for question in stage.questions)
        return {one.id: one for question in asked for one in (question, *question.nested)}

    @property
    def fits_one(self) -> bool:
        """Whether one translation alone can be judged, even if others are shown elsewhere."""
        asked = (question for stage in self.stages for question in stage.questions)
        return all(isinstance(one, Each) or "one" in one.screens for one in asked)

    def plain(self) -> object:
        """The protocol as plain data, without defaults, as a file would declare it."""
        return _lean(self)

    def asked(self, answers: Answers, *, stage: int | None = None) -> Iterator[Question]:
        """The questions that are asked, given these answers: of one stage (from 0) or of all."""
        earlier: dict[str, Answer] = {}
        for n, part in enumerate(self.stages):
            for question in part.questions:
                condition = question.condition
                if condition is None or holds(condition, earlier):
                    if stage in (None, n):
                        yield question
                    # an answer to a question that was not asked must not decide what is
                    if question.id in answers:
                        earlier[question.id] = answers[question.id]

    def check(self, answers: Answers, item: Item, *, stage: int | None = None) -> dict[str, Answer]:
        """The answers as they will be stored; raises `InputError` with all problems.

        With a `stage` (from 0), only its answers are checked and returned; `answers` then also
        holds those of earlier stages, for the conditions.
        """
        problems: list[Problem] = []
        kept: dict[str, Answer] = {}
        for question in self.asked(answers, stage=stage):
            answer = answers.get(question.id)
            # forms send an empty text for a field that was left blank
            if answer is None or (isinstance(answer, str) and not answer.strip()):
                if question.required:
                    message = f"'{question.id}' is not answered"
                    problems.append(Problem(message=message, field=question.id, code="missing"))
                continue
            try:
                kept[question.id] = question.check(answer, item)
            except InputError as error:
                problems.extend(error.problems)
        # answers that were not asked for are rare: the second pass that finds them is skipped
        if problems or not answers.keys() <= kept.keys():
            raise_problems([*problems, *self._unasked(answers, stage)])
        return kept

    def rows(self, answers: Answers, item: Item) -> Iterator[Row]:
        """The rows of the long tables that checked answers become, with the item's columns."""
        reference = "+".join(item.references) or None
        place = {
            "item": item.id,
            "document": item.document,
            "segment": item.segment,
            "reference": reference,
        }
        for name, answer in answers.items():
            for row in self.questions[name].rows(answer, item):
                # a column of the tables wins over a tag of the same name
                yield Row(row.table, {**item.tags, **place, **row.values})

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> dict[str, Answer]:
        """The answers of a simulated judge who perceives these qualities, 0 to 1."""
        answers: dict[str, Answer] = {}
        for question in self.asked(answers):  # lazily: each answer decides what is asked next
            answers[question.id] = question.simulate(item, qualities, random)
        return answers

    def score_of(self, answers: Answers, item: Item) -> float | None:
        """The score of checked answers; None if there is none, or nothing was applicable."""
        return self.score.of(answers, item, self.questions) if self.score else None

    def scores(self, answers: Answers, item: Item) -> list[float | None]:
        """The score of each translation, in the order of the screen; empty if they have none.

        Translations that are only compared have no scores.
        """
        if self.systems == "one":
            return [self.score_of(answers, item)] if self.score else []
        parts = [
            part
            for question in self.questions.values()
            if isinstance(question, Each) and question.id in answers
            for part in question.parts(answers[question.id], item)
        ]
        return [self.score_of(*part) for part in parts] if self.score else []

    @property
    def tolerance(self) -> float:
        """How far apart two scores may be before an adjudicator has to decide; 0 without scores."""
        return self.score.tolerance(self.questions) if self.score else 0.0

    def place_of(self, answers: Answers) -> int | None:
        """The rank of answers in the protocol's order, 1 is best; None if there is no order."""
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
        if self.most_systems is not None and (self.systems != "all" or self.most_systems < 2):
            message = "'most_systems' is a number from 2, where systems: all"
            yield Problem(message=message, field="most_systems", value=self.most_systems)
        if not any(stage.questions for stage in self.stages):
            yield Problem(message="at least one question is needed", field="stages")

    def _faulty_questions(self) -> Iterator[Problem]:
        seen: set[str] = set()
        for s, stage in enumerate(self.stages, 1):
            if "translation" not in stage.show:
                yield Problem(
                    message="every stage must show the translation", field=f"stages.{s}.show"
                )
            for q, question in enumerate(stage.questions, 1):
                place = f"stages.{s}.questions.{q}"
                for one in (question, *question.nested):
                    if one.id in seen:
                        yield Problem(message=f"'{one.id}' is asked twice", field=f"{place}.id")
                if self.systems not in question.screens:
                    yield self._wrong_screen(question, f"{place}.kind")
                yield from self._faulty_condition(question, seen, f"{place}.when")
                yield from self._faulty_confirms(question, seen, place)
                seen.update(one.id for one in (question, *question.nested))

    def _wrong_screen(self, question: Question, field: str) -> Problem:
        fits = ", ".join(sorted(question.screens))
        message = f"a {question.name} needs systems: {fits}; here systems: {self.systems}"
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

    def _faulty_confirms(
        self, question: Question, earlier: set[str], place: str
    ) -> Iterator[Problem]:
        """A problem for each name in `confirm` that was not asked by then."""
        known = set(earlier)
        for one in (question, *question.nested):
            known.add(one.id)
            for confirm in one.confirm:
                for name in {*names(parse(confirm.when)), confirm.without} - {"", *known}:
                    message = f"'{name}' is not a question asked by then"
                    allowed = tuple(sorted(known))
                    yield Problem(
                        message=message, field=f"{place}.confirm", value=name, allowed=allowed
                    )

    def _faulty_names(self) -> Iterator[Problem]:
        """Problems of score and order: unknown questions, or questions without a number."""
        scored = self.score.questions if self.score else ()
        if self.score and not scored:
            yield Problem(message="at least one question is needed", field="score.questions")
        for name in scored:
            question = self.questions.get(name)
            if question is None:
                yield self._no_question(name, "score.questions")
            # a kind that can be scored overrides `number`; there is no separate flag to forget
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
        """Problems of the order: combinations without an entry, and entries without any."""
        named = self._ordered()
        unlisted = [question for question in named if not question.answers()]
        for question in unlisted:
            message = f"'{question.id}' cannot be in the order: it is a {question.name}"
            yield Problem(message=message, field="order")
        # an upper bound, found without listing them: conditions only make combinations fewer
        count = prod(len(question.answers()) for question in named)
        if count > MOST_COMBINATIONS:
            message = (
                f"the order covers {count} combinations; at most {MOST_COMBINATIONS} are allowed"
            )
            yield Problem(message=message, field="order")
        elif self.order and not unlisted:
            yield from self._faulty_places(list(self._possible(named, {})))

    def _faulty_places(self, possible: Sequence[Answers]) -> Iterator[Problem]:
        places = [self.place_of(answers) for answers in possible]
        for answers, place in zip(possible, places, strict=True):
            if place is None:
                yield Problem(
                    message=f"the order has no entry for {_spoken(answers)}", field="order"
                )
        for n, pattern in enumerate(self.order, 1):
            if n not in places:
                message = f"no answers match the entry {_spoken(pattern)}"
                yield Problem(message=message, field=f"order.{n}")

    def _ordered(self) -> list[Question]:
        """The questions in the order, and those on which their conditions depend."""
        wanted = {name for place in self.order for name in place}
        # backwards, since a condition can only use earlier questions
        for question in reversed(self.questions.values()):
            if question.id in wanted and question.condition:
                wanted |= set(names(question.condition))
        return [question for question in self.questions.values() if question.id in wanted]

    def _possible(self, questions: Sequence[Question], given: Answers) -> Iterator[Answers]:
        """All combinations of answers that these questions can get."""
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
    # compared as texts: YAML reads `adequacy: 7` as a number, but an option may be the text '7'
    return all(n in answers and str(answers[n]) == str(value) for n, value in pattern.items())


def _spoken(answers: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in answers.items())


def _default(field: msgspec.structs.FieldInfo) -> object:
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()


def _lean(value: object) -> object:
    """Declared objects as plain data, with the kind of each question and without defaults."""
    if isinstance(value, msgspec.Struct):
        # without defaults, so that a field added by a later release does not change the version
        kind = {"kind": value.name} if isinstance(value, Question) else {}
        fields = struct_fields(type(value)).values()
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
