"""Storing a judge's decision, once, and putting another in its place."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import bindparam, insert, literal_column, select, update

from jurat.store.assigning import Asked, reopen
from jurat.store.database import Session
from jurat.store.encoding import from_json, from_time, to_json
from jurat.store.errors import AlreadyDecided, NoSuchDecision, OutOfTurn
from jurat.store.holding import Held, latest, refuse_closed, refuse_gone, refuse_position, renew
from jurat.store.records import Answers, Decided
from jurat.store.schema import ONE, assignments, decisions

LONGEST = 120
"""Seconds of a decision that is counted in averages."""


class Decision(NamedTuple):
    """What a judge sends."""

    assignment: str
    position: int
    answers: Answers
    at: int
    """When it was made, which is before it came where it had to wait for a connection."""
    seconds: float | None = None
    active_seconds: float | None = None
    language: str = ""
    author: str = ""
    reason: str = ""


DECIDE = (
    insert(decisions)
    .values({column.name: bindparam(column.name) for column in decisions.c if column.name != "id"})
    .inline()
)
_WITH_IT = {
    "position": assignments.c.position + ONE,
    "decided_at": bindparam("now"),
    "timed": assignments.c.timed + bindparam("counted"),
    "timed_seconds": assignments.c.timed_seconds + bindparam("seconds"),
    "changes": assignments.c.changes + ONE,
}
"""What a decision changes about its assignment."""
MOVE_ON = (
    update(assignments)
    .where(assignments.c.id == bindparam("assignment_id"))
    .values(**_WITH_IT, shown_at=bindparam("next_shown"))
)
FINISH = (
    update(assignments)
    .where(assignments.c.id == bindparam("assignment_id"))
    .values(
        **_WITH_IT,
        state=literal_column("'done'"),
        shown_at=literal_column("NULL"),
        lease_until=literal_column("NULL"),
        finished=bindparam("now"),
    )
)
STORED = select(decisions.c.id, decisions.c.decided_at, decisions.c.answers).where(
    decisions.c.assignment_id == bindparam("assignment_id"),
    decisions.c.position == bindparam("position"),
    decisions.c.revision == bindparam("revision"),
)
SUPERSEDE = (
    update(decisions)
    .where(decisions.c.id == bindparam("number"))
    .values(status=literal_column("'superseded'"))
)
CHANGED = (
    update(assignments)
    .where(assignments.c.id == bindparam("assignment_id"))
    .values(changes=assignments.c.changes + ONE)
)


def decide(
    session: Session, asked: Asked, decision: Decision, held: Held, *, show: bool = False
) -> Decided:
    """Store a decision, once; with `show` the next step counts as shown."""
    if 1 <= decision.position < held.position:
        return _stored(session, held, decision, 1)
    if decision.position != held.position or held.position > held.seat.steps:
        refuse_position(held, decision.position)
    refuse_closed(held)
    if held.state != "open":
        _take_up_again(session, asked, held)
    seconds = _seconds(decision, held)
    decided = _keep(session, decision, held, 1, seconds)
    counted = seconds is not None and seconds <= LONGEST
    times = {"now": decision.at, "counted": int(counted), "seconds": seconds if counted else 0.0}
    if decided.finished:
        session.run(FINISH, assignment_id=held.seat.id, **times)
    else:
        next_shown = decision.at if show else None
        session.run(MOVE_ON, assignment_id=held.seat.id, next_shown=next_shown, **times)
        renew(session, asked, held.person, held.seat.id, held.lease_until)
    return decided


def revise(session: Session, decision: Decision, held: Held, revision: int) -> Decided:
    """Put a decision in the place of an earlier one, once."""
    if not 1 <= decision.position < held.position:
        raise NoSuchDecision(f"nothing has been decided at position {decision.position} yet")
    number, last, _, _ = latest(session, held, decision.position)
    if 2 <= revision <= last:
        return _stored(session, held, decision, revision)
    if revision != last + 1:
        raise OutOfTurn(f"the next revision is {last + 1}, not {revision}", expected=last + 1)
    refuse_closed(held)
    if held.state not in ("open", "done"):
        refuse_gone(held)
    session.run(SUPERSEDE, number=number)
    session.run(CHANGED, assignment_id=held.seat.id)
    return _keep(session, decision, held, revision, decision.seconds)


def _seconds(decision: Decision, held: Held) -> float | None:
    """How long the decision took, as far as that is known."""
    if decision.seconds is not None or held.shown_at is None:
        return decision.seconds
    return max(0, decision.at - held.shown_at) / 1e6


def _take_up_again(session: Session, asked: Asked, held: Held) -> None:
    """Accept what comes after the lease was over, as long as nobody else has the kit."""
    left = held.state == "returned" and not held.author
    if not left or not reopen(session, asked, held.seat.id, held.seat.kit_id):
        refuse_gone(held)


def _keep(
    session: Session, decision: Decision, held: Held, revision: int, seconds: float | None
) -> Decided:
    number = session.add(
        DECIDE,
        campaign_id=held.seat.campaign_id,
        assignment_id=held.seat.id,
        position=decision.position,
        revision=revision,
        answers=to_json(decision.answers),
        shown_at=held.shown_at if revision == 1 else None,
        decided_at=decision.at,
        seconds=seconds,
        active_seconds=decision.active_seconds,
        language=decision.language,
        status="valid",
        author=decision.author,
        reason=decision.reason,
    )
    return _acknowledged(held, decision, revision, (number, decision.at), new=True)


def _stored(session: Session, held: Held, decision: Decision, revision: int) -> Decided:
    """The acknowledgement of a decision that was stored before; another in its place is refused."""
    row = session.one(
        STORED, assignment_id=held.seat.id, position=decision.position, revision=revision
    )
    if row is None:
        raise NoSuchDecision(f"there is no revision {revision} at position {decision.position}")
    number, decided_at, answers = row
    if from_json(answers) != from_json(to_json(decision.answers)):
        raise AlreadyDecided(
            f"step {decision.position} was decided before, with other answers, which stay"
        )
    return _acknowledged(held, decision, revision, (number, decided_at), new=False)


def _acknowledged(
    held: Held, decision: Decision, revision: int, stored: tuple[int, int], *, new: bool
) -> Decided:
    number, decided_at = stored
    return Decided(
        number=number,
        assignment=decision.assignment,
        position=decision.position,
        revision=revision,
        decided_at=from_time(decided_at),
        new=new,
        finished=decision.position == held.seat.steps,
    )
