"""Marked errors: what can be said of one, where it stands, and what became of a suggested one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from string import ascii_lowercase
from typing import Literal

import msgspec

from jurat.model import Item, Side, Suggestion

Fate = Literal["kept", "changed", "removed", "added"]

# Characters of a comment on a marked error.
LONGEST_COMMENT = 500
# Letters that do something else on the page: of this kind of question, of other kinds, of media,
# and of flags.
TAKEN_LETTERS = frozenset("bcfkmnoprst")


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


class SpecialMark(msgspec.Struct, frozen=True, kw_only=True):
    """An error without a place, such as instructions that were not followed.

    It has a severity, and takes the place of a category; `weights` are as those of categories.
    """

    value: str
    label: str
    meaning: str = ""
    key: str = ""
    """The letter that sets it; by default a letter of its value."""
    weights: dict[str, float] = {}


class Span(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A marked error, from `start` to `end` in code points; an omission may be empty."""

    severity: str
    start: int = 0
    end: int = 0
    category: str | None = None
    missing: bool = False
    side: Side = "translation"
    """The text in which it is marked."""
    mark: str = ""
    """The special mark that it is, without a place in a text."""
    comment: str = ""
    suggestion: int | None = None
    """The number of the suggestion that it was, from 1; None: the judge's own."""


# Fields that every stored answer has had from the beginning; others are stored where they are used.
ALWAYS_STORED = ("start", "end", "severity", "category", "missing")


def stored(span: Span) -> dict[str, object]:
    """A marked error as it is stored."""
    own: dict[str, object] = msgspec.to_builtins(span)
    used = {name: value for name, value in own.items() if value not in ("", None, "translation")}
    return {name: own[name] for name in ALWAYS_STORED} | used


def fate(span: Span, suggestions: Sequence[Suggestion]) -> Fate:
    """What became of the suggestion that a marked error was; `added` for the judge's own."""
    if span.suggestion is None:
        return "added"
    return "kept" if _said(span) == _said(suggestions[span.suggestion - 1]) else "changed"


def _said(one: Span | Suggestion) -> tuple[object, ...]:
    return one.side, one.start, one.end, one.severity, one.category, one.missing, one.mark


def suggested_span(suggestion: Suggestion, number: int) -> Span:
    """A suggestion as the answer that keeps it."""
    return Span(
        severity=suggestion.severity,
        start=suggestion.start,
        end=suggestion.end,
        category=suggestion.category,
        missing=suggestion.missing,
        side=suggestion.side,
        mark=suggestion.mark,
        suggestion=number,
    )


def overlapping(spans: Sequence[Span]) -> Iterator[Span]:
    """Marked errors that share characters with an earlier one in the same text."""
    for one, other in combinations(spans, 2):
        if one.side == other.side and one.start < other.end and other.start < one.end:
            yield other


def table_cells(one: Span | Suggestion, item: Item) -> dict[str, object]:
    """The columns of a table that say what is marked, as all formats read and write them.

    An error in the source has its place in `source_start` and `source_end`, and none in the
    translation. A special mark is missing at the end of the translation, with itself as category.
    """
    cells: dict[str, object] = {
        "start": one.start,
        "end": one.end,
        "severity": one.severity,
        "category": one.category,
        "missing": one.missing,
    }
    if one.mark:
        end = len(item.translations[0].text)
        return {**cells, "start": end, "end": end, "category": one.mark, "missing": True}
    if one.side == "source":
        place = {"source_start": one.start, "source_end": one.end}
        return {**cells, "start": 0, "end": 0, "missing": True, **place}
    return cells


def mark_keys(marks: Sequence[SpecialMark]) -> Mapping[str, str]:
    """The letter of each special mark: its own, else the first of its value that is free."""
    keys = {mark.value: mark.key for mark in marks if mark.key}
    for mark in marks:
        taken = TAKEN_LETTERS | {*keys.values()}
        letters = (c for c in (*mark.value.lower(), *ascii_lowercase) if c in ascii_lowercase)
        keys.setdefault(mark.value, next((c for c in letters if c not in taken), ""))
    return keys
