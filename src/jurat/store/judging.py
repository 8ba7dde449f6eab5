"""The judges' path: next step, decision, correction.

Every function here is a fixed small number of indexed statements, whatever is stored. Rows are
locked in one order, assignments before the campaign before kits, so that PostgreSQL's transactions
do not wait for each other in a circle.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import bindparam, insert, literal_column, update

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
    latest,
    person_of,
    refuse_gone,
    refuse_position,
    renew,
)
from jurat.store.reading import recent
from jurat.store.records import Choose, Decided, SentDecision, Turn, Weighing
from jurat.store.schema import IS_OPEN, ONE, ZERO, assignments, drafts, phases
from jurat.store.steps import Step, shown

CURRENT = (
    shown(assignments.c.position)
    .where(
        IS_OPEN,
        assignments.c.judge_id == bindparam("judge_id"),
        phases.c.state == literal_column("'started'"),
    )
    .order_by(assignments.c.id)
    .limit(ONE)
    .offset(ZERO)
)
AT = shown(bindparam("position", type_=assignments.c.position.type)).where(
    assignments.c.id == bindparam("assignment_id")
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
    if held.disabled or not weighed.show_next:
        return decided, None
    return decided, _next(session, asked, held.person, choose, most)


def revise(session: Session, asked: Asked, decision: Decision, revision: int) -> Decided:
    """Put a decision in the place of an earlier one, once."""
    held = held_by(session, asked[:2], decision.assignment, HELD_FAST)
    return deciding.revise(session, decision, held, revision)


def step(session: Session, who: tuple[str, str], assignment: str, position: int) -> Turn:
    """A position of a judge's kit that he has reached, with what he decided there."""
    return _reached(session, held_by(session, who, assignment, HELD), position)


def _reached(session: Session, held: Held, position: int) -> Turn:
    if not 1 <= position <= min(held.position, held.steps):
        refuse_position(held, position)
    row = session.one(AT, assignment_id=held.id, position=position)
    assert row is not None
    there = Step(*row)
    if position == held.position:
        return there.turn(session)
    _, revision, _, answers = latest(session, held, position)
    turn = there._replace(shown_at=None).turn(session)
    return msgspec.structs.replace(
        turn, answered=from_json(answers), revision=revision, reached=held.position
    )


def keep_draft(
    session: Session, asked: Asked, assignment: str, position: int, content: object
) -> None:
    """Keep what a judge has begun to answer at the position that is next."""
    held = held_by(session, asked[:2], assignment, HELD_FAST)
    if position != held.position or position > held.steps:
        refuse_position(held, position)
    if held.state != "open":
        refuse_gone(held)
    values = {"of": held.id, "at": position, "new": to_json(content)}
    if not session.run(REDRAFT, **values):
        session.run(DRAFT, **values)
    renew(session, asked, held.person, held.id, held.lease_until)


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
    there = Step(*found)
    if there.shown_at is None:
        session.run(SHOW, assignment_id=there.assignment_id, now=asked.now)
    renew(session, asked, judge, there.assignment_id, there.lease_until)
    return there.turn(session, shown_at=asked.now)
