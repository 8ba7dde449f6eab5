"""What the HTTP API takes and gives of adjudication."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jurat.api_types import Struct
from jurat.model import Phase


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
