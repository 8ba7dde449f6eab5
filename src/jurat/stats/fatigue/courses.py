"""What is followed over a judge's work: use of the scale, scores, agreement, seconds."""

from __future__ import annotations

from collections.abc import Iterator

from jurat.stats.evaluation import Evaluation
from jurat.stats.fatigue import slice_scores, slice_seconds
from jurat.stats.fatigue.slice_agreement import ORDER, Agreement, agreements
from jurat.stats.fatigue.slices import Course, Sliced, Slicing

Followed = tuple[Sliced, tuple[Course, ...]]


def followed(evaluation: Evaluation, settings: Slicing) -> tuple[Followed, ...]:
    """The courses of every question and split."""
    return evaluation.once(_followed, settings.group, settings.source, settings.slices)


def _followed(
    evaluation: Evaluation, group: str, source: str | None, count: int
) -> tuple[Followed, ...]:
    parts = evaluation.once(agreements, group, source, count)
    return tuple((part.sliced, tuple(_courses(part))) for part in parts)


def _courses(part: Agreement) -> Iterator[Course]:
    yield from slice_scores.courses(part.sliced)
    linear = [course for course in part.courses() if course.keys["weights"] == ORDER[0]]
    yield from linear or part.courses()
    if part.sliced.ratings.has("seconds"):
        yield from slice_seconds.courses(part.sliced)
