"""A magnitude: any number above 0, relative to something that has a given number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

from jurat.errors import Problem, quoted
from jurat.model import Item
from jurat.protocols.questions import NA, TOLERATED, Answer, Form, Level, OnScreen, Rating

# The largest answer that is not a slip of the hand.
LARGEST = 1_000_000


class Magnitude(Rating, frozen=True, kw_only=True):
    """How many times as good it is as something that counts `standard`; higher is better."""

    name: ClassVar[str] = "magnitude"
    level: ClassVar[Level] = "ratio"
    template: ClassVar[str] = "input.html"
    script: ClassVar[str] = "input.js"
    same_for_every_item: ClassVar[bool] = True

    standard: int = 100
    """The number of what it is compared with."""

    def problems(self) -> Iterator[Problem]:
        if not 0 < self.standard <= LARGEST:
            message = f"the standard is a number from 1 to {LARGEST}"
            yield Problem(message=message, field="standard", value=self.standard)
        yield from super().problems()

    @property
    def shows_numbers(self) -> bool:
        """Always: a number is what the judge types."""
        return True

    def legal(self, answer: Answer) -> Answer:
        number = isinstance(answer, int | float) and not isinstance(answer, bool)
        if number and 0 < answer <= LARGEST:  # type: ignore[operator]
            return answer
        message = f"{quoted(answer)} is not a number above 0"
        raise self.refusal(message, answer, (NA,) if self.not_applicable else (), code="above-zero")

    def label(self, answer: Answer) -> str | None:
        return None

    def number(self, answer: Answer, item: Item) -> float | None:
        return None if answer == NA else float(answer)  # type: ignore[arg-type]

    @property
    def tolerance(self) -> float:
        return self.standard * TOLERATED

    def read_form(self, form: Form, shown: OnScreen) -> Answer | None:
        if form.get(self.field("na")):
            return NA
        sent = form.get(self.field(), "").strip()
        try:
            number = float(sent)
        except ValueError:
            return sent or None
        return int(number) if number.is_integer() else number

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        return max(1, round(self.standard * qualities[0]))
