"""A choice: yes or no, or one of a few named options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

import msgspec

from jurat.errors import Problem, quoted
from jurat.model import Item
from jurat.protocols.questions import NA, Answer, Level, Rating, doubled


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """An option; `number` if it counts in a score."""

    value: str
    label: str = ""
    meaning: str = ""
    number: float | None = None


class Choice(Rating, frozen=True, kw_only=True):
    """One of the options, listed best first; without options: yes (1) or no (0)."""

    name: ClassVar[str] = "choice"
    level: ClassVar[Level] = "nominal"

    options: tuple[Option, ...] = (
        Option(value="yes", label="Yes", number=1.0),
        Option(value="no", label="No", number=0.0),
    )

    def problems(self) -> Iterator[Problem]:
        values = [option.value for option in self.options]
        if len(values) < 2:
            yield Problem(message="a choice needs two options or more", field="options")
        if NA in values:
            message = f"'{NA}' cannot be an option; write not_applicable: true"
            yield Problem(message=message, field="options")
        yield from doubled(values, "options")
        yield from super().problems()

    def legal(self, answer: Answer) -> Answer:
        # options are texts, even if they are called 1, 2, 3
        chosen = str(answer) if type(answer) is int and abs(answer) < 10**9 else answer
        if chosen in self.answers():
            return chosen
        allowed = (*self.answers(), NA) if self.not_applicable else self.answers()
        raise self.refusal(f"{quoted(answer)} is not one of the options", answer, allowed)

    def number(self, answer: Answer, item: Item) -> float | None:
        return next((option.number for option in self.options if option.value == answer), None)

    def maximum(self, answer: Answer, item: Item) -> float | None:
        numbers = [option.number for option in self.options if option.number is not None]
        return max(numbers) if numbers and answer != NA else None

    def answers(self) -> tuple[Answer, ...]:
        return tuple(option.value for option in self.options)

    def legend(self) -> Iterator[tuple[object, str, str]]:
        for option in self.options:
            yield option.value, option.label, option.meaning

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        # Between two options the nearer one is only the likelier one: a translation with nearly all
        # of the meaning may still lack the essential part of it. Options are listed best first.
        steps = len(self.options) - 1
        place = min(max(qualities[0], 0.0), 1.0) * steps
        worst = int(place)
        return self.answers()[-1 - min(worst + (random.random() < place - worst), steps)]
