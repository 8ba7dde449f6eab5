"""What assignment knows of a kit without opening it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from jurat.model import Kit

KitId: TypeAlias = "int | str"
"""Whatever the keeper of the kits calls them by."""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A kit from outside: whose it may be, and what is in it."""

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


class OpenKit(Card, frozen=True, kw_only=True):
    """A kit that may still be handed out, and how often."""

    remaining: int


def card(kit: Kit, key: KitId | None = None) -> Card:
    """The card of a kit; its number stands for its id if it is given none."""
    shown = Counter(each.system for item in kit.items for each in item.translations)
    return Card(
        id=kit.number if key is None else key,
        task=kit.task,
        number=kit.number,
        block=kit.block,
        group=kit.group,
        systems=dict(sorted(shown.items())),
        documents=frozenset(item.document for item in kit.items),
        references=any(item.references for item in kit.items),
    )


def open_kit(kit: Kit, key: KitId | None = None, *, remaining: int) -> OpenKit:
    """A kit that is still wanted so many times."""
    return OpenKit(**msgspec.structs.asdict(card(kit, key)), remaining=remaining)
