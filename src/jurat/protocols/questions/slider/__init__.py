"""A slider: any number between two ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

import msgspec

from jurat.errors import Problem, quoted
from jurat.model import Item
from jurat.protocols.questions import (
    NA,
    TOLERATED,
    Answer,
    Described,
    Example,
    Form,
    Level,
    OnScreen,
    Rating,
    Say,
)


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A labelled position on the slider."""

    value: int
    label: str
    meaning: str = ""


class Slider(Rating, frozen=True, kw_only=True):
    """A number from `low` to `high`; higher is better."""

    name: ClassVar[str] = "slider"
    level: ClassVar[Level] = "interval"
    template: ClassVar[str] = "input.html"
    script: ClassVar[str] = "input.js"
    style: ClassVar[str] = "input.css"
    same_for_every_item: ClassVar[bool] = True

    low: int = 0
    high: int = 100
    marks: tuple[Mark, ...] = ()

    def problems(self) -> Iterator[Problem]:
        if self.low >= self.high:
            message = f"the low end {self.low} is not below the high end {self.high}"
            yield Problem(message=message, field="low")
        for n, mark in enumerate(self.marks, 1):
            if not self.low <= mark.value <= self.high:
                message = f"{mark.value} lies outside the slider"
                yield Problem(message=message, field=f"marks.{n}.value")
        yield from super().problems()

    @property
    def shows_numbers(self) -> bool:
        """Always: the number is beside the slider, and can be typed."""
        return True

    def legal(self, answer: Answer) -> Answer:
        number = isinstance(answer, int | float) and not isinstance(answer, bool)
        if number and self.low <= answer <= self.high:  # type: ignore[operator]
            return answer
        message = f"{quoted(answer)} is not a number from {self.low} to {self.high}"
        raise self.refusal(message, answer, (NA,) if self.not_applicable else ())

    def label(self, answer: Answer) -> str | None:
        return next((mark.label for mark in self.marks if mark.value == answer), None)

    def number(self, answer: Answer, item: Item) -> float | None:
        return None if answer == NA else float(answer)  # type: ignore[arg-type]

    def maximum(self, answer: Answer, item: Item) -> float | None:
        return None if answer == NA else float(self.high)

    @property
    def tolerance(self) -> float:
        return (self.high - self.low) * TOLERATED

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest number."""
        return self.low, self.high

    def legend(self) -> Iterator[tuple[object, str, str]]:
        for mark in self.marks:
            yield mark.value, mark.label, mark.meaning

    def read_form(self, form: Form, shown: OnScreen) -> Answer | None:
        if form.get(self.field("na")):
            return NA
        sent = form.get(self.field(), "").strip()
        try:
            number = float(sent)
        except ValueError:
            return sent or None
        # 70 and 70.0 have to be the same answer, whichever way the page sent it
        return int(number) if number.is_integer() else number

    def describe(self, example: Example, say: Say) -> Described:
        if example.answer == NA:
            return super().describe(example, say)
        return Described(text=say("step-of", position=example.answer, steps=self.high))

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        place = self.low + qualities[0] * (self.high - self.low)
        return min(max(round(place), self.low), self.high)
