"""Steps that a browser may have before their turn comes: those that reveal nothing too early."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from sqlalchemy import bindparam, literal_column, select

from jurat.model import Item
from jurat.store.campaigns import find
from jurat.store.database import Session
from jurat.store.holding import HELD, held_by
from jurat.store.judging import AT, step
from jurat.store.records import Turn
from jurat.store.schema import ZERO, assignments, decisions, items, phases
from jurat.store.steps import Step

_item = msgspec.json.Decoder(Item).decode

AFTER = (
    select(items.c.index, items.c.content)
    .where(
        items.c.kit_id == bindparam("kit_id"),
        items.c.index > bindparam("after"),
        items.c.index <= bindparam("last"),
    )
    .order_by(items.c.index)
)
TIMES = (
    select(phases.c.task, decisions.c.seconds)
    .select_from(decisions)
    .join(assignments, assignments.c.id == decisions.c.assignment_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .where(
        decisions.c.campaign_id == bindparam("campaign_id"),
        decisions.c.seconds <= literal_column("120"),
    )
    .order_by(decisions.c.id.desc())
    .limit(literal_column("1000"))
    .offset(ZERO)
)
"""The last decisions of two minutes or less: enough for a median, however many are stored."""


def ahead(
    session: Session, who: tuple[str, str], assignment: str, position: int, most: int
) -> list[Turn]:
    """The steps of a kit after one that the judge has reached; nothing is marked as shown.

    A later stage of an item shows what its earlier one hides. So these are steps of the same stage,
    which come one after the other only where a stage goes through the whole kit.
    """
    here = step(session, who, assignment, position)
    held = held_by(session, who, assignment, HELD)
    row = session.one(AT, assignment_id=held.id, position=position)
    assert row is not None
    there = Step(*row)
    if there.stages > 1 and there.advance != "kit":
        return []
    return list(_following(session, here, there, held.kit_id, most))


def _following(session: Session, here: Turn, there: Step, kit_id: int, most: int) -> Iterator[Turn]:
    found = session.all(AFTER, kit_id=kit_id, after=here.index, last=here.index + most)
    for index, content in found:
        position = here.position + index - here.index
        moved = there._replace(position=position, content=content, draft=None, shown_at=None)
        yield msgspec.structs.replace(moved.turn(session), item=_item(content))


def recent_seconds(session: Session, campaign: str) -> dict[str, list[float]]:
    """How long the last decisions took, by task."""
    times: dict[str, list[float]] = {}
    for task, seconds in session.all(TIMES, campaign_id=find(session, campaign)):
        times.setdefault(task, []).append(seconds)
    return times
