"""A scale of ordered points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

import msgspec

from jurat.errors import Problem, quoted
from jurat.model import Item
from jurat.protocols.questions import (
    NA,
    Answer,
    Described,
    Example,
    Level,
    Rating,
    Say,
    doubled,
    nearest,
)

# How often a simulated judge answers "not applicable", where that is allowed.
SHARE_NA = 0.05


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """A point of a scale; the label is optional."""

    value: int
    label: str = ""
    meaning: str = ""


class Scale(Rating, frozen=True, kw_only=True):
    """One of several ordered points; the highest value is the best."""

    name: ClassVar[str] = "scale"
    level: ClassVar[Level] = "ordinal"

    points: tuple[Point, ...]
    show_numbers: bool = False

    def problems(self) -> Iterator[Problem]:
        values = [point.value for point in self.points]
        if len(values) < 2:
            yield Problem(message="a scale needs two points or more", field="points")
        if values not in (sorted(values), sorted(values, reverse=True)):
            message = "the points must be in order, best first or worst first"
            yield Problem(message=message, field="points")
        yield from doubled(values, "points")
        yield from super().problems()

    def legal(self, answer: Answer) -> Answer:
        values = [point.value for point in self.points]
        # True == 1 in Python
        if answer in values and not isinstance(answer, bool):
            return int(answer)
        allowed = (*self.answers(), NA) if self.not_applicable else self.answers()
        raise self.refusal(f"{quoted(answer)} is not a point of the scale", answer, allowed)

    def label(self, answer: Answer) -> str | None:
        return next(point.label for point in self.points if point.value == answer) or None

    def number(self, answer: Answer, item: Item) -> float | None:
        return None if answer == NA else float(answer)  # type: ignore[arg-type]

    def maximum(self, answer: Answer, item: Item) -> float | None:
        return None if answer == NA else float(max(point.value for point in self.points))

    def answers(self) -> tuple[Answer, ...]:
        return tuple(sorted((point.value for point in self.points), reverse=True))

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        values = [point.value for point in self.points]
        return min(values), max(values)

    @property
    def tolerance(self) -> float:
        """One point; 0 on a scale of two points, where every difference matters."""
        values = [point.value for point in self.points]
        # the mean distance of neighbours, since values need not be consecutive
        return (max(values) - min(values)) / (len(values) - 1) if len(values) > 2 else 0.0

    def legend(self) -> Iterator[tuple[object, str, str]]:
        for point in self.points:
            yield point.value, point.label, point.meaning

    def describe(self, example: Example, say: Say) -> Described:
        if example.answer == NA:
            return super().describe(example, say)
        chosen = next(choice for choice in self.choices() if choice.value == example.answer)
        return Described(text=chosen.name(say), point=chosen.place, points=chosen.places)

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        if self.not_applicable and random.random() < SHARE_NA:
            return NA
        return self.answers()[-1 - nearest(qualities[0], len(self.points))]
