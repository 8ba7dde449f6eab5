"""The time that items and kits are expected to take, by the questions that they ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jurat.model import Item, Kit
from jurat.protocols import Protocol

# Seconds for the slowest question of a screen, by its kind; for a ranking, for each translation.
# TAP-ET measured 36 to 47 seconds for adequacy (a scale and a choice), 19 to 25 for a preference.
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
# Seconds for a kind of question that an outside package has added.
UNKNOWN = 30.0
# Seconds for each further question on the same screen.
FURTHER = 5.0


def expected_seconds(protocol: Protocol, item: Item) -> float:
    """The seconds that an item takes, through all stages and with every question asked."""
    return typical_seconds(protocol, len(item.translations) * max(len(item.segments), 1))


def typical_seconds(protocol: Protocol, translations: int) -> float:
    """The seconds that an item of so many translations takes, with every question asked."""
    screens = (stage.questions for stage in protocol.stages if stage.questions)
    return sum(
        max(_seconds(question.name, translations) for question in questions)
        + FURTHER * (len(questions) - 1)
        for questions in screens
    )


def kit_seconds(protocol: Protocol, kits: Iterable[Kit], given: float | None = None) -> list[float]:
    """The seconds that each kit takes; `given` replaces the estimate for an item."""
    return [
        sum(expected_seconds(protocol, item) if given is None else given for item in kit.items)
        for kit in kits
    ]


def _seconds(kind: str, translations: int) -> float:
    several = translations if kind == "ranking" else 1
    return SECONDS.get(kind, UNKNOWN) * several
