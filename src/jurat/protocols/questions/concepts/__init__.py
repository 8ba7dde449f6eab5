"""Concepts of the source, each of them transferred, changed or missing in the translation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

from jurat.errors import Problem, quoted
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
)


class Concepts(Question, frozen=True, kw_only=True):
    """The outcome of each concept, in the segment's order; the first of `labels` is a success."""

    name: ClassVar[str] = "concepts"
    level: ClassVar[Level] = "nominal"
    template: ClassVar[str] = "input.html"

    labels: dict[str, str]

    def problems(self) -> Iterator[Problem]:
        if len(self.labels) < 2:
            message = "two outcomes or more are required; the first is a success"
            yield Problem(message=message, field="labels")
        yield from super().problems()

    def check(self, answer: Answer, item: Item) -> Answer:
        given = answer if isinstance(answer, list) else []
        # outcomes are matched to concepts by position, so that only their number can be checked
        if len(given) != len(item.concepts):
            raise self.refusal(
                f"an answer is needed for each of {len(item.concepts)} concepts", answer
            )
        for one in given:
            if one not in tuple(self.labels):
                message = f"{quoted(one)} is not one of the outcomes"
                raise self.refusal(message, one, tuple(self.labels))
        return list(given)

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        assert isinstance(answer, list)
        system = item.translations[0].system
        for n, outcome in enumerate(answer, 1):
            value = float(outcome == self._success)
            # a question of its own for each concept, so that agreement is computed on concepts
            values = {"question": f"{self.id}.{n}", "value": value, "label": outcome, "na": False}
            yield Row("judgments", {"system": system, **values})

    def number(self, answer: Answer, item: Item) -> float | None:
        return float(answer.count(self._success)) if isinstance(answer, list) else None

    def maximum(self, answer: Answer, item: Item) -> float | None:
        return float(len(answer)) if isinstance(answer, list) else None

    def legend(self) -> Iterator[tuple[object, str, str]]:
        for outcome, label in self.labels.items():
            yield outcome, label, ""

    def read_form(self, form: Form, shown: OnScreen) -> Answer | None:
        sent = [form.get(self.field(n), "") for n, _ in enumerate(shown.concepts, 1)]
        return sent if all(sent) else None

    def describe(self, example: Example, say: Say) -> Described:
        assert isinstance(example.answer, list)
        outcomes = (self.labels[outcome] for outcome in example.answer)
        return Described(parts=tuple(zip(example.concepts, outcomes, strict=True)))

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        outcomes = list(self.labels)
        found = (random.random() < qualities[0] for _ in item.concepts)
        return [self._success if right else random.choice(outcomes[1:]) for right in found]

    @property
    def _success(self) -> str:
        return next(iter(self.labels))
