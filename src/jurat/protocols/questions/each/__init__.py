"""Questions about each of several translations on the screen, and the order that follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from random import Random
from typing import ClassVar, NamedTuple

from msgspec.structs import force_setattr, replace

from jurat.condition_language import holds, names
from jurat.errors import InputError, Problem, input_error, raise_problems
from jurat.model import Item
from jurat.protocols.questions import (
    Answer,
    Described,
    Example,
    Form,
    Level,
    OnScreen,
    Question,
    Row,
    Say,
    Screen,
    doubled,
)

# What the answers about one translation are called by their questions' ids.
Answers = Mapping[str, Answer]


class OneOnScreen(NamedTuple):
    """What a judge sees of one translation."""

    translations: Sequence[str]
    concepts: Sequence[str] = ()
    comprehension: Sequence[object] = ()


class Each(Question, frozen=True, kw_only=True):
    """The same questions about every translation on the screen.

    An answer is a list with the answers about each translation, by question, in the order of the
    screen: `[{"errors": [], "score": 90}, …]`. With `ranked_by`, the numbers of that question also
    give a row for each translation in the table `rankings`; equal numbers are ties.
    """

    name: ClassVar[str] = "each"
    level: ClassVar[Level] = "interval"
    screens: ClassVar[frozenset[Screen]] = frozenset({"two", "all"})
    # beside what its questions record themselves
    records: ClassVar[tuple[str, ...]] = ("rankings",)
    template: ClassVar[str] = "input.html"
    script: ClassVar[str] = "input.js"
    style: ClassVar[str] = "input.css"
    shows_translations: ClassVar[bool] = True

    questions: tuple[Question, ...]
    ranked_by: str = ""
    """The question whose numbers put the translations in order; empty: they are not ranked."""

    @property
    def nested(self) -> tuple[Question, ...]:
        return self.questions

    def problems(self) -> Iterator[Problem]:
        if not self.questions:
            yield Problem(message="at least one question is needed", field="questions")
        yield from doubled((question.id for question in self.questions), "questions")
        earlier: list[str] = []
        for n, question in enumerate(self.questions, 1):
            if "one" not in question.screens or question.shows_translations:
                message = f"a {question.name} cannot be asked of one translation"
                yield Problem(message=message, field=f"questions.{n}.kind")
            if getattr(question, "source", False):
                # the source stands on the screen once, for all translations
                message = "errors in the source are marked where one translation is on the screen"
                yield Problem(message=message, field=f"questions.{n}.source")
            for name in names(question.condition) if question.condition else ():
                if name not in earlier:
                    message = f"'{name}' is not a question asked before this one"
                    yield Problem(message=message, field=f"questions.{n}.when", value=name)
            earlier.append(question.id)
        if self.ranked_by and self.ranked_by not in earlier:
            message = f"'{self.ranked_by}' is not one of these questions"
            yield Problem(message=message, field="ranked_by", allowed=tuple(earlier))
        yield from super().problems()

    what: ClassVar[str] = "translation"
    """What the questions are asked about."""

    def alone(self, item: Item) -> list[Item]:
        """An item for each part that the questions are asked about."""
        return [replace(item, translations=(shown,)) for shown in item.translations]

    def on_screen(self, shown: OnScreen) -> list[OnScreen]:
        """What a judge sees of each part."""
        return [
            OneOnScreen((text,), shown.concepts, shown.comprehension) for text in shown.translations
        ]

    def check(self, answer: Answer, item: Item) -> Answer:
        given = answer if isinstance(answer, list) else []
        count = len(self.alone(item))
        if len(given) != count or not all(isinstance(one, dict) for one in given):
            raise self.refusal(f"answers are needed for each of {count} {self.what}s", answer)
        problems: list[Problem] = []
        kept = []
        for n, (answers, alone) in enumerate(self.parts(given, item), 1):
            try:
                kept.append(self._checked(n, answers, alone))
            except InputError as error:
                problems.extend(error.problems)
        raise_problems(problems)
        return kept

    def _checked(self, slot: int, answers: Answers, alone: Item) -> dict[str, Answer]:
        """The answers about the translation at a place of the screen, from 1."""
        problems: list[Problem] = []
        kept: dict[str, Answer] = {}
        for question in self.asked(slot, answers):
            own = question.id.rpartition(".")[2]
            answer = answers.get(own)
            if answer is None or (isinstance(answer, str) and not answer.strip()):
                if question.required:
                    message = f"'{question.id}' is not answered"
                    problems.append(Problem(message=message, field=question.id, code="missing"))
                continue
            try:
                kept[own] = question.check(answer, alone)
            except InputError as error:
                problems.extend(error.problems)
        for name in answers.keys() - kept.keys():
            if answers[name] is not None and not problems:
                message = f"'{name}' is not asked of {self.what} {slot}"
                problems += input_error(message, field=f"{self.id}.{slot}.{name}").problems
        raise_problems(problems)
        return kept

    def asked(self, slot: int, answers: Answers) -> Iterator[Question]:
        """The questions about the translation at a place, as its form calls them (`field`)."""
        earlier: dict[str, Answer] = {}
        for question in self.questions:
            if question.condition is None or holds(question.condition, earlier):
                yield self.at(slot, question)
                if question.id in answers:
                    earlier[question.id] = answers[question.id]

    def at(self, slot: int, question: Question) -> Question:
        """A question as it is asked of the translation at a place; its id names the place, too."""
        # a copy is not checked again, which is what allows an id with dots
        placed = copy(question)
        force_setattr(placed, "id", f"{self.id}.{slot}.{question.id}")
        return placed

    def parts(self, answer: Answer, item: Item) -> Iterator[tuple[dict[str, Answer], Item]]:
        """The answers about each translation, with an item that shows it alone."""
        given = answer if isinstance(answer, list) else []
        yield from zip(given, self.alone(item), strict=True)

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        for slot, (answers, alone) in enumerate(self.parts(answer, item), 1):
            for question in self.questions:
                if question.id in answers:
                    for row in question.rows(answers[question.id], alone):
                        yield Row(row.table, {**row.values, "slot": slot})
        yield from self._ranked(answer, item)

    def _ranked(self, answer: Answer, item: Item) -> Iterator[Row]:
        """The order that the numbers of `ranked_by` imply; translations without one have none."""
        question = next((one for one in self.questions if one.id == self.ranked_by), None)
        if question is None:
            return
        numbers = [
            question.number(answers[question.id], alone) if question.id in answers else None
            for answers, alone in self.parts(answer, item)
        ]
        better = sorted({number for number in numbers if number is not None}, reverse=True)
        for slot, (shown, number) in enumerate(zip(item.translations, numbers, strict=True), 1):
            if number is not None:
                rank = better.index(number) + 1
                place = {"system": shown.system, "slot": slot, "rank": rank}
                yield Row("rankings", {"question": self.id, **place})

    def usable(self, answer: Answer, item: Item) -> Answer | None:
        given = answer if isinstance(answer, list) else []
        parts = self.alone(item)
        if len(given) != len(parts):
            return None
        kept = []
        for n, alone in enumerate(parts):
            own = given[n] if isinstance(given[n], dict) else {}
            asked = ((q.id, q.usable(own[q.id], alone)) for q in self.questions if q.id in own)
            kept.append({name: one for name, one in asked if one is not None})
        return kept if any(kept) else None

    def perceived(
        self, item: Item, qualities: Sequence[float], random: Random
    ) -> list[tuple[Item, float]]:
        """Each part with the quality that a simulated judge perceives."""
        return list(zip(self.alone(item), qualities, strict=True))

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        given: list[dict[str, Answer]] = []
        for n, (alone, quality) in enumerate(self.perceived(item, qualities, random), 1):
            answers: dict[str, Answer] = {}
            for question in self.asked(n, answers):
                own = question.id.rpartition(".")[2]
                answers[own] = question.simulate(alone, [quality], random)
            given.append(answers)
        return given

    def read_form(self, form: Form, shown: OnScreen) -> Answer | None:
        given = []
        for n, screen in enumerate(self.on_screen(shown), 1):
            found = ((q.id, self.at(n, q).read_form(form, screen)) for q in self.questions)
            answers = {name: one for name, one in found if one is not None}
            asked = {question.id.rpartition(".")[2] for question in self.asked(n, answers)}
            given.append({name: answers[name] for name in answers if name in asked})
        return given if any(given) else None

    def describe(self, example: Example, say: Say) -> Described:
        parts: list[tuple[str, str]] = []
        answers = example.answer if isinstance(example.answer, list) else []
        for n, (alone, given) in enumerate(
            zip(self.alone(example.item()), answers, strict=True), 1
        ):
            text = alone.translations[0].text
            said = [
                _in_words(
                    question, replace(example, answer=given[question.id], translation=text), say
                )
                for question in self.questions
                if question.id in given
            ]
            parts.append((say(f"{self.what}-n", number=n), " · ".join(filter(None, said))))
        return Described(parts=tuple(parts))


def _in_words(question: Question, example: Example, say: Say) -> str:
    """An answer about one translation in one line."""
    told = question.describe(example, say)
    marked = "; ".join(f"{about}: {said}" for about, said in told.parts)
    return told.text or marked
