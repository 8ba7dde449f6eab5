"""Which item and stage a position of an assignment stands for, in Python and in SQL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Select, and_, bindparam, case, literal_column, select

from jurat.model import Item
from jurat.store.database import Session
from jurat.store.encoding import from_json, from_time
from jurat.store.records import Answers, Turn
from jurat.store.schema import ONE, ZERO, assignments, decisions, drafts, items, kits, phases

_read_item = msgspec.json.Decoder(Item).decode


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


def shown(position: ColumnElement[int]) -> Select[Any]:
    """What is on the screen at a position of an assignment: rows of `Step`."""
    return (
        select(
            assignments.c.id,
            assignments.c.key,
            phases.c.task,
            phases.c.phase,
            kits.c.number,
            kits.c.size,
            phases.c.stages,
            phases.c.advance,
            position.label("at"),
            items.c.content,
            drafts.c.content,
            assignments.c.shown_at,
            assignments.c.lease_until,
        )
        .select_from(assignments)
        .join(kits, kits.c.id == assignments.c.kit_id)
        .join(phases, phases.c.id == assignments.c.phase_id)
        .join(
            items,
            and_(items.c.kit_id == assignments.c.kit_id, items.c.index == index_at(position)),
        )
        .outerjoin(
            drafts,
            and_(drafts.c.assignment_id == assignments.c.id, drafts.c.position == position),
        )
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


class Step(NamedTuple):
    """A step of a kit, as it is read for a judge."""

    assignment_id: int
    assignment: str
    task: str
    phase: Any
    kit: int
    size: int
    stages: int
    advance: str
    position: int
    content: str
    draft: str | None
    shown_at: int | None
    lease_until: int | None

    def turn(self, session: Session, *, shown_at: int | None = None) -> Turn:
        """What the judge is told of it."""
        index, stage = place_of(self.position, self.size, self.stages, self.advance)
        return Turn(
            assignment=self.assignment,
            task=self.task,
            phase=self.phase,
            kit=self.kit,
            position=self.position,
            steps=self.size * self.stages,
            index=index,
            stage=stage,
            item=_read_item(self.content),
            earlier=self._earlier(session, index, stage),
            draft=None if self.draft is None else from_json(self.draft),
            shown_at=from_time(self.shown_at or shown_at),
        )

    def _earlier(self, session: Session, index: int, stage: int) -> Answers:
        """The answers of earlier stages; a position for each, found by the decisions' key."""
        answers: dict[str, object] = {}
        for position in self._positions(index, stage):
            found = session.one(LATEST, assignment_id=self.assignment_id, position=position)
            answers |= from_json(found[3]) if found else {}
        return answers

    def _positions(self, index: int, stage: int) -> Iterator[int]:
        for earlier in range(stage):
            through_kit = self.advance == "kit"
            yield (
                earlier * self.size + index + 1 if through_kit else self.position - stage + earlier
            )
