"""What the HTTP API takes and gives of single segments, adjudication and reminders."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from jurat.api_types import Line, Page, Struct
from jurat.model import Phase


class SegmentsQuery(Struct, frozen=True, kw_only=True):
    """Which segments, and on which question."""

    words: Annotated[str, Meta(max_length=500)] = ""
    """All of them must be in its texts."""
    document: str = ""
    question: Line = ""
    page: Page = 1


class SegmentItem(msgspec.Struct, frozen=True, kw_only=True):
    """A segment with its scores; null where it was not judged, or by too few."""

    document: str
    segment: str
    text: str
    """The source, else a reference."""
    n: int
    mean: float | None
    spread: float | None
    """The highest of the systems' means minus the lowest."""
    disagreement: float | None
    """The standard deviation between judges of a translation, averaged over translations."""
    by_system: dict[str, float]


class SegmentPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the segments, a hundred at most."""

    question: str
    questions: tuple[str, ...]
    """All that can be asked for."""
    count: int
    """Segments on all pages."""
    segments: tuple[SegmentItem, ...]


class SegmentQuery(Struct, frozen=True, kw_only=True):
    """Which segment; without one, a whole document."""

    document: str
    segment: str = ""


class TranslationItem(msgspec.Struct, frozen=True, kw_only=True):
    """A system's translation of a segment."""

    system: str
    text: str
    tags: dict[str, str]
    mean: dict[str, float]
    """Of the judgments that count, by question."""
    metrics: dict[str, float]


class SegmentDetails(msgspec.Struct, frozen=True, kw_only=True):
    """A segment with its texts, every judgment and metric scores."""

    document: str
    segment: str
    source: str | None
    references: dict[str, str]
    tags: dict[str, str]
    translations: tuple[TranslationItem, ...]
    rows: dict[str, tuple[dict[str, Any], ...]]
    """Rows of the long tables, whatever their phase and status."""


class AdjudicationQuery(Struct, frozen=True, kw_only=True):
    """By how much judgments must differ."""

    more_than: Annotated[float, Meta(ge=0)] | None = None
    """The protocol's own tolerance where it is left out."""


class OpenCase(msgspec.Struct, frozen=True, kw_only=True):
    """An item on which judges differ, with their answers, but not who gave which."""

    phase: Phase
    kit: int
    document: str
    segment: str
    systems: tuple[str, ...]
    answers: tuple[dict[str, Any], ...]
    distance: float | None
    """The range of the scores; null where answers without scores differ."""


class AdjudicationTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task: how many of its items are open and settled, and the open ones, the worst first."""

    task: str
    more_than: float
    open: int
    settled: int
    cases: tuple[OpenCase, ...]
    """A hundred at most."""


class AdjudicatedJudge(msgspec.Struct, frozen=True, kw_only=True):
    """How far a judge, or all of them (an empty name), agree with the adjudicators."""

    task: str
    question: str
    judge: str
    cases: int
    same: float | None
    """The share with the same answer."""
    within: float | None
    """The share within one point; null where answers are not numbers."""
    apart: float | None
    """Mean distance from the adjudicated score."""
    above: float | None
    """Mean signed difference: above 0 the judge scored higher."""


class DueReminder(msgspec.Struct, frozen=True, kw_only=True):
    """A judge who needs a reminder, with the text of an email."""

    pin: str
    address: str
    subject: str
    body: str
    last: datetime | None
    """When they were last reminded."""


class RemindJudges(Struct, frozen=True, kw_only=True):
    """Whom to remind, of those who are due."""

    pins: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=500)]
    by: Literal["mail", "hand"] = "mail"
    """`hand`: the script has sent them itself, and they are only logged."""


class RemindedJudges(msgspec.Struct, frozen=True, kw_only=True):
    """Who was reminded, and why an email could not be sent."""

    reminded: tuple[str, ...]
    failed: dict[str, str]
