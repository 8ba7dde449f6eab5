"""Free text: a comment, a reason, what the judge understood."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

from jurat.errors import Problem
from jurat.model import Item
from jurat.protocols.questions import Answer, Form, Level, OnScreen, Question, Row

# Characters that databases and UTF-8 files cannot hold.
_UNWRITABLE = re.compile(r"[\0\ud800-\udfff]")


class Text(Question, frozen=True, kw_only=True):
    """Free text; it may be empty only if the question is not required."""

    name: ClassVar[str] = "text"
    level: ClassVar[Level] = "text"
    records: ClassVar[tuple[str, ...]] = ("texts",)
    template: ClassVar[str] = "input.html"
    same_for_every_item: ClassVar[bool] = True

    longest: int = 2000

    def problems(self) -> Iterator[Problem]:
        if self.longest < 1:
            yield Problem(message="at least one character must fit", field="longest")
        yield from super().problems()

    def check(self, answer: Answer, item: Item) -> Answer:
        if not isinstance(answer, str) or _UNWRITABLE.search(answer):
            raise self.refusal("a text is needed", answer)
        text = answer.strip()
        if self.required and not text:
            raise self.refusal("the text is empty", answer, code="missing")
        if len(text) > self.longest:
            message = f"the text has {len(text)} characters; at most {self.longest} are allowed"
            # without the text, which would make the message as long as itself
            raise self.refusal(message, "", code="too-long")
        return text

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        yield Row(
            "texts", {"system": item.translations[0].system, "question": self.id, "text": answer}
        )

    def read_form(self, form: Form, shown: OnScreen) -> Answer | None:
        # HTML forms end lines with CR LF, scripts with LF; both must give the same text
        text = form.get(self.field(), "").replace("\r\n", "\n")
        return text if text.strip() else None

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        text = item.translations[0].text if qualities[0] > random.random() else ""
        return (text.strip() or "I do not understand this.")[: self.longest].strip()
