"""The kits of a campaign: stored once, with their phases, and read as they were stored."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, select

from jurat.model import Item, Kit, Phase
from jurat.store.database import Row, Session
from jurat.store.encoding import to_json
from jurat.store.errors import NoSuchPhase, StoreFault
from jurat.store.records import NewCampaign
from jurat.store.schema import UNLIMITED, items, kits, phases

PHASE_COLUMNS = tuple(column.name for column in phases.c)
KIT_COLUMNS = tuple(column.name for column in kits.c)
ITEM_COLUMNS = tuple(column.name for column in items.c)

PHASES = (
    select(phases.c.id, phases.c.task, phases.c.phase)
    .where(phases.c.campaign_id == bindparam("campaign_id"))
    .order_by(phases.c.id)
)
KITS = (
    select(kits.c.number, kits.c.block, kits.c.group, items.c.content)
    .join(items, items.c.kit_id == kits.c.id)
    .where(kits.c.phase_id == bindparam("phase_id"))
    .order_by(kits.c.number, items.c.index)
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
# Items of a kit that are read together: they will be asked for one after the other.
AT_ONCE = 20

_item = msgspec.json.Decoder(Item).decode


class _Place(NamedTuple):
    """A phase that kits are put into."""

    id: int
    wanted: int | None


def insert(session: Session, new: NewCampaign, campaign_id: int) -> None:
    """Store the phases of a new campaign, and their kits."""
    phase_ids = session.reserve(phases, len(new.phases))
    places = {
        (phase.task, phase.phase): _Place(number, phase.wanted)
        for phase, number in zip(new.phases, phase_ids, strict=True)
    }
    for kit in new.kits:
        if (kit.task, kit.phase) not in places:
            raise NoSuchPhase(f"kit {kit.number} is of no phase: {kit.task}, {kit.phase}")
        if not kit.items:
            raise StoreFault(f"kit {kit.number} of {kit.task}, {kit.phase}, is empty")
    kit_ids = session.reserve(kits, len(new.kits))
    session.insert(phases, PHASE_COLUMNS, _phase_rows(new, phase_ids, campaign_id))
    session.insert(
        kits,
        KIT_COLUMNS,
        (
            _kit_row(kit_id, campaign_id, places[kit.task, kit.phase], kit)
            for kit_id, kit in zip(kit_ids, new.kits, strict=True)
        ),
    )
    session.insert(
        items,
        ITEM_COLUMNS,
        (
            (kit_id, index, to_json(item))
            for kit_id, kit in zip(kit_ids, new.kits, strict=True)
            for index, item in enumerate(kit.items)
        ),
    )


def _phase_rows(new: NewCampaign, numbers: list[int], campaign_id: int) -> Iterator[Row]:
    for number, phase in zip(numbers, new.phases, strict=True):
        yield (
            number,
            campaign_id,
            phase.task,
            phase.phase,
            "ready",
            "",
            phase.wanted,
            phase.stages,
            phase.advance,
            phase.apart,
        )


def _kit_row(kit_id: int, campaign_id: int, place: _Place, kit: Kit) -> Row:
    return (
        kit_id,
        campaign_id,
        place.id,
        kit.number,
        kit.block,
        kit.group,
        to_json(sorted(kit.systems)),
        len(kit.items),
        place.wanted,
        UNLIMITED if place.wanted is None else place.wanted,
    )


def every(
    session: Session, campaign_id: int, task: str | None, phase: Phase | None
) -> Iterator[Kit]:
    """The kits of a campaign, or of a task or phase of it, in their order."""
    for phase_id, of_task, in_phase in session.all(PHASES, campaign_id=campaign_id):
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
    """An item of a kit; no kit is ever changed, so that it is read once and kept in memory."""
    found: Item | None = session.known.find((kit_id, index))
    if found is None:
        rows = session.all(SOME_ITEMS, kit_id=kit_id, first=index, end=index + AT_ONCE)
        for at, content in reversed(rows):
            found = session.known.keep((kit_id, at), _item(content))
    assert found is not None
    return found
