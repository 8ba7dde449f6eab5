"""Steps that a browser may have before their turn comes: those that reveal nothing too early."""

from __future__ import annotations

from sqlalchemy import bindparam, literal_column, select

from jurat.store.campaigns import find
from jurat.store.database import Session
from jurat.store.holding import HELD, held_by, refuse_unreached
from jurat.store.records import Turn
from jurat.store.schema import ZERO, assignments, decisions, phases
from jurat.store.steps import place_of, turn_at

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
    held = held_by(session, who, assignment, HELD)
    refuse_unreached(held, position)
    seat = held.seat
    if seat.stages > 1 and seat.advance != "kit":
        return []
    index, _ = place_of(position, seat.size, seat.stages, seat.advance)
    more = min(most, seat.size - index - 1)
    return [turn_at(session, seat, position + n, None) for n in range(1, more + 1)]


def recent_seconds(session: Session, campaign: str) -> dict[str, list[float]]:
    """How long the last decisions took, by task."""
    times: dict[str, list[float]] = {}
    for task, seconds in session.all(TIMES, campaign_id=find(session, campaign)):
        times.setdefault(task, []).append(seconds)
    return times
