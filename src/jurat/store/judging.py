"""The judges' path: next step, decision, correction.

Every function here is a fixed small number of indexed statements, whatever is stored. Rows are
locked in one order, assignments before the campaign before kits, so that PostgreSQL's transactions
do not wait for each other in a circle.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import and_, bindparam, insert, literal_column, select, update

from jurat.store import deciding
from jurat.store.assigning import Asked, Person, assign, lock
from jurat.store.database import Session
from jurat.store.deciding import Decision
from jurat.store.encoding import from_json, to_json, to_time
from jurat.store.holding import (
    HELD,
    HELD_FAST,
    Held,
    held_by,
    know,
    latest,
    person_of,
    refuse_gone,
    refuse_position,
    refuse_unreached,
    renew,
)
from jurat.store.reading import recent
from jurat.store.records import Choose, Decided, SentDecision, Turn, Weighing
from jurat.store.schema import IS_OPEN, ONE, ZERO, assignments, drafts, kits, phases
from jurat.store.steps import SEAT, Seat, turn_at

CURRENT = (
    select(
        *SEAT,
        assignments.c.position,
        assignments.c.shown_at,
        assignments.c.lease_until,
        drafts.c.content,
    )
    .select_from(assignments)
    .join(kits, kits.c.id == assignments.c.kit_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .outerjoin(
        drafts,
        and_(
            drafts.c.assignment_id == assignments.c.id,
            drafts.c.position == assignments.c.position,
        ),
    )
    .where(
        IS_OPEN,
        assignments.c.judge_id == bindparam("judge_id"),
        phases.c.state == literal_column("'started'"),
    )
    .order_by(assignments.c.id)
    .limit(ONE)
    .offset(ZERO)
)
DRAFTED = select(drafts.c.content).where(
    drafts.c.assignment_id == bindparam("assignment_id"),
    drafts.c.position == bindparam("position"),
)
SHOW = (
    update(assignments)
    .where(assignments.c.id == bindparam("assignment_id"))
    .values(shown_at=bindparam("now"))
)
REDRAFT = (
    update(drafts)
    .where(drafts.c.assignment_id == bindparam("of"))
    .values(position=bindparam("at"), content=bindparam("new"))
)
DRAFT = (
    insert(drafts)
    .values(assignment_id=bindparam("of"), position=bindparam("at"), content=bindparam("new"))
    .inline()
)


def turn(session: Session, asked: Asked, choose: Choose, most: int) -> Turn | None:
    """What a judge does next, with a new kit if he needs one."""
    return _next(session, asked, person_of(session, asked), choose, most)


def submit(
    session: Session, asked: Asked, sent: SentDecision, choose: Choose, most: int
) -> tuple[Decided, Turn | None]:
    """Weigh what a judge sent for a step, store it, once, and show what comes next."""
    held = held_by(session, asked[:2], sent.assignment, HELD_FAST)
    weighed = sent.weigh(
        Weighing(
            account=held.account,
            turn=_reached(session, held, sent.position),
            recent=recent(session, *asked[:2], sent.since) if sent.since else (),
        )
    )
    decision = Decision(
        sent.assignment,
        sent.position,
        weighed.answers,
        to_time(weighed.decided_at),
        weighed.seconds,
        weighed.active_seconds,
        weighed.language,
    )
    decided = deciding.decide(session, asked, decision, held, show=weighed.show_next)
    if held.account.disabled or not weighed.show_next:
        return decided, None
    if decided.new and not decided.finished:  # nobody can have begun to answer the next one
        return decided, turn_at(session, held.seat, sent.position + 1, decision.at)
    return decided, _next(session, asked, held.person, choose, most)


def revise(session: Session, asked: Asked, decision: Decision, revision: int) -> Decided:
    """Put a decision in the place of an earlier one, once."""
    held = held_by(session, asked[:2], decision.assignment, HELD_FAST)
    return deciding.revise(session, decision, held, revision)


def step(session: Session, who: tuple[str, str], assignment: str, position: int) -> Turn:
    """A position of a judge's kit that he has reached, with what he decided there."""
    held = held_by(session, who, assignment, HELD)
    turn = _reached(session, held, position)
    found = session.one(DRAFTED, assignment_id=held.seat.id, position=position)
    return _with(found[0] if found else None, turn)


def _reached(session: Session, held: Held, position: int) -> Turn:
    refuse_unreached(held, position)
    if position == held.position:
        return turn_at(session, held.seat, position, held.shown_at)
    _, revision, _, answers = latest(session, held, position)
    return msgspec.structs.replace(
        turn_at(session, held.seat, position, None),
        answered=from_json(answers),
        revision=revision,
        reached=held.position,
    )


def _with(draft: str | None, turn: Turn) -> Turn:
    return turn if draft is None else msgspec.structs.replace(turn, draft=from_json(draft))


def keep_draft(
    session: Session, asked: Asked, assignment: str, position: int, content: object
) -> None:
    """Keep what a judge has begun to answer at the position that is next."""
    held = held_by(session, asked[:2], assignment, HELD_FAST)
    if position != held.position or position > held.seat.steps:
        refuse_position(held, position)
    if held.state != "open":
        refuse_gone(held)
    values = {"of": held.seat.id, "at": position, "new": to_json(content)}
    if not session.run(REDRAFT, **values):
        session.run(DRAFT, **values)
    renew(session, asked, held.person, held.seat.id, held.lease_until)


def _next(session: Session, asked: Asked, judge: Person, choose: Choose, most: int) -> Turn | None:
    found = session.one(CURRENT, judge_id=judge.id)
    if found is None:
        lock(session, judge)
        # A second page of the same judge may have been quicker.
        found = session.one(CURRENT, judge_id=judge.id)
    if found is None and assign(session, asked, judge, choose, most):
        found = session.one(CURRENT, judge_id=judge.id)
    if found is None:
        return None
    *place, position, shown_at, lease_until, draft = found
    seat = know(session, asked[:2], Seat(*place))
    if shown_at is None:
        session.run(SHOW, assignment_id=seat.id, now=asked.now)
    renew(session, asked, judge, seat.id, lease_until)
    turn = turn_at(session, seat, position, asked.now if shown_at is None else shown_at)
    return _with(draft, turn)
