"""A ranking of all the translations on the screen, ties allowed."""

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
    from_json,
)
from jurat.protocols.questions.preference import ALIKE


class Ranking(Question, frozen=True, kw_only=True):
    """A rank for each translation in the order of the screen: `[2, 1, 1]`; 1 is best."""

    name: ClassVar[str] = "ranking"
    level: ClassVar[Level] = "ordinal"
    screens: ClassVar[frozenset[Screen]] = frozenset({"two", "all"})
    records: ClassVar[tuple[str, ...]] = ("rankings",)
    template: ClassVar[str] = "input.html"
    script: ClassVar[str] = "input.js"
    style: ClassVar[str] = "input.css"
    shows_translations: ClassVar[bool] = True

    ties: bool = True

    def check(self, answer: Answer, item: Item) -> Answer:
        places = answer if isinstance(answer, list) else []
        if len(places) != len(item.translations) or not all(type(p) is int for p in places):
            raise self.refusal(
                f"a place is needed for each of {len(item.translations)} translations", answer
            )
        if not self.ties and len(set(places)) < len(places):
            message = "two translations cannot have the same place"
            raise self.refusal(message, answer, code="no-ties")
        # only the order counts: 1, 3, 3 is stored as 1, 2, 2
        dense = {place: n for n, place in enumerate(sorted(set(places)), 1)}
        return [dense[place] for place in places]

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        assert isinstance(answer, list)
        for slot, (shown, rank) in enumerate(zip(item.translations, answer, strict=True), 1):
            yield Row(
                "rankings",
                {"question": self.id, "system": shown.system, "slot": slot, "rank": rank},
            )

    def read_form(self, form: Form, shown: OnScreen) -> Answer | None:
        # the script sends one field; without JavaScript there is a field for each translation
        if whole := form.get(self.field("json")):
            return from_json(whole)
        sent = [form.get(self.field(n), "") for n, _ in enumerate(shown.translations, 1)]
        return [int(one) for one in sent] if all(one.isdecimal() for one in sent) else None

    def describe(self, example: Example, say: Say) -> Described:
        assert isinstance(example.answer, list)
        groups: dict[int, list[str]] = {}
        for slot, place in enumerate(example.answer, 1):
            groups.setdefault(place, []).append(say("translation-n", number=slot))
        tied = f" {say('and')} "
        parts = ((say("place", number=place), tied.join(groups[place])) for place in sorted(groups))
        return Described(parts=tuple(parts))

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        order = sorted(range(len(qualities)), key=lambda slot: -qualities[slot])
        places = [0] * len(qualities)
        place, last = 0, float("inf")
        for slot in order:
            # compared with the best of the tie, or a chain of small steps would tie everything
            if not self.ties or last - qualities[slot] >= ALIKE:
                place, last = place + 1, qualities[slot]
            places[slot] = place
        return places
