"""What a position of a kit stands for: which item, at which stage, and what a judge sees there."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, bindparam, case, literal_column, select

from jurat.model import Item
from jurat.store.database import Session
from jurat.store.encoding import from_json, from_time
from jurat.store.records import Answers, Turn
from jurat.store.schema import ONE, ZERO, assignments, decisions, items, kits, phases

AT_ONCE = 20
"""Items of a kit that are read together: they will be asked for one after the other."""

_read_item = msgspec.json.Decoder(Item).decode

SEAT = (
    assignments.c.id,
    assignments.c.key,
    assignments.c.kit_id,
    assignments.c.judge_id,
    assignments.c.campaign_id,
    phases.c.task,
    phases.c.phase,
    kits.c.number,
    kits.c.size,
    phases.c.stages,
    phases.c.advance,
)
ITEMS = (
    select(items.c.index, items.c.content)
    .where(
        items.c.kit_id == bindparam("kit_id"),
        items.c.index >= bindparam("first"),
        items.c.index < bindparam("end"),
    )
    .order_by(items.c.index)
)
LATEST = (
    select(decisions.c.id, decisions.c.revision, decisions.c.decided_at, decisions.c.answers)
    .where(
        decisions.c.assignment_id == bindparam("assignment_id"),
        decisions.c.position == bindparam("position"),
    )
    .order_by(decisions.c.revision.desc())
    .limit(ONE)
    .offset(ZERO)
)
"""The decision that counts at a position."""


class Seat(NamedTuple):
    """A judge's place at a kit, an assignment: what never changes about it."""

    id: int
    key: str
    kit_id: int
    judge_id: int
    campaign_id: int
    task: str
    phase: Any
    number: int
    size: int
    stages: int
    advance: str

    @property
    def steps(self) -> int:
        """Positions in the kit."""
        return self.size * self.stages


def index_at(position: ColumnElement[int]) -> ColumnElement[int]:
    """The item, from 0, that a position shows."""
    through_kit = phases.c.advance == literal_column("'kit'")
    step = position - ONE
    return case((through_kit, step % kits.c.size), else_=step // phases.c.stages)


def place_of(position: int, size: int, stages: int, advance: str) -> tuple[int, int]:
    """The item and the stage, both from 0, of a position."""
    if advance == "kit":
        stage, index = divmod(position - 1, size)
    else:
        index, stage = divmod(position - 1, stages)
    return index, stage


def turn_at(session: Session, seat: Seat, position: int, shown_at: int | None) -> Turn:
    """What a judge is told of a position, but for what he has begun to answer there."""
    index, stage = place_of(position, seat.size, seat.stages, seat.advance)
    return Turn(
        assignment=seat.key,
        task=seat.task,
        phase=seat.phase,
        kit=seat.number,
        position=position,
        steps=seat.steps,
        index=index,
        stage=stage,
        item=_item(session, seat.kit_id, index),
        earlier=_earlier(session, seat, position, stage) if stage else {},
        draft=None,
        shown_at=from_time(shown_at),
    )


def _item(session: Session, kit_id: int, index: int) -> Item:
    """An item of a kit; no kit is ever changed, so that it is read once."""
    found: Item | None = session.known.find((kit_id, index))
    if found is None:
        rows = session.all(ITEMS, kit_id=kit_id, first=index, end=index + AT_ONCE)
        for at, content in reversed(rows):
            found = session.known.keep((kit_id, at), _read_item(content))
    assert found is not None
    return found


def _earlier(session: Session, seat: Seat, position: int, stage: int) -> Answers:
    """What was answered about the same item at earlier stages, found by the decisions' key."""
    answers: dict[str, object] = {}
    apart = seat.size if seat.advance == "kit" else 1
    for before in range(position - stage * apart, position, apart):
        found = session.one(LATEST, assignment_id=seat.id, position=before)
        answers |= from_json(found[3]) if found else {}
    return answers
