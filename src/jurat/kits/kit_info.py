"""What is known of a kit without looking at its items: summary, expected time, and steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeAlias

import msgspec

from jurat.model import Item, Kit
from jurat.protocols import Protocol

# The id that the store, or whoever else keeps kits, gives them.
KitId: TypeAlias = "int | str"


class KitSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Who may have a kit, and which systems and documents are in it."""

    id: KitId
    task: str
    number: int
    block: str
    group: str = ""
    systems: Mapping[str, int] = {}
    """How many of its items show each system."""
    documents: frozenset[str] = frozenset()
    references: bool = False
    """Whether a judge who does it sees references."""


class AvailableKit(KitSummary, frozen=True, kw_only=True):
    """A kit that can still be handed out `remaining` times."""

    remaining: int


def summarize_kit(kit: Kit, key: KitId | None = None) -> KitSummary:
    """The summary of a kit; without a `key`, its number is its id."""
    shown = Counter(each.system for item in kit.items for each in item.translations)
    return KitSummary(
        id=kit.number if key is None else key,
        task=kit.task,
        number=kit.number,
        block=kit.block,
        group=kit.group,
        systems=dict(sorted(shown.items())),
        documents=frozenset(item.document for item in kit.items),
        references=any(item.references for item in kit.items),
    )


def available_kit(kit: Kit, key: KitId | None = None, *, remaining: int) -> AvailableKit:
    """The summary of a kit that can still be handed out so many times."""
    return AvailableKit(**msgspec.structs.asdict(summarize_kit(kit, key)), remaining=remaining)


# For the slowest question of a screen, by its kind; ranking: for each translation. TAP-ET measured
# 36 to 47 seconds for adequacy (a scale and a choice) and 19 to 25 for a preference.
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
UNKNOWN = 30.0
# For each further question on the same screen.
FURTHER = 5.0


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
