"""Error spans: marked errors in the translation, with a severity and optionally a category.

A protocol can also have errors marked in the source, special marks without a place, comments on
marked errors, and suggestions that the judge keeps, changes or removes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from jurat.deserialize import convert
from jurat.errors import InputError, Problem, quoted
from jurat.model import Item, Suggestion
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
from jurat.protocols.questions.spans.category_groups import CategoryGroup, category_groups
from jurat.protocols.questions.spans.marked_errors import (
    LONGEST_COMMENT,
    TAKEN_LETTERS,
    Category,
    Severity,
    Span,
    SpecialMark,
    fate,
    mark_keys,
    overlapping,
    stored,
    suggested_span,
    table_cells,
)
from jurat.protocols.questions.spans.plain_form import Word, form_rows, rows_sent, words_of
from jurat.protocols.questions.spans.simulated_marks import simulated_spans
from jurat.protocols.shortcut_keys import (
    SEVERITIES,
    AnswerChoice,
    answer_choices,
    fixed_keys,
)

__all__ = ["Category", "Severity", "Span", "Spans", "SpecialMark"]


class Spans(Question, frozen=True, kw_only=True):
    """A list of marked errors."""

    name: ClassVar[str] = "spans"
    level: ClassVar[Level] = "ratio"
    records: ClassVar[tuple[str, ...]] = ("spans", "judgments", "suggestions")
    template: ClassVar[str] = "input.html"
    script: ClassVar[str] = "input.js"
    style: ClassVar[str] = "input.css"

    severities: tuple[Severity, ...]
    categories: tuple[Category, ...] = ()
    missing: bool = True
    most: int | None = None
    source: bool = False
    """Whether errors can be marked in the source, too."""
    marks: tuple[SpecialMark, ...] = ()
    """What can be said to be wrong without a place in a text."""
    overlap: bool = True
    """Whether errors may share words."""
    comments: bool = False
    """Whether each error can have a comment."""
    suggestions: Literal["", "keep", "confirm"] = ""
    """Whether errors marked beforehand are shown: they stay unless removed, or need confirming."""

    def problems(self) -> Iterator[Problem]:
        known = tuple(severity.value for severity in self.severities)
        if not known:
            yield Problem(message="at least one severity is needed", field="severities")
        if self.most is not None and self.most < 1:
            yield Problem(message="at least one error must be allowed", field="most")
        yield from doubled(known, "severities")
        yield from doubled((category.value for category in self.categories), "categories")
        yield from self._faulty_weights("categories", self.categories)
        # a mark stands where a category stands in tables, so that both need different names
        categories = {category.value for category in self.categories}
        own = [mark.value for mark in self.marks]
        yield from doubled([*own, *(value for value in own if value in categories)], "marks")
        yield from self._faulty_weights("marks", self.marks)
        yield from self._faulty_keys()
        yield from super().problems()

    def _faulty_weights(
        self, field: str, kinds: Sequence[Category | SpecialMark]
    ) -> Iterator[Problem]:
        known = tuple(severity.value for severity in self.severities)
        for n, kind in enumerate(kinds, 1):
            for name in kind.weights:
                if name not in known:
                    message = f"{quoted(name)} is not a severity of this question"
                    place = f"{field}.{n}.weights"
                    yield Problem(message=message, field=place, value=name, allowed=known)

    def _faulty_keys(self) -> Iterator[Problem]:
        """A problem for each key of a special mark that is no letter, or not free."""
        used = Counter(mark.key for mark in self.marks)
        for n, mark in enumerate(self.marks, 1):
            letter = len(mark.key) == 1 and "a" <= mark.key <= "z"
            if mark.key and (not letter or mark.key in TAKEN_LETTERS or used[mark.key] > 1):
                free = tuple(c for c in map(chr, range(97, 123)) if c not in TAKEN_LETTERS)
                message = f"{quoted(mark.key)} cannot be the key of a mark, or is that of another"
                field = f"marks.{n}.key"
                yield Problem(message=message, field=field, value=mark.key, allowed=free)

    def check(self, answer: Answer, item: Item) -> Answer:
        try:
            spans = convert(answer, list[Span])
        except (msgspec.ValidationError, UnicodeEncodeError):
            raise self.refusal("a list of marked errors is needed", answer) from None
        if self.most is not None and len(spans) > self.most:
            message = f"at most {self.most} errors can be marked"
            raise self.refusal(message, len(spans), code="span-most")
        for span in spans:
            self._check_span(span, item)
            if len(spans) > 1 and span.category in self.alone:
                message = f"an error '{span.category}' must be the only one"
                raise self.refusal(message, span.category, code="span-alone")
        self._check_together(spans, item)
        return [stored(self._tidy(span)) for span in spans]

    def _check_together(self, spans: Sequence[Span], item: Item) -> None:
        """Raise `InputError` for errors that share words, or two that were one suggestion."""
        if not self.overlap and (second := next(overlapping(spans), None)) is not None:
            message = "marked errors must not share words here"
            raise self.refusal(message, second.start, code="span-overlap")
        count = len(self.shown_suggestions(item))
        numbers = Counter(span.suggestion for span in spans if span.suggestion is not None)
        for number, times in numbers.items():
            if not 1 <= number <= count or times > 1:
                message = f"there is one suggestion of each number from 1 to {count}"
                raise self.refusal(message, number)

    def _tidy(self, span: Span) -> Span:
        """The error without blanks around its comment, and a special mark without a place."""
        tidy = replace(span, comment=span.comment.strip())
        if not span.mark:
            return tidy
        return replace(tidy, start=0, end=0, category=None, missing=False, side="translation")

    def shown_suggestions(self, item: Item) -> tuple[Suggestion, ...]:
        """What is suggested to judges of an item; nothing where this question shows none."""
        return item.translations[0].suggestions if self.suggestions and item.suggested else ()

    def fitting(self, suggestions: Sequence[Suggestion], item: Item) -> list[Suggestion]:
        """Suggestions as this question can show them; raises `InputError` for one that it cannot.

        Severities, categories and special marks are recognised in capitals, too; where the question
        has no categories, those of suggestions are left out.
        """
        return [self._fitting(one, item) for one in suggestions]

    def _fitting(self, one: Suggestion, item: Item) -> Suggestion:
        severities = {severity.value.lower(): severity.value for severity in self.severities}
        categories = {category.value.lower(): category.value for category in self.categories}
        marks = {_plain(mark.value): mark.value for mark in self.marks}
        severity = severities.get(one.severity.lower(), one.severity)
        named = one.category or ""
        if one.missing and _plain(named) in marks:
            return replace(
                one, severity=severity, mark=marks[_plain(named)], category=None, missing=False,
                start=0, end=0,
            )  # fmt: skip
        category = categories.get(_plain(named), named)
        kept = replace(one, severity=severity, category=category if self.categories else None)
        self._check_span(suggested_span(kept, 1), item)
        return kept

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        spans = convert(answer, list[Span])
        suggestions = self.shown_suggestions(item)
        about = {"system": item.translations[0].system, "question": self.id}
        for span in spans:
            marked = table_cells(span, item) | {"weight": self.weight(span)}
            yield Row("spans", {**about, **marked, **self._about_span(span, item)})
        # also without errors, so that a translation that was judged and found right has a row
        values = {**about, "value": self.number(answer, item), "label": None, "na": False}
        yield Row("judgments", values)
        fates = {span.suggestion: fate(span, suggestions) for span in spans}
        for number, one in enumerate(suggestions, 1):
            suggested = table_cells(one, item) | {
                "weight": self.weight(suggested_span(one, number))
            }
            told = {"suggestion": number, "suggested_by": one.by or None}
            became = fates.get(number, "removed")
            yield Row("suggestions", {**about, **suggested, **told, "fate": became})

    def _about_span(self, span: Span, item: Item) -> dict[str, object]:
        """The columns of a marked error that only some protocols have."""
        comment: dict[str, object] = {"comment": span.comment or None} if self.comments else {}
        if not (self.suggestions and item.suggested):
            return comment
        suggestions, number = self.shown_suggestions(item), span.suggestion
        by = suggestions[number - 1].by if number else ""
        return {
            **comment,
            "suggestion": number,
            "suggested_by": by or None,
            "fate": fate(span, suggestions),
        }

    def weight(self, span: Span) -> float:
        """How much an error lowers the score."""
        named = span.mark or span.category
        own = next((kind.weights for kind in self._kinds if kind.value == named), {})
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
        for kind in self._kinds:
            yield kind.value, kind.label, kind.meaning

    def read_form(self, form: Form, shown: OnScreen) -> Answer | None:
        if whole := form.get(self.field("json")):
            return from_json(whole)
        found = [*rows_sent(form, self.field())]
        # an empty list is an answer only if the judge has confirmed it
        return found if found or self.field("looked") in form else None

    def describe(self, example: Example, say: Say) -> Described:
        (text,) = example.translations
        spans = convert(example.answer, list[Span])
        texts = {"translation": text, "source": example.source}
        parts = tuple(self._in_words(span, texts[span.side], say) for span in spans)
        ranks = self.severity_ranks()
        marks = tuple(
            (span.start, span.end, ranks[span.severity])
            for span in spans
            if span.side == "translation" and not span.mark
        )
        return Described(text="" if parts else say("span-none"), parts=parts, marks=marks)

    def words(self, text: str) -> list[Word]:
        """The words and punctuation of a text, to choose from without JavaScript."""
        return words_of(text)

    def form_rows(
        self, answer: Answer, suggestions: Sequence[Suggestion] = ()
    ) -> list[dict[str, object]]:
        """The rows of the form without JavaScript: the errors so far, and empty ones.

        Before there is an answer, the errors are what is suggested; where suggestions need
        confirming, without their severity, which is to be chosen then.
        """
        listed = answer if isinstance(answer, list) else []
        given = [one for one in listed if isinstance(one, dict)]
        if answer is None:
            given = self.suggested_spans(suggestions)
            if self.suggestions == "confirm":
                given = [{**one, "severity": ""} for one in given]
        return form_rows(given, self.most)

    def suggested_spans(self, suggestions: Sequence[Suggestion]) -> list[dict[str, object]]:
        """Suggestions as the answers that keep them, for the page."""
        return [stored(suggested_span(one, n)) for n, one in enumerate(suggestions, 1)]

    def mark_choices(self) -> list[AnswerChoice]:
        """The special marks with the letters that set them."""
        keys = mark_keys(self.marks)
        return [
            AnswerChoice(
                value=mark.value,
                label=mark.label,
                meaning=mark.meaning,
                key=keys[mark.value],
                place=place,
                places=len(self.marks),
            )
            for place, mark in enumerate(self.marks, 1)
        ]

    def category_groups(self) -> list[CategoryGroup]:
        """The categories grouped by the part of their value before the slash."""
        return category_groups(self.categories)

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
        listed = ((one.value, one.label, one.meaning) for one in self.categories)
        categories = answer_choices(listed, numbered=False, not_applicable=False)
        unkeyed = (replace(one, key="") for one in categories)
        return [*severities, *unkeyed, *self.mark_choices()]

    def severity_ranks(self) -> dict[str, int]:
        """The rank of each severity, for its colour: 2 for the worst, 0 without weight, else 1."""
        worst = max(severity.weight for severity in self.severities)
        return {
            severity.value: 2 if severity.weight == worst else int(severity.weight > 0)
            for severity in self.severities
        }

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        return [stored(span) for span in simulated_spans(self, item, qualities[0], random)]

    def _in_words(self, span: Span, text: str | None, say: Say) -> tuple[str, str]:
        labels = {value: label for value, label, _ in self.legend()}
        names = [labels[name] for name in (span.severity, span.category) if name]
        if span.mark:
            return labels[span.mark], " · ".join(names)
        words = (text or "")[span.start : span.end] or say("span-missing")
        if span.side == "source":
            words = f"{say('source')}: {words}"
        return words, " · ".join(names)

    @property
    def _kinds(self) -> tuple[Category | SpecialMark, ...]:
        return (*self.categories, *self.marks)

    @property
    def alone(self) -> set[str]:
        """The categories of which an error must be the only one."""
        return {category.value for category in self.categories if category.alone}

    @property
    def ordinary(self) -> tuple[Category, ...]:
        """The categories that other errors may stand beside."""
        return tuple(category for category in self.categories if not category.alone)

    def _check_span(self, span: Span, item: Item) -> None:
        if span.comment and not self.comments:
            raise self.refusal("errors have no comment here", span.comment)
        if len(span.comment) > LONGEST_COMMENT:
            message = f"a comment has at most {LONGEST_COMMENT} characters"
            raise self.refusal(message, span.comment, code="too-long")
        if not span.mark:
            self._check_place(span, item)
        self._check_name("severity", span.severity, self.severities)
        if span.mark:
            self._check_name("mark", span.mark, self.marks)
        elif self.categories:
            self._check_name("category", span.category, self.categories)
        elif span.category is not None:
            raise self.refusal("errors have no category here", span.category)

    def _check_place(self, span: Span, item: Item) -> None:
        if span.missing and not self.missing:
            raise self.refusal("omissions cannot be marked here", "missing")
        text, word = item.translations[0].text, "translation"
        if span.side == "source":
            if not self.source or item.source is None:
                raise self.refusal("errors in the source cannot be marked here", "source")
            text, word = item.source, "source"
        gap = span.missing and span.side == "translation"
        if not 0 <= span.start <= span.end <= len(text) or (span.start == span.end and not gap):
            message = f"{quoted(span.start)} to {quoted(span.end)} is not part of the {word}"
            raise self.refusal(message, span.start, code="span-first")

    def _check_name(
        self, word: str, value: str | None, known: Sequence[Severity | Category | SpecialMark]
    ) -> None:
        allowed = [one.value for one in known]
        if value not in allowed:
            raise self._unknown(word, value, allowed)

    def _unknown(self, word: str, value: str | None, allowed: Sequence[str]) -> InputError:
        message = f"{quoted(value)} is not a {word}" if value else f"the {word} is missing"
        return self.refusal(message, value, allowed, code=f"span-{word}")


def _plain(name: str) -> str:
    """A name of a special mark however it is written: `[Instructions fault]`."""
    return re.sub(r"[\s_]+", "-", name.strip().strip("[]").strip().lower())
