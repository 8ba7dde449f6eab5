"""A ranking of all the translations on the screen, ties allowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

from jurat.model import Item
from jurat.protocols.questions import Answer, Level, Question, Row, Screen
from jurat.protocols.questions.preference import ALIKE


class Ranking(Question, frozen=True, kw_only=True):
    """A place for each translation in the order of the screen: `[2, 1, 1]`, 1 is best."""

    name: ClassVar[str] = "ranking"
    level: ClassVar[Level] = "ordinal"
    screens: ClassVar[frozenset[Screen]] = frozenset({"two", "all"})
    records: ClassVar[tuple[str, ...]] = ("rankings",)

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
        # 1, 3, 3 and 1, 2, 2 say the same: only the order counts
        dense = {place: n for n, place in enumerate(sorted(set(places)), 1)}
        return [dense[place] for place in places]

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        assert isinstance(answer, list)
        for slot, (shown, rank) in enumerate(zip(item.translations, answer, strict=True), 1):
            yield Row(
                "rankings",
                {"question": self.id, "system": shown.system, "slot": slot, "rank": rank},
            )

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        order = sorted(range(len(qualities)), key=lambda slot: -qualities[slot])
        places = [0] * len(qualities)
        place, last = 0, float("inf")
        for slot in order:
            if not self.ties or last - qualities[slot] >= ALIKE:
                place, last = place + 1, qualities[slot]
            places[slot] = place
        return places
