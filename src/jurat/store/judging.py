"""The judges' path: next step, decision, correction.

Every function here is a fixed small number of indexed statements, whatever is stored. Rows are
locked in one order, assignments before the campaign before kits, so that PostgreSQL's transactions
do not wait for each other in a circle.
"""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

import msgspec
from sqlalchemy import Select, bindparam, insert, literal_column, select, update

from jurat.faults import quoted
from jurat.store.assigning import Asked, Person, assign, lock, reopen
from jurat.store.database import Row, Session
from jurat.store.encoding import from_json, from_time, to_json
from jurat.store.errors import (
    JudgeDisabled,
    KitGone,
    NoSuchCampaign,
    NoSuchDecision,
    NoSuchJudge,
    NotYours,
    OutOfTurn,
    PhaseNotStarted,
)
from jurat.store.records import Answers, Choose, Decided, Turn
from jurat.store.schema import (
    IS_OPEN,
    ONE,
    ZERO,
    assignments,
    campaigns,
    decisions,
    drafts,
    judges,
    kits,
    phases,
)
from jurat.store.steps import LATEST, Step, shown

LONGEST = 120
"""Seconds of a decision that is counted in averages."""

_NOT_STARTED = {"ready": "has not started yet", "stopped": "is stopped", "closed": "is closed"}


class Decision(NamedTuple):
    """What a judge sends."""

    assignment: str
    position: int
    answers: Answers
    seconds: float | None = None
    active_seconds: float | None = None
    language: str = ""
    author: str = ""
    reason: str = ""


class Held(NamedTuple):
    """An assignment, with what decides whether its judge may go on with it."""

    id: int
    kit_id: int
    state: str
    author: str
    reason: str
    position: int
    shown_at: int | None
    lease_until: int | None
    size: int
    stages: int
    task: str
    phase_state: str
    phase_reason: str
    disabled: bool
    judge: int
    campaign_id: int
    group: str

    @property
    def steps(self) -> int:
        """Positions in the kit."""
        return self.size * self.stages

    @property
    def person(self) -> Person:
        """Whose it is."""
        return Person(self.judge, self.campaign_id, self.group)


_IS_JUDGE = (
    campaigns.c.name == bindparam("campaign"),
    judges.c.campaign_id == campaigns.c.id,
    judges.c.key == bindparam("judge"),
)
WHO = select(judges.c.id, judges.c.campaign_id, judges.c.group, judges.c.disabled).where(*_IS_JUDGE)
CAMPAIGN = select(campaigns.c.id).where(campaigns.c.name == bindparam("campaign"))
HELD = (
    select(
        assignments.c.id,
        assignments.c.kit_id,
        assignments.c.state,
        assignments.c.author,
        assignments.c.reason,
        assignments.c.position,
        assignments.c.shown_at,
        assignments.c.lease_until,
        kits.c.size,
        phases.c.stages,
        phases.c.task,
        phases.c.state,
        phases.c.reason,
        judges.c.disabled,
        judges.c.id,
        judges.c.campaign_id,
        judges.c.group,
    )
    .select_from(assignments)
    .join(kits, kits.c.id == assignments.c.kit_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .join(campaigns, campaigns.c.id == assignments.c.campaign_id)
    .where(*_IS_JUDGE, assignments.c.key == bindparam("assignment"))
)
HELD_FAST = HELD.with_for_update(of=assignments)
"""The same, and nobody else can change it before the transaction ends."""
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
RENEW = (
    update(assignments)
    .where(assignments.c.id == bindparam("assignment_id"))
    .values(lease_until=bindparam("until"))
)
SEEN = update(judges).where(judges.c.id == bindparam("judge_id")).values(seen_at=bindparam("now"))
DECIDE = (
    insert(decisions)
    .values({column.name: bindparam(column.name) for column in decisions.c if column.name != "id"})
    .returning(decisions.c.id)
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
STORED = select(decisions.c.id, decisions.c.decided_at).where(
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
    return _next(session, asked, _person(session, asked), choose, most)


def decide(session: Session, asked: Asked, decision: Decision) -> Decided:
    """Store a decision, once."""
    return _decide(
        session, asked, decision, _held(session, asked[:2], decision.assignment, HELD_FAST)
    )


def decide_and_turn(
    session: Session, asked: Asked, decision: Decision, choose: Choose, most: int
) -> tuple[Decided, Turn | None]:
    """Store a decision, and show what comes next."""
    held = _held(session, asked[:2], decision.assignment, HELD_FAST)
    decided = _decide(session, asked, decision, held, show=True)
    return decided, None if held.disabled else _next(session, asked, held.person, choose, most)


def revise(session: Session, asked: Asked, decision: Decision, revision: int) -> Decided:
    """Put a decision in the place of an earlier one, once."""
    held = _held(session, asked[:2], decision.assignment, HELD_FAST)
    if not 1 <= decision.position < held.position:
        raise NoSuchDecision(f"nothing has been decided at position {decision.position} yet")
    number, last, _, _ = _latest(session, held, decision.position)
    if 2 <= revision <= last:
        return _stored(session, held, decision, revision)
    if revision != last + 1:
        raise OutOfTurn(f"the next revision is {last + 1}, not {revision}", expected=last + 1)
    _refuse_closed(held)
    if held.state not in ("open", "done"):
        _refuse_gone(held)
    session.run(SUPERSEDE, number=number)
    session.run(CHANGED, assignment_id=held.id)
    return _keep(session, asked, decision, held, revision)


def step(session: Session, who: tuple[str, str], assignment: str, position: int) -> Turn:
    """A position of a judge's kit that he has reached, with what he decided there."""
    held = _held(session, who, assignment, HELD)
    if not 1 <= position <= min(held.position, held.steps):
        _refuse_position(held, position)
    row = session.one(AT, assignment_id=held.id, position=position)
    assert row is not None
    there = Step(*row)
    if position == held.position:
        return there.turn(session)
    _, revision, _, answers = _latest(session, held, position)
    turn = there._replace(shown_at=None).turn(session)
    return msgspec.structs.replace(turn, answered=from_json(answers), revision=revision)


def keep_draft(
    session: Session, asked: Asked, assignment: str, position: int, content: object
) -> None:
    """Keep what a judge has begun to answer at the position that is next."""
    held = _held(session, asked[:2], assignment, HELD_FAST)
    if position != held.position or position > held.steps:
        _refuse_position(held, position)
    if held.state != "open":
        _refuse_gone(held)
    values = {"of": held.id, "at": position, "new": to_json(content)}
    if not session.run(REDRAFT, **values):
        session.run(DRAFT, **values)
    _renew(session, asked, held.person, held.id, held.lease_until)


def _latest(session: Session, held: Held, position: int) -> Row:
    """The decision that counts at a position that was passed."""
    row = session.one(LATEST, assignment_id=held.id, position=position)
    assert row is not None
    return row


def _person(session: Session, asked: Asked) -> Person:
    found = session.one(WHO, campaign=asked.campaign, judge=asked.judge)
    if found is None:
        _refuse_unknown(session, asked.campaign)
    *person, disabled = found
    if disabled:
        raise JudgeDisabled("this account is disabled")
    return Person(*person)


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
    _renew(session, asked, judge, there.assignment_id, there.lease_until)
    return there.turn(session, shown_at=asked.now)


def _renew(
    session: Session, asked: Asked, judge: Person, assignment_id: int, lease_until: int | None
) -> None:
    """Begin the lease anew when half of it is over: not at every step, since that costs writes."""
    if 2 * (lease_until or 0) < asked.now + asked.until:
        session.run(RENEW, assignment_id=assignment_id, until=asked.until)
        session.run(SEEN, judge_id=judge.id, now=asked.now)


def _held(session: Session, who: tuple[str, str], assignment: str, statement: Select[Any]) -> Held:
    """An assignment of the judge's."""
    campaign, judge = who
    found = session.one(statement, campaign=campaign, judge=judge, assignment=assignment)
    if found is None:
        if session.one(WHO, campaign=campaign, judge=judge) is None:
            _refuse_unknown(session, campaign)
        raise NotYours("this kit is not one of yours")
    return Held(*found)


def _decide(
    session: Session, asked: Asked, decision: Decision, held: Held, *, show: bool = False
) -> Decided:
    if 1 <= decision.position < held.position:
        return _stored(session, held, decision, 1)
    if decision.position != held.position or held.position > held.steps:
        _refuse_position(held, decision.position)
    _refuse_closed(held)
    if held.state != "open":
        _take_up_again(session, asked, held)
    seconds = _seconds(asked, decision, held)
    decided = _keep(session, asked, decision._replace(seconds=seconds), held, 1)
    counted = seconds is not None and seconds <= LONGEST
    times = {"now": asked.now, "counted": int(counted), "seconds": seconds if counted else 0.0}
    if decided.finished:
        session.run(FINISH, assignment_id=held.id, **times)
    else:
        session.run(MOVE_ON, assignment_id=held.id, next_shown=asked.now if show else None, **times)
        _renew(session, asked, held.person, held.id, held.lease_until)
    return decided


def _seconds(asked: Asked, decision: Decision, held: Held) -> float | None:
    """How long the decision took, as far as that is known."""
    if decision.seconds is not None or held.shown_at is None:
        return decision.seconds
    return max(0, asked.now - held.shown_at) / 1e6


def _take_up_again(session: Session, asked: Asked, held: Held) -> None:
    """Accept what comes after the lease was over, as long as nobody else has the kit."""
    left = held.state == "returned" and not held.author
    if not left or not reopen(session, asked, held.id, held.kit_id):
        _refuse_gone(held)


def _keep(session: Session, asked: Asked, decision: Decision, held: Held, revision: int) -> Decided:
    row = session.one(
        DECIDE,
        campaign_id=held.campaign_id,
        assignment_id=held.id,
        position=decision.position,
        revision=revision,
        answers=to_json(decision.answers),
        shown_at=held.shown_at if revision == 1 else None,
        decided_at=asked.now,
        seconds=decision.seconds,
        active_seconds=decision.active_seconds,
        language=decision.language,
        status="valid",
        author=decision.author,
        reason=decision.reason,
    )
    assert row is not None
    return _acknowledged(held, decision, revision, (row[0], asked.now), new=True)


def _stored(session: Session, held: Held, decision: Decision, revision: int) -> Decided:
    """The acknowledgement of a decision that was stored before."""
    row = session.one(STORED, assignment_id=held.id, position=decision.position, revision=revision)
    if row is None:
        raise NoSuchDecision(f"there is no revision {revision} at position {decision.position}")
    return _acknowledged(held, decision, revision, (row[0], row[1]), new=False)


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
        finished=decision.position == held.steps,
    )


def _refuse_unknown(session: Session, campaign: str) -> NoReturn:
    if session.one(CAMPAIGN, campaign=campaign) is None:
        raise NoSuchCampaign(f"there is no campaign {quoted(campaign)}")
    raise NoSuchJudge(f"the campaign {quoted(campaign)} has no such judge")


def _refuse_position(held: Held, position: int) -> NoReturn:
    if held.position > held.steps:
        message = f"the kit is done: it has {held.steps} steps, and there is no step {position}"
    else:
        message = (
            f"the next decision of this kit is the one at step {held.position}, not {position}"
        )
    raise OutOfTurn(message, expected=held.position)


def _refuse_closed(held: Held) -> None:
    if held.disabled:
        raise JudgeDisabled("this account is disabled")
    if held.phase_state != "started":
        why = f": {held.phase_reason}" if held.phase_reason else ""
        message = f"the task '{held.task}' {_NOT_STARTED[held.phase_state]}{why}"
        raise PhaseNotStarted(message, reason=held.phase_reason)


def _refuse_gone(held: Held) -> NoReturn:
    if held.state == "returned" and not held.author:
        raise KitGone("nothing was heard for long, and the kit has gone to another judge")
    verb = "to be done again" if held.state == "redo" else "given back"
    raise KitGone(f"the kit was {verb}" + (f": {held.reason}" if held.reason else ""))
