"""The errors that a simulated judge marks, and what they make of suggestions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jurat.model import Item
from jurat.protocols.questions.spans.marked_errors import Span, overlapping, suggested_span

if TYPE_CHECKING:
    from jurat.protocols.questions.spans import Spans

# How often a simulated judge removes a suggestion, or changes its severity.
REMOVES, CHANGES = 0.2, 0.1
# How often they set a special mark, of a translation of no quality at all.
MARKS = 0.125


def simulated_spans(question: Spans, item: Item, quality: float, random: Random) -> list[Span]:
    """The errors of a judge who perceives this quality, 0 to 1; legal together."""
    words = [match.span() for match in re.finditer(r"\S+", item.translations[0].text)]
    share = 1 - min(max(quality, 0.0), 1.0)
    # if every category has to be alone, a second error would not be legal
    most = 1 if question.categories and not question.ordinary else question.most
    found = [*_fates(question, item, random)]
    wrong = [span for span in words if random.random() < share / 2]
    found += [_span(question, start, end, share, random) for start, end in wrong]
    if question.marks and random.random() < share * MARKS:
        mark = random.choice(question.marks).value
        found.append(Span(severity=question.severities[0].value, mark=mark))
    return _legal_together(question, found)[:most]


def _fates(question: Spans, item: Item, random: Random) -> Iterator[Span]:
    """What a judge leaves of the suggestions."""
    for number, one in enumerate(question.shown_suggestions(item), 1):
        drawn = random.random()
        span = suggested_span(one, number)
        if drawn < CHANGES:
            yield replace(span, severity=random.choice(question.severities).value)
        elif drawn >= CHANGES + REMOVES:
            yield span


def _legal_together(question: Spans, spans: Sequence[Span]) -> list[Span]:
    """The errors without those that the question does not allow beside the others."""
    kept: list[Span] = []
    for span in spans:
        if not kept or (
            {span.category, kept[0].category}.isdisjoint(question.alone)
            and (question.overlap or not any(overlapping([*kept, span])))
        ):
            kept.append(span)
    return kept


def _span(question: Spans, start: int, end: int, share: float, random: Random) -> Span:
    """An error in a word; the worse the translation, the more severe."""
    heavier = sorted(question.severities, key=lambda severity: severity.weight)
    severity = heavier[-1] if random.random() < share else heavier[0]
    kinds = question.ordinary or question.categories
    category = random.choice(kinds).value if kinds else None
    return Span(start=start, end=end, severity=severity.value, category=category)
