"""How long judging is expected to take, before anybody has judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jurat.model import Item, Kit
from jurat.protocols import Protocol

SECONDS: Mapping[str, float] = {
    "scale": 40.0,
    "slider": 40.0,
    "choice": 20.0,
    "preference": 25.0,
    "ranking": 15.0,
    "spans": 60.0,
    "text": 45.0,
    "concepts": 45.0,
    "reading": 90.0,
    "post-edit": 120.0,
}
"""For the slowest question of a screen, by its kind; ranking: for each translation.

TAP-ET measured 36 to 47 seconds for adequacy (a scale and a choice) and 19 to 25 for a preference.
"""
UNKNOWN = 30.0
FURTHER = 5.0
"""For each further question on the same screen."""


def expected_seconds(protocol: Protocol, item: Item) -> float:
    """For an item through all stages, every question asked."""
    screens = (stage.questions for stage in protocol.stages if stage.questions)
    return sum(
        max(_seconds(question.name, item) for question in questions)
        + FURTHER * (len(questions) - 1)
        for questions in screens
    )


def kit_seconds(protocol: Protocol, kits: Iterable[Kit], given: float | None = None) -> list[float]:
    """For each kit; `given` replaces the estimate for an item."""
    return [
        sum(expected_seconds(protocol, item) if given is None else given for item in kit.items)
        for kit in kits
    ]


def _seconds(kind: str, item: Item) -> float:
    several = len(item.translations) if kind == "ranking" else 1
    return SECONDS.get(kind, UNKNOWN) * several
