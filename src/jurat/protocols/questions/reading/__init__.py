"""Reading comprehension: multiple-choice questions about a passage, with known answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

from jurat.errors import quoted
from jurat.model import Item, ReadingQuestion
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
from jurat.protocols.shortcut_keys import place_key


class Reading(Question, frozen=True, kw_only=True):
    """The number of the chosen option, from 1, for each question about the passage.

    The right answers stay on the server: a judge's page gets only questions and options.
    """

    name: ClassVar[str] = "reading"
    level: ClassVar[Level] = "nominal"
    template: ClassVar[str] = "input.html"
    beside_texts: ClassVar[bool] = True

    def check(self, answer: Answer, item: Item) -> Answer:
        given = answer if isinstance(answer, list) else []
        if len(given) != len(item.comprehension):
            raise self.refusal(
                f"an answer is needed for each of {len(item.comprehension)} questions", answer
            )
        for chosen, asked in zip(given, item.comprehension, strict=True):
            self._check_option(chosen, asked)
        return list(given)

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        assert isinstance(answer, list)
        system = item.translations[0].system
        for n, (chosen, asked) in enumerate(zip(answer, item.comprehension, strict=True), 1):
            value = float(chosen == asked.answer)
            values = {
                "question": f"{self.id}.{n}",
                "value": value,
                "label": asked.options[chosen - 1],
                "na": False,
            }
            yield Row("judgments", {"system": system, **values})

    def number(self, answer: Answer, item: Item) -> float | None:
        assert isinstance(answer, list)
        return float(
            sum(c == asked.answer for c, asked in zip(answer, item.comprehension, strict=True))
        )

    def maximum(self, answer: Answer, item: Item) -> float | None:
        return float(len(item.comprehension))

    def read_form(self, form: Form, shown: OnScreen) -> Answer | None:
        sent = [form.get(self.field(n), "") for n, _ in enumerate(shown.comprehension, 1)]
        # a question left open makes the whole answer missing, not partly right
        return [int(one) for one in sent] if all(one.isdecimal() for one in sent) else None

    def option_key(self, place: int) -> str:
        """The key of an option, by its place from 1; empty if it has none."""
        return place_key(place)

    def describe(self, example: Example, say: Say) -> Described:
        assert isinstance(example.answer, list)
        pairs = zip(example.comprehension, example.answer, strict=True)
        return Described(parts=tuple((asked.ask, asked.options[n - 1]) for asked, n in pairs))

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        return [
            asked.answer
            if random.random() < qualities[0]
            # a guess, which may be right by chance
            else random.randint(1, len(asked.options))
            for asked in item.comprehension
        ]

    def _check_option(self, chosen: object, asked: ReadingQuestion) -> None:
        options = range(1, len(asked.options) + 1)
        # True is an int in Python, and would be the first option
        if type(chosen) is not int or chosen not in options:
            message = f"{quoted(chosen)} is not an option of {quoted(asked.ask)}"
            raise self.refusal(message, chosen, options)
