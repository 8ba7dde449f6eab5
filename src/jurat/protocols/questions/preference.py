"""A preference between two translations of the same segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar, Literal

from jurat.errors import Problem, quoted
from jurat.model import Item
from jurat.protocols.questions import Answer, Level, Question, Row, Screen

Outcome = Literal["a", "b", "tie", "good", "bad"]

# Qualities closer than this look the same to a simulated judge.
ALIKE = 0.08


class Preference(Question, frozen=True, kw_only=True):
    """Which of two is better: `a` the first on the screen, `b` the second, or a kind of tie."""

    name: ClassVar[str] = "preference"
    level: ClassVar[Level] = "nominal"
    screens: ClassVar[frozenset[Screen]] = frozenset({"two"})
    records: ClassVar[tuple[str, ...]] = ("preferences",)

    labels: dict[Outcome, str]

    def problems(self) -> Iterator[Problem]:
        if not {"a", "b"} <= set(self.labels):
            yield Problem(message="labels for 'a' and 'b' are required", field="labels")
        yield from super().problems()

    def check(self, answer: Answer, item: Item) -> Answer:
        if answer in self.answers():
            return answer
        raise self.refusal(f"{quoted(answer)} is not a preference", answer, self.answers())

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        first, second = item.translations
        values = {
            "question": self.id,
            "system_a": first.system,
            "system_b": second.system,
            "outcome": answer,
        }
        yield Row("preferences", values)

    def answers(self) -> tuple[Answer, ...]:
        return tuple(self.labels)

    def legend(self) -> Iterator[tuple[object, str, str]]:
        for outcome, label in self.labels.items():
            yield outcome, label, ""

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        first, second = qualities
        # a protocol offers `tie`, or tells equally good from equally bad
        tie = "tie" if "tie" in self.labels else "good" if first + second > 1 else "bad"
        if abs(first - second) < ALIKE and tie in self.labels:
            return tie
        # where ties are not allowed, equal qualities are decided at random
        return "a" if (first, random.random()) > (second, 0.5) else "b"
