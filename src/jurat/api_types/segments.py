"""What the HTTP API takes and gives of single segments."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jurat.api_types import Line, Page, Struct


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
