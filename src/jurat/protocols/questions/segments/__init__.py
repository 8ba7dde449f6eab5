"""Questions about each segment of a whole document, which is on the screen from first to last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

from msgspec.structs import replace

from jurat.errors import Problem
from jurat.model import Item
from jurat.protocols.questions import Answer, OnScreen, Row, Screen
from jurat.protocols.questions.each import Each, OneOnScreen

# How much the segments of a document differ in quality, for simulated judges.
SPREAD = 0.05


class Segments(Each, frozen=True, kw_only=True):
    """The same questions about every segment of a document, in their order.

    An answer is a list with the answers about each segment, by question: `[{"score": 90}, …]`. The
    rows of the tables are those of single segments; other questions of the protocol are about the
    document as a whole.
    """

    name: ClassVar[str] = "segments"
    screens: ClassVar[frozenset[Screen]] = frozenset({"one"})
    records: ClassVar[tuple[str, ...]] = ()
    template: ClassVar[str] = "input.html"
    style: ClassVar[str] = "input.css"
    what: ClassVar[str] = "segment"

    def problems(self) -> Iterator[Problem]:
        if self.ranked_by:
            message = "the segments of a document are not ranked"
            yield Problem(message=message, field="ranked_by", value=self.ranked_by)
        for n, question in enumerate(self.questions, 1):
            if getattr(question, "suggestions", ""):
                message = "suggestions are shown where one segment is on the screen"
                yield Problem(message=message, field=f"questions.{n}.suggestions")
        yield from super().problems()

    def alone(self, item: Item) -> list[Item]:
        """The segments of the document as items; their ids are numbers where it has none."""
        (shown,) = item.translations
        lines = shown.text.split("\n")
        names = item.segments or [str(n) for n, _ in enumerate(lines, 1)]
        sources = (item.source or "").split("\n")
        return [
            replace(
                item,
                segment=name,
                segments=(),
                source=sources[n] if item.source is not None and n < len(sources) else None,
                translations=(replace(shown, text=line),),
            )
            for n, (name, line) in enumerate(zip(names, lines, strict=True))
        ]

    def on_screen(self, shown: OnScreen) -> list[OnScreen]:
        return [OneOnScreen((line,)) for line in shown.translations[0].split("\n")]

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        for answers, alone in self.parts(answer, item):
            for question in self.questions:
                if question.id in answers:
                    for row in question.rows(answers[question.id], alone):
                        yield Row(row.table, {**row.values, "segment": alone.segment})

    def perceived(
        self, item: Item, qualities: Sequence[float], random: Random
    ) -> list[tuple[Item, float]]:
        (quality,) = qualities
        return [(alone, quality + random.gauss(0, SPREAD)) for alone in self.alone(item)]
