"""The best and the worst of all the translations on the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

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
)

# The keys of what the two choices are called.
PARTS = ("best-one", "worst-one")


class BestWorst(Question, frozen=True, kw_only=True):
    """The places of the best and of the worst translation on the screen, from 1: `[3, 1]`.

    Every translation gets a value: 1 for the best, −1 for the worst, 0 for the others, so that the
    mean of a system is the share of best minus that of worst. It also gets a rank: the best is
    first, the worst last, and the others, of which nothing is known, share the place between.
    """

    name: ClassVar[str] = "best-worst"
    level: ClassVar[Level] = "ordinal"
    screens: ClassVar[frozenset[Screen]] = frozenset({"two", "all"})
    records: ClassVar[tuple[str, ...]] = ("judgments", "rankings")
    template: ClassVar[str] = "input.html"
    script: ClassVar[str] = "input.js"

    def check(self, answer: Answer, item: Item) -> Answer:
        given = answer if isinstance(answer, list) else []
        places = range(1, len(item.translations) + 1)
        if len(given) != 2 or not all(type(one) is int and one in places for one in given):
            message = f"the best and the worst are two places from 1 to {len(places)}"
            raise self.refusal(message, answer)
        if given[0] == given[1]:
            message = "the best cannot also be the worst"
            raise self.refusal(message, answer, code="best-is-worst")
        return list(given)

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        assert isinstance(answer, list)
        best, worst = answer
        for slot, shown in enumerate(item.translations, 1):
            value = float((slot == best) - (slot == worst))
            label = "best" if slot == best else "worst" if slot == worst else None
            about = {"system": shown.system, "question": self.id, "slot": slot}
            yield Row("judgments", {**about, "value": value, "label": label, "na": False})
            rank = 1 if slot == best else 3 if slot == worst else 2
            # two translations have nothing in between
            yield Row("rankings", {**about, "rank": min(rank, len(item.translations))})

    def read_form(self, form: Form, shown: OnScreen) -> Answer | None:
        sent = [form.get(self.field(n), "") for n in (1, 2)]
        return [int(one) for one in sent] if all(one.isdecimal() for one in sent) else None

    def describe(self, example: Example, say: Say) -> Described:
        assert isinstance(example.answer, list)
        said = zip(PARTS, example.answer, strict=True)
        return Described(
            parts=tuple((say(part), say("translation-n", number=n)) for part, n in said)
        )

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        # equal qualities are decided at random
        order = sorted(range(len(qualities)), key=lambda n: (qualities[n], random.random()))
        return [order[-1] + 1, order[0] + 1]
