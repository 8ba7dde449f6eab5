"""Error spans: marked errors in the translation, with a severity and optionally a category."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count, groupby, takewhile
from random import Random
from typing import ClassVar, NamedTuple

import msgspec

from jurat.deserialize import convert
from jurat.errors import InputError, Problem, quoted
from jurat.model import Item
from jurat.protocols.answer_keys import (
    CATEGORIES,
    CATEGORY_GROUPS,
    SEVERITIES,
    AnswerChoice,
    answer_choices,
    fixed_keys,
)
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
    doubled,
    from_json,
)
from jurat.word_boundaries import pieces

# Errors that a page without JavaScript has room for, if the protocol sets no limit.
FORM_ROWS = 8
ROW_FIELDS = ("from", "to", "severity", "category", "missing")
# Chinese labels have a full-width slash.
_SLASH = re.compile(r"\s*[/\uff0f]\s*")
_WORD = re.compile(r"(\d{1,6})-(\d{1,6})")


class Severity(msgspec.Struct, frozen=True, kw_only=True):
    """A severity of errors; its weight is subtracted from the score."""

    value: str
    label: str
    weight: float
    meaning: str = ""


class Category(msgspec.Struct, frozen=True, kw_only=True):
    """A category of errors; its `weights`, by severity, replace those of the severities.

    An error of a category that is `alone` must be the only one.
    """

    value: str
    label: str
    meaning: str = ""
    weights: dict[str, float] = {}
    alone: bool = False


class Span(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A marked error, from `start` to `end` in code points; an omission may be empty."""

    start: int
    end: int
    severity: str
    category: str | None = None
    missing: bool = False


class Word(NamedTuple):
    """A word that can be chosen on a page without JavaScript: its place and its text."""

    start: int
    end: int
    text: str


class GroupedCategory(NamedTuple):
    """A category with the last part of its label, and the key for it within its group."""

    category: Category
    label: str
    key: str


class CategoryGroup(NamedTuple):
    """Categories with the same first part, and the key for them."""

    label: str
    """Empty for a category without a group."""
    key: str
    members: list[GroupedCategory]


class Spans(Question, frozen=True, kw_only=True):
    """A list of marked errors."""

    name: ClassVar[str] = "spans"
    level: ClassVar[Level] = "ratio"
    records: ClassVar[tuple[str, ...]] = ("spans", "judgments")
    template: ClassVar[str] = "input.html"
    script: ClassVar[str] = "input.js"
    style: ClassVar[str] = "input.css"

    severities: tuple[Severity, ...]
    categories: tuple[Category, ...] = ()
    missing: bool = True
    most: int | None = None

    def problems(self) -> Iterator[Problem]:
        known = tuple(severity.value for severity in self.severities)
        if not known:
            yield Problem(message="at least one severity is needed", field="severities")
        if self.most is not None and self.most < 1:
            yield Problem(message="at least one error must be allowed", field="most")
        yield from doubled(known, "severities")
        yield from doubled((category.value for category in self.categories), "categories")
        for n, category in enumerate(self.categories, 1):
            for name in category.weights:
                if name not in known:
                    message = f"{quoted(name)} is not a severity of this question"
                    field = f"categories.{n}.weights"
                    yield Problem(message=message, field=field, value=name, allowed=known)
        yield from super().problems()

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
                message = f"an error '{span.category}' must be the only one"
                raise self.refusal(message, span.category, code="span-alone")
        return [msgspec.to_builtins(span) for span in spans]

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        system = item.translations[0].system
        for span in convert(answer, list[Span]):
            marked = msgspec.to_builtins(span) | {"weight": self.weight(span)}
            yield Row("spans", {"system": system, "question": self.id, **marked})
        # also without errors, so that a translation that was judged and found right has a row
        values = {
            "system": system,
            "question": self.id,
            "value": self.number(answer, item),
            "label": None,
            "na": False,
        }
        yield Row("judgments", values)

    def weight(self, span: Span) -> float:
        """How much an error lowers the score."""
        own = next((c.weights for c in self.categories if c.value == span.category), {})
        return own.get(
            span.severity, next(s.weight for s in self.severities if s.value == span.severity)
        )

    def number(self, answer: Answer, item: Item) -> float | None:
        # not `-sum(…)`, which is -0.0 for errors without weight, and no float without errors
        return 0.0 - sum(self.weight(span) for span in convert(answer, list[Span]))

    def maximum(self, answer: Answer, item: Item) -> float | None:
        return 0.0

    @property
    def tolerance(self) -> float:
        """The weight of the lightest error that counts: its smallest weight above 0."""
        return min((one.weight for one in self.severities if one.weight > 0), default=0.0)

    def legend(self) -> Iterator[tuple[object, str, str]]:
        for severity in self.severities:
            yield severity.value, severity.label, severity.meaning
        for category in self.categories:
            yield category.value, category.label, category.meaning

    def read_form(self, form: Form, shown: OnScreen) -> Answer | None:
        if whole := form.get(self.field("json")):
            return from_json(whole)
        found = [*self._rows_sent(form)]
        # an empty list is an answer only if the judge has confirmed it
        return found if found or self.field("looked") in form else None

    def describe(self, example: Example, say: Say) -> Described:
        (text,) = example.translations
        spans = convert(example.answer, list[Span])
        parts = tuple(self._in_words(span, text, say) for span in spans)
        ranks = self.severity_ranks()
        marks = tuple((span.start, span.end, ranks[span.severity]) for span in spans)
        return Described(text="" if parts else say("span-none"), parts=parts, marks=marks)

    def words(self, text: str) -> list[Word]:
        """The words and punctuation of a text, to choose from without JavaScript."""
        return [Word(start, end, text[start:end]) for start, end in pieces(text)]

    def form_rows(self, answer: Answer) -> list[dict[str, object]]:
        """The rows of the form without JavaScript: the errors so far, and empty ones."""
        listed = answer if isinstance(answer, list) else []
        given = [one for one in listed if isinstance(one, dict)]
        room = FORM_ROWS if self.most is None else self.most
        return [*given, *({} for _ in range(room - len(given)))]

    def category_groups(self) -> list[CategoryGroup]:
        """The categories grouped by the part of their value before the slash."""
        by_group = groupby(self.categories, key=lambda one: one.value.partition("/")[0])
        groups = [(name, list(members)) for name, members in by_group]
        keys = fixed_keys((name for name, _ in groups), CATEGORY_GROUPS)
        return [_group(name, members, keys[name]) for name, members in groups]

    def severity_choices(self) -> list[AnswerChoice]:
        """The severities in the order of their keys, which are the same in all protocols."""
        keys = fixed_keys((severity.value for severity in self.severities), SEVERITIES)
        # those without a key last
        in_order = sorted(self.severities, key=lambda one: (not keys[one.value], keys[one.value]))
        return [
            AnswerChoice(
                value=severity.value,
                label=severity.label,
                meaning=severity.meaning,
                key=keys[severity.value],
                place=place,
                places=len(in_order),
            )
            for place, severity in enumerate(in_order, 1)
        ]

    def choices(self) -> list[AnswerChoice]:
        """The severities with their keys, then the categories, which are typed by two digits."""
        severities = self.severity_choices()
        marked = {choice.value for choice in severities}
        listed = (entry for entry in self.legend() if entry[0] not in marked)
        categories = answer_choices(listed, numbered=False, not_applicable=False)
        return [*severities, *(msgspec.structs.replace(one, key="") for one in categories)]

    def severity_ranks(self) -> dict[str, int]:
        """The rank of each severity, for its colour: 2 for the worst, 0 without weight, else 1."""
        worst = max(severity.weight for severity in self.severities)
        return {
            severity.value: 2 if severity.weight == worst else int(severity.weight > 0)
            for severity in self.severities
        }

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        words = [match.span() for match in re.finditer(r"\S+", item.translations[0].text)]
        share = 1 - min(max(qualities[0], 0.0), 1.0)
        # if every category has to be alone, a second error would not be legal
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

    def _rows_sent(self, form: Form) -> Iterator[dict[str, object]]:
        # the number of rows is not sent: a browser sends every row's field, even an empty one
        for n in takewhile(lambda n: self.field(n, "from") in form, count(1)):
            row = {part: form.get(self.field(n, part), "") for part in ROW_FIELDS}
            if any(row.values()):
                yield _span_sent(row)

    def _in_words(self, span: Span, text: str, say: Say) -> tuple[str, str]:
        labels = {value: label for value, label, _ in self.legend()}
        names = [labels[name] for name in (span.severity, span.category) if name]
        return text[span.start : span.end] or say("span-missing"), " · ".join(names)

    @property
    def _alone(self) -> set[str]:
        return {category.value for category in self.categories if category.alone}

    @property
    def _ordinary(self) -> tuple[Category, ...]:
        return tuple(category for category in self.categories if not category.alone)

    def _check_span(self, span: Span, text: str) -> None:
        if span.missing and not self.missing:
            raise self.refusal("omissions cannot be marked here", "missing")
        if not 0 <= span.start <= span.end <= len(text) or (
            span.start == span.end and not span.missing
        ):
            message = f"{quoted(span.start)} to {quoted(span.end)} is not part of the translation"
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

    def _unknown(self, word: str, value: str | None, allowed: Sequence[str]) -> InputError:
        message = f"{quoted(value)} is not a {word}" if value else f"the {word} is missing"
        return self.refusal(message, value, allowed, code=f"span-{word}")


def _span_sent(row: dict[str, str]) -> dict[str, object]:
    """The error in a row of the form; `check` rejects it if the row is incomplete.

    Without a last word, it is the first word alone; an omission is before the first word.
    """
    start, first_end = _word(row["from"])
    missing = bool(row["missing"])
    end = _word(row["to"])[1] if row["to"] else start if missing else first_end
    category = {"category": row["category"]} if row["category"] else {}
    gap = {"missing": True} if missing else {}
    return {"start": start, "end": end, "severity": row["severity"], **category, **gap}


def _word(text: str) -> tuple[int, int]:
    found = _WORD.fullmatch(text)
    # an empty span, which `check` refuses unless it is an omission
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _group(name: str, members: Sequence[Category], key: str) -> CategoryGroup:
    # a single category without a slash is its own group, and needs no heading
    if [category.value for category in members] == [name]:
        return CategoryGroup("", key, [GroupedCategory(members[0], members[0].label, key)])
    parts = {one.value: one.value.partition("/")[2] for one in members}
    keys = fixed_keys(parts.values(), CATEGORIES.get(name, ()))
    label = _SLASH.split(members[0].label)[0]
    listed = [
        GroupedCategory(one, _SLASH.split(one.label)[-1], keys[parts[one.value]]) for one in members
    ]
    return CategoryGroup(label, key, listed)
