"""Error spans: wrong pieces of the translation, each with a severity and perhaps a category."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

import msgspec

from jurat.conversion import convert
from jurat.faults import Fault, FaultyInput, quoted
from jurat.model import Item
from jurat.protocols.questions import Answer, Level, Question, Row, doubled


class Severity(msgspec.Struct, frozen=True, kw_only=True):
    """How bad an error is; its weight is taken off the score."""

    value: str
    label: str
    weight: float
    meaning: str = ""


class Category(msgspec.Struct, frozen=True, kw_only=True):
    """What kind of error it is; weights here replace the severity's, by severity.

    One that stands alone leaves nothing else to be marked.
    """

    value: str
    label: str
    meaning: str = ""
    weights: dict[str, float] = {}
    alone: bool = False


class Span(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One marked error, `start` to `end` in code points; what is missing may have no text."""

    start: int
    end: int
    severity: str
    category: str | None = None
    missing: bool = False


class Spans(Question, frozen=True, kw_only=True):
    """A list of marked errors, empty when there are none."""

    name: ClassVar[str] = "spans"
    level: ClassVar[Level] = "ratio"
    records: ClassVar[tuple[str, ...]] = ("spans", "judgments")

    severities: tuple[Severity, ...]
    categories: tuple[Category, ...] = ()
    missing: bool = True
    most: int | None = None

    def faults(self) -> Iterator[Fault]:
        known = tuple(severity.value for severity in self.severities)
        if not known:
            yield Fault(message="at least one severity is needed", field="severities")
        if self.most is not None and self.most < 1:
            yield Fault(message="at least one error must be allowed", field="most")
        yield from doubled(known, "severities")
        yield from doubled((category.value for category in self.categories), "categories")
        for n, category in enumerate(self.categories, 1):
            for name in category.weights:
                if name not in known:
                    message = f"{quoted(name)} is no severity here"
                    field = f"categories.{n}.weights"
                    yield Fault(message=message, field=field, value=name, allowed=known)
        yield from super().faults()

    def check(self, answer: Answer, item: Item) -> Answer:
        try:
            spans = convert(answer, list[Span])
        except (msgspec.ValidationError, UnicodeEncodeError):
            raise self.refusal("a list of marked errors is needed", answer) from None
        if self.most is not None and len(spans) > self.most:
            message = f"at most {self.most} errors can be marked"
            raise self.refusal(message, len(spans), code="span-most")
        for span in spans:
            self._check_span(span, item.translations[0].text)
            if len(spans) > 1 and span.category in self._alone:
                message = f"an error '{span.category}' stands alone"
                raise self.refusal(message, span.category, code="span-alone")
        return [msgspec.to_builtins(span) for span in spans]

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        system = item.translations[0].system
        for span in convert(answer, list[Span]):
            marked = msgspec.to_builtins(span) | {"weight": self.weight(span)}
            yield Row("spans", {"system": system, "question": self.id, **marked})
        # a translation without errors was judged too: it has a row, and its value is 0
        values = {
            "system": system,
            "question": self.id,
            "value": self.number(answer, item),
            "label": None,
            "na": False,
        }
        yield Row("judgments", values)

    def weight(self, span: Span) -> float:
        """What an error takes off the score."""
        own = next((c.weights for c in self.categories if c.value == span.category), {})
        return own.get(
            span.severity, next(s.weight for s in self.severities if s.value == span.severity)
        )

    def number(self, answer: Answer, item: Item) -> float | None:
        return 0.0 - sum(self.weight(span) for span in convert(answer, list[Span]))

    def maximum(self, answer: Answer, item: Item) -> float | None:
        return 0.0

    @property
    def tolerance(self) -> float:
        """The lightest error that counts."""
        return min((one.weight for one in self.severities if one.weight > 0), default=0.0)

    def legend(self) -> Iterator[tuple[object, str, str]]:
        for severity in self.severities:
            yield severity.value, severity.label, severity.meaning
        for category in self.categories:
            yield category.value, category.label, category.meaning

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        words = [match.span() for match in re.finditer(r"\S+", item.translations[0].text)]
        share = 1 - min(max(qualities[0], 0.0), 1.0)
        most = 1 if self.categories and not self._ordinary else self.most
        wrong = [span for span in words if random.random() < share / 2][:most]
        return [self._simulated(start, end, share, random) for start, end in wrong]

    def _simulated(self, start: int, end: int, share: float, random: Random) -> dict[str, object]:
        heavier = sorted(self.severities, key=lambda severity: severity.weight)
        severity = heavier[-1] if random.random() < share else heavier[0]
        kinds = self._ordinary or self.categories
        category = random.choice(kinds).value if kinds else None
        span = Span(start=start, end=end, severity=severity.value, category=category)
        return dict(msgspec.to_builtins(span))

    @property
    def _alone(self) -> set[str]:
        return {category.value for category in self.categories if category.alone}

    @property
    def _ordinary(self) -> tuple[Category, ...]:
        return tuple(category for category in self.categories if not category.alone)

    def _check_span(self, span: Span, text: str) -> None:
        if span.missing and not self.missing:
            raise self.refusal("missing pieces are not marked here", "missing")
        if not 0 <= span.start <= span.end <= len(text) or (
            span.start == span.end and not span.missing
        ):
            message = f"{quoted(span.start)} to {quoted(span.end)} is no piece of the translation"
            raise self.refusal(message, span.start, code="span-first")
        self._check_name("severity", span.severity, self.severities)
        if self.categories:
            self._check_name("category", span.category, self.categories)
        elif span.category is not None:
            raise self.refusal("errors have no category here", span.category)

    def _check_name(
        self, word: str, value: str | None, known: Sequence[Severity | Category]
    ) -> None:
        allowed = [one.value for one in known]
        if value not in allowed:
            raise self._unknown(word, value, allowed)

    def _unknown(self, word: str, value: str | None, allowed: Sequence[str]) -> FaultyInput:
        message = f"{quoted(value)} is no {word}" if value else f"the {word} is missing"
        return self.refusal(message, value, allowed, code=f"span-{word}")
