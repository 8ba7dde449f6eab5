"""Reading a campaign's kits and their items, as they were stored; they never change."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import msgspec
from sqlalchemy import bindparam, select

from jurat.model import Item, Kit, Phase
from jurat.store.campaigns import find
from jurat.store.database import Session
from jurat.store.schema import items, kits, phases

PHASES = (
    select(phases.c.id, phases.c.task, phases.c.phase)
    .where(phases.c.campaign_id == bindparam("campaign_id"))
    .order_by(phases.c.id)
)
# Kits with their items, to be read one after the other: a campaign may not fit into memory.
KITS = (
    select(kits.c.number, kits.c.block, kits.c.group, items.c.content)
    .join(items, items.c.kit_id == kits.c.id)
    .where(kits.c.phase_id == bindparam("phase_id"))
    .order_by(kits.c.number, items.c.index)
)

CONTENTS = (
    select(items.c.content).where(items.c.kit_id == bindparam("kit_id")).order_by(items.c.index)
)
SOME_ITEMS = (
    select(items.c.index, items.c.content)
    .where(
        items.c.kit_id == bindparam("kit_id"),
        items.c.index >= bindparam("first"),
        items.c.index < bindparam("end"),
    )
    .order_by(items.c.index)
)
# Items of a kit that are read together: a judge asks for one after the other.
AT_ONCE = 20

_item = msgspec.json.Decoder(Item).decode


def every(
    session: Session, campaign: str, *, task: str | None = None, phase: Phase | None = None
) -> Iterator[Kit]:
    """The kits of a campaign, or of a task or phase of it, in their order."""
    for phase_id, of_task, in_phase in session.all(PHASES, campaign_id=find(session, campaign)):
        if task in (None, of_task) and phase in (None, in_phase):
            rows = session.stream(KITS, phase_id=phase_id)
            for (number, block, group), parts in groupby(rows, key=lambda row: row[:3]):
                yield Kit(
                    task=of_task,
                    phase=in_phase,
                    number=number,
                    block=block,
                    group=group,
                    items=tuple(_item(content) for *_, content in parts),
                )


def item_at(session: Session, kit_id: int, index: int) -> Item:
    """An item of a kit by its index, from 0; read once, and then kept in memory."""
    found: Item | None = session.known.find((kit_id, index))
    if found is None:
        rows = session.all(SOME_ITEMS, kit_id=kit_id, first=index, end=index + AT_ONCE)
        # From the last to the first, so that `found` is the item that was asked for.
        for at, content in reversed(rows):
            found = session.known.keep((kit_id, at), _item(content))
    assert found is not None
    return found


def contents(session: Session, kit_id: int) -> tuple[str, ...]:
    """The items of a kit as JSON, by the kit's row number (`ChangedAssignment.kit_id`)."""
    return tuple(content for (content,) in session.all(CONTENTS, kit_id=kit_id))
