"""How many decisions each judge has made in each span of time."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import bindparam, func, literal_column, select

from jurat.store.campaigns import find
from jurat.store.database import Session
from jurat.store.encoding import from_time, to_time
from jurat.store.schema import COUNTS, ONE, assignments, decisions, judges

_SINCE = bindparam("since", type_=decisions.c.decided_at.type)
_WIDTH = bindparam("width", type_=decisions.c.decided_at.type)
ACTIVITY = (
    select(
        judges.c.pin,
        ((decisions.c.decided_at - _SINCE) // _WIDTH).label("slot"),
        func.count(decisions.c.id),
    )
    .select_from(decisions)
    .join(assignments, assignments.c.id == decisions.c.assignment_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .where(
        decisions.c.campaign_id == bindparam("campaign_id"),
        # a changed answer is still one judgment, made when it was first given
        decisions.c.revision == ONE,
        decisions.c.decided_at >= _SINCE,
        decisions.c.decided_at < bindparam("until", type_=decisions.c.decided_at.type),
        COUNTS,
    )
    .group_by(judges.c.pin, literal_column("slot"))
)
ENDS = select(func.min(decisions.c.decided_at), func.max(decisions.c.decided_at)).where(
    decisions.c.campaign_id == bindparam("campaign_id")
)


def activity(
    session: Session, campaign: str, *, since: datetime, width: timedelta, spans: int
) -> dict[str, dict[int, int]]:
    """The decisions that count by PIN and number of the span, from 0; spans of 0 are left out."""
    step = width // timedelta(microseconds=1)
    start = to_time(since)
    rows = session.all(
        ACTIVITY,
        campaign_id=find(session, campaign),
        since=start,
        until=start + spans * step,
        width=step,
    )
    found: dict[str, dict[int, int]] = {}
    for pin, slot, count in rows:
        found.setdefault(pin, {})[int(slot)] = count
    return found


def first_and_last(session: Session, campaign: str) -> tuple[datetime, datetime] | None:
    """When the first and the last decision were made; None before the first."""
    row = session.one(ENDS, campaign_id=find(session, campaign))
    if row is None or row[0] is None:
        return None
    return from_time(row[0]), from_time(row[1])
