"""The steps of a judge's assignment: the next one, earlier ones and those ahead.

Every function needs a small, fixed number of indexed statements, however much is stored. Rows are
locked in one order (assignments, then the campaign, then kits), so that transactions on PostgreSQL
do not deadlock.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NoReturn

import msgspec
from sqlalchemy import and_, bindparam, insert, literal_column, select, update

from jurat.errors import quoted
from jurat.model import KitSteps
from jurat.store.accounts import COLUMNS, account_of
from jurat.store.assignments import Assignment, Choose, KitRequest, Lease, assign, lock
from jurat.store.database import Row, Session
from jurat.store.encoding import from_json, from_time, to_json
from jurat.store.errors import (
    JudgeDisabled,
    KitGone,
    NoSuchCampaign,
    NoSuchJudge,
    NotYours,
    OutOfTurn,
    PhaseNotStarted,
)
from jurat.store.kits import item_at
from jurat.store.records import Answers, Step
from jurat.store.schema import (
    IS_OPEN,
    ONE,
    ZERO,
    assignments,
    campaigns,
    columns,
    decisions,
    drafts,
    judges,
    kits,
    phases,
    update_assignment,
)

_NOT_STARTED = {"ready": "has not started yet", "stopped": "is stopped", "closed": "is closed"}


_IS_JUDGE = (
    campaigns.c.name == bindparam("campaign"),
    judges.c.campaign_id == campaigns.c.id,
    judges.c.key == bindparam("judge"),
)
# Campaign and judge in one statement: the first of every request.
WHO = select(judges.c.id, judges.c.campaign_id, judges.c.group, judges.c.disabled).where(*_IS_JUDGE)
CAMPAIGN = select(campaigns.c.id).where(campaigns.c.name == bindparam("campaign"))
# What never changes about an assignment; it is read once and then kept in memory.
_FIXED = (
    *columns(assignments, "id", "key", "kit_id", "judge_id", "campaign_id"),
    *columns(phases, "task", "phase"),
    *columns(kits, "number", "size"),
    *columns(phases, "stages", "advance"),
)
FIXED = (
    select(*_FIXED)
    .select_from(assignments)
    .join(kits, kits.c.id == assignments.c.kit_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .join(campaigns, campaigns.c.id == assignments.c.campaign_id)
    .where(*_IS_JUDGE, assignments.c.key == bindparam("assignment"))
)
# What is read anew in every transaction.
_VARIABLE = (
    *columns(assignments, "state", "author", "reason", "position", "shown_at", "lease_until"),
    *columns(phases, "state", "reason"),
)
_ACCOUNT = columns(judges, *COLUMNS)
VARIABLE = (
    select(*_VARIABLE, *_ACCOUNT)
    .select_from(assignments)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .where(
        assignments.c.id == bindparam("assignment_id"),
        assignments.c.key == bindparam("assignment"),
    )
)
# Locks the assignment until the transaction ends, or two decisions could be stored as the next.
VARIABLE_LOCKED = VARIABLE.with_for_update(of=assignments)
# The judge's open kit, with everything for its next step; the oldest, should there be several.
CURRENT = (
    select(*_FIXED, *_VARIABLE, *_ACCOUNT, drafts.c.content)
    .select_from(assignments)
    .join(kits, kits.c.id == assignments.c.kit_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
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
# The decision that counts at a position.
LATEST = (
    select(*columns(decisions, "id", "revision", "answers", "flag", "comment"))
    .where(
        decisions.c.assignment_id == bindparam("assignment_id"),
        decisions.c.position == bindparam("position"),
    )
    .order_by(decisions.c.revision.desc())
    .limit(ONE)
    .offset(ZERO)
)
SHOW = update_assignment(shown_at=bindparam("now"))
RENEW = update_assignment(lease_until=bindparam("until"))
# Not at every step, but with every renewal of a lease.
SEEN = update(judges).where(judges.c.id == bindparam("judge_id")).values(seen_at=bindparam("now"))
SAVED = select(drafts.c.content).where(
    drafts.c.assignment_id == bindparam("assignment_id"),
    drafts.c.position == bindparam("position"),
)
# An assignment has one row for saved answers, which is used again and again; those of an earlier
# position are simply not read any more.
SAVE_AGAIN = (
    update(drafts)
    .where(drafts.c.assignment_id == bindparam("of"))
    .values(position=bindparam("at"), content=bindparam("new"))
)
SAVE = (
    insert(drafts)
    .values(assignment_id=bindparam("of"), position=bindparam("at"), content=bindparam("new"))
    .inline()
)


def next_step(
    session: Session,
    campaign: str,
    judge: str,
    choose: Choose,
    *,
    now: datetime,
    lease: timedelta,
    most: int = 100,
) -> Step | None:
    """What a judge does next; None if no started phase has anything for them.

    That is the next step of their open kit, or of one that they left and nobody else took, or the
    first step of a kit that `choose` picks: it is offered the first `most` open kits of each phase,
    and many more if it wants none of these. Nobody else gets the kit until `lease` has passed
    without a sign of the judge. Raises `NoSuchCampaign`, `NoSuchJudge` or `JudgeDisabled`.
    """
    found = session.one(WHO, campaign=campaign, judge=judge)
    if found is None:
        _refuse_unknown(session, campaign)
    judge_id, campaign_id, group, disabled = found
    if disabled:
        raise JudgeDisabled("this account is disabled")
    request = KitRequest(judge_id, campaign_id, group, Lease.at(now, lease), choose, most)
    current = session.one(CURRENT, judge_id=judge_id) or _given_a_kit(session, request)
    return None if current is None else _shown(session, campaign, current, request.lease)


def _shown(session: Session, campaign: str, current: Row, lease: Lease) -> Step:
    """The next step of a kit, from a row of `CURRENT`; its time runs from now on."""
    *row, saved = current
    fixed = _fixed(row[: len(_FIXED)])
    assignment = _assignment(fixed, row[len(_FIXED) :])
    # The judge will send a decision for it next: `find_assignment` then reads less.
    session.known.keep((campaign, assignment.account.id, assignment.key), fixed)
    # A page that is loaded again does not restart the clock.
    shown_at = assignment.shown_at
    if shown_at is None:
        shown_at = lease.now
        session.send(SHOW, assignment_id=assignment.id, now=shown_at)
    renew_lease(session, assignment, lease)
    step = step_at(session, assignment, assignment.position, shown_at)
    return _with_saved(step, saved)


def _given_a_kit(session: Session, request: KitRequest) -> Row | None:
    """The row of `CURRENT` of a judge who had no open kit; None if there is none for them."""
    current = (CURRENT, {"judge_id": request.judge_id})
    records = lock(session, request, current)
    # another page of the same judge may have been given a kit before we had the lock
    given = not records.current and assign(session, request, records)
    session.admit_all()
    if records.current:
        return records.current[0]
    return session.one(CURRENT, judge_id=request.judge_id) if given else None


def step(session: Session, campaign: str, judge: str, assignment: str, position: int) -> Step:
    """A step that the judge has reached, with what they decided or saved there.

    Raises `NotYours`, or `OutOfTurn` if the judge has not come to that position yet.
    """
    found = find_assignment(session, campaign, judge, assignment)
    reached = reached_step(session, found, position)
    saved = session.one(SAVED, assignment_id=found.id, position=position)
    return _with_saved(reached, saved[0] if saved else None)


def ahead(
    session: Session, campaign: str, judge: str, assignment: str, position: int, *, most: int
) -> list[Step]:
    """Up to `most` steps after one that the judge has reached; none is marked as shown.

    They end before a step whose content depends on answers that are still missing.
    """
    found = find_assignment(session, campaign, judge, assignment)
    _refuse_unreached(found, position)
    number = min(most, found.steps.steps_ahead(position))
    return [step_at(session, found, position + n, None) for n in range(1, number + 1)]


def save_answers(
    session: Session,
    campaign: str,
    judge: str,
    assignment: str,
    position: int,
    *,
    content: object,
    now: datetime,
    lease: timedelta,
) -> None:
    """Save what a judge has begun to answer at the next position, replacing what was saved.

    Raises `NotYours`, `OutOfTurn` or `KitGone`.
    """
    found = find_assignment(session, campaign, judge, assignment, locked=True)
    if position != found.position or position > len(found.steps):
        refuse_position(found, position)
    if found.state != "open":
        refuse_gone(found)
    values = {"of": found.id, "at": position, "new": to_json(content)}
    # UPDATE, then INSERT: the assignment is locked, so nobody inserts between the two.
    if not session.run(SAVE_AGAIN, **values):
        session.run(SAVE, **values)
    renew_lease(session, found, Lease.at(now, lease))


def find_assignment(
    session: Session, campaign: str, judge: str, assignment: str, *, locked: bool = False
) -> Assignment:
    """An assignment of the judge's; `locked` until the transaction ends. Raises `NotYours`."""
    key = (campaign, judge, assignment)
    fixed = session.known.find(key)
    if fixed is None:
        fixed = session.known.keep(key, _read_fixed(session, *key))
    if locked:
        session.exclude(assignment)
    statement = VARIABLE_LOCKED if locked else VARIABLE
    # By both ids: after a restore, the row number may be another assignment's.
    found = session.one(statement, assignment_id=fixed[0], assignment=assignment)
    if found is None:
        raise _not_yours()
    return _assignment(fixed, found)


def _assignment(fixed: Row, variable: Row | list[object]) -> Assignment:
    own = len(_VARIABLE)
    return Assignment._make((*fixed, *variable[:own], account_of(tuple(variable[own:]))))


def _fixed(row: Row | list[object]) -> Row:
    """The fixed fields of an assignment from their columns."""
    *first, size, stages, advance = row
    return *first, KitSteps(size, stages, advance)  # type: ignore[arg-type]


def _read_fixed(session: Session, campaign: str, judge: str, assignment: str) -> Row:
    found = session.one(FIXED, campaign=campaign, judge=judge, assignment=assignment)
    if found is not None:
        return _fixed(found)
    if session.one(WHO, campaign=campaign, judge=judge) is None:
        _refuse_unknown(session, campaign)
    raise _not_yours()


def reached_step(session: Session, assignment: Assignment, position: int) -> Step:
    """A step up to the next one, with what was decided there. Raises `OutOfTurn`."""
    _refuse_unreached(assignment, position)
    if position == assignment.position:
        return step_at(session, assignment, position, assignment.shown_at)
    _, revision, answers, flag, comment = latest(session, assignment, position)
    return msgspec.structs.replace(
        step_at(session, assignment, position, None),
        answered=from_json(answers),
        revision=revision,
        flag=flag,
        comment=comment,
        reached=assignment.position,
    )


def step_at(session: Session, assignment: Assignment, position: int, shown_at: int | None) -> Step:
    """A step without anything that was decided or saved there."""
    index, stage = assignment.steps.step(position)
    return Step(
        assignment=assignment.key,
        task=assignment.task,
        phase=assignment.phase,
        kit=assignment.kit,
        position=position,
        steps=assignment.steps.items * assignment.steps.stages,
        index=index,
        stage=stage,
        item=item_at(session, assignment.kit_id, index),
        earlier=_earlier(session, assignment, position) if stage else {},
        saved=None,
        shown_at=from_time(shown_at),
    )


def _earlier(session: Session, assignment: Assignment, position: int) -> Answers:
    """The answers to earlier stages of the same item."""
    answers: dict[str, object] = {}
    for before in assignment.steps.earlier_stages(position):
        found = session.one(LATEST, assignment_id=assignment.id, position=before)
        answers |= from_json(found[2]) if found else {}
    return answers


def _with_saved(step: Step, saved: str | None) -> Step:
    return step if saved is None else msgspec.structs.replace(step, saved=from_json(saved))


def latest(session: Session, assignment: Assignment, position: int) -> Row:
    """The latest decision at a position before the next one: the columns of `LATEST`."""
    row = session.one(LATEST, assignment_id=assignment.id, position=position)
    assert row is not None
    return row


def renew_lease(session: Session, assignment: Assignment, lease: Lease) -> None:
    """Renew the lease once half of it has passed; more often would only cost writes."""
    # Half has passed if the end of the lease is nearer than the middle of a new one.
    if 2 * (assignment.lease_until or 0) < lease.now + lease.until:
        session.send(RENEW, assignment_id=assignment.id, until=lease.until)
        session.send(SEEN, judge_id=assignment.judge_id, now=lease.now)


def _not_yours() -> NotYours:
    # The same words for another judge's kit and for none: ids cannot be tried out.
    return NotYours("this kit is not one of yours")


def _refuse_unknown(session: Session, campaign: str) -> NoReturn:
    """Raise `NoSuchCampaign` or `NoSuchJudge`."""
    if session.one(CAMPAIGN, campaign=campaign) is None:
        raise NoSuchCampaign(f"there is no campaign {quoted(campaign)}")
    raise NoSuchJudge(f"the campaign {quoted(campaign)} has no such judge")


def _refuse_unreached(assignment: Assignment, position: int) -> None:
    if not 1 <= position <= min(assignment.position, len(assignment.steps)):
        refuse_position(assignment, position)


def refuse_position(assignment: Assignment, position: int) -> NoReturn:
    """Raise `OutOfTurn`, which says which step is next."""
    number, expected = len(assignment.steps), assignment.position
    if expected > number:
        message = f"the kit is done: it has {number} steps, and there is no step {position}"
    else:
        message = f"the next decision of this kit is the one at step {expected}, not {position}"
    raise OutOfTurn(message, expected=expected)


def refuse_closed(assignment: Assignment) -> None:
    """Raise `JudgeDisabled` or `PhaseNotStarted` if no judgments are accepted now."""
    if assignment.account.disabled:
        raise JudgeDisabled("this account is disabled")
    if assignment.phase_state != "started":
        why = f": {assignment.phase_reason}" if assignment.phase_reason else ""
        message = f"the task '{assignment.task}' {_NOT_STARTED[assignment.phase_state]}{why}"
        closed = assignment.phase_state == "closed"
        raise PhaseNotStarted(message, reason=assignment.phase_reason, closed=closed)


def refuse_gone(assignment: Assignment) -> NoReturn:
    """Raise `KitGone`, which says why the kit is no longer the judge's."""
    if assignment.state == "returned" and not assignment.author:
        raise KitGone("the kit went to another judge after a long time without an answer")
    outcome = "is to be done again" if assignment.state == "redo" else "was given back"
    raise KitGone(f"the kit {outcome}" + (f": {assignment.reason}" if assignment.reason else ""))
