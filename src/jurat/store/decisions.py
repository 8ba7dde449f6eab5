"""Decisions: stored once, replaced by later ones, and read for the export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import bindparam, case, func, literal_column, or_, select, update

from jurat.model import KitSteps
from jurat.store import accounts
from jurat.store.assignments import Assignment, Lease, reopen
from jurat.store.campaigns import find
from jurat.store.database import Row, Session
from jurat.store.encoding import from_json, from_time, to_json, to_time
from jurat.store.errors import AlreadyDecided, NoSuchDecision, OutOfTurn
from jurat.store.kits import item_at
from jurat.store.records import Decision, Step, StoredDecision
from jurat.store.schema import (
    EXCLUDED,
    FLAGGED,
    ONE,
    assignments,
    decisions,
    insert_into,
    judges,
    kits,
    phases,
    update_assignment,
)
from jurat.store.steps import (
    find_assignment,
    latest,
    reached_step,
    refuse_closed,
    refuse_gone,
    refuse_position,
    renew_lease,
    step_at,
)

# The longest decision, in seconds, that counts in averages; more is a pause.
LONGEST = 120

# Checks what a judge sent: given their assignment, the step, and when they decided recently, it
# returns the decision to store and whether to show the next step, or raises what is wrong. It is
# called inside the transaction, perhaps twice, so it must neither write nor wait.
Check = Callable[[Assignment, Step, tuple[datetime, ...]], tuple[Decision, bool]]
# The same for a decision that replaces another one, after which nothing is shown.
CheckRevision = Callable[[Assignment, Step], Decision]

DECIDE = insert_into(decisions)
# What a decision changes about its assignment. Counts are kept in this row, which is written
# anyway, so that no page has to count decisions.
_ADVANCE = {
    "position": assignments.c.position + ONE,
    "decided_at": bindparam("now"),
    "timed": assignments.c.timed + bindparam("counted"),
    "timed_seconds": assignments.c.timed_seconds + bindparam("seconds"),
    "changes": assignments.c.changes + ONE,
}
MOVE_ON = update_assignment(**_ADVANCE, shown_at=bindparam("next_shown"))
FINISH = update_assignment(
    **_ADVANCE,
    state=literal_column("'done'"),
    shown_at=literal_column("NULL"),
    lease_until=literal_column("NULL"),
    finished=bindparam("now"),
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
CHANGED = update_assignment(changes=assignments.c.changes + ONE)


# The columns of a `StoredDecision`, by its fields.
_COLUMNS = {
    "number": decisions.c.id,
    "task": phases.c.task,
    "phase": phases.c.phase,
    "kit": kits.c.number,
    "block": kits.c.block,
    "assignment": assignments.c.key,
    "judge": judges.c.pin,
    "group": judges.c.group,
    "site": judges.c.site,
    "position": decisions.c.position,
    "revision": decisions.c.revision,
    "answers": decisions.c.answers,
    "shown_at": decisions.c.shown_at,
    "decided_at": decisions.c.decided_at,
    "seconds": decisions.c.seconds,
    "active_seconds": decisions.c.active_seconds,
    "played_seconds": decisions.c.played_seconds,
    "language": decisions.c.language,
    "probability": assignments.c.probability,
    "status": case((EXCLUDED, literal_column("'excluded'")), else_=decisions.c.status),
    "author": case((EXCLUDED, assignments.c.author), else_=decisions.c.author),
    "reason": case((EXCLUDED, assignments.c.reason), else_=decisions.c.reason),
    "flag": decisions.c.flag,
    "comment": decisions.c.comment,
    "skipped": decisions.c.skipped,
}
_ALL = (
    select(*_COLUMNS.values(), kits.c.id, kits.c.size, phases.c.stages, phases.c.advance)
    .select_from(decisions)
    .join(assignments, assignments.c.id == decisions.c.assignment_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .join(kits, kits.c.id == assignments.c.kit_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
)
EVERY = _ALL.where(
    decisions.c.campaign_id == bindparam("campaign_id"), decisions.c.id > bindparam("after")
).order_by(decisions.c.id)
# Flags are about items: one stays where the judgment it came with was excluded.
_NOT_SUPERSEDED = decisions.c.status == literal_column("'valid'")
# Both without an order, for which SQLite would rather read all decisions.
OF_JUDGE = _ALL.where(
    judges.c.campaign_id == bindparam("campaign_id"), judges.c.key == bindparam("judge")
)
ALL_FLAGGED = _ALL.where(FLAGGED, _NOT_SUPERSEDED)
FLAG_COUNT = select(func.count(decisions.c.id)).where(FLAGGED, _NOT_SUPERSEDED)
RECENT = (
    select(decisions.c.decided_at)
    .join(assignments, assignments.c.id == decisions.c.assignment_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .where(
        judges.c.campaign_id == bindparam("campaign_id"),
        judges.c.key == bindparam("judge"),
        or_(assignments.c.finished.is_(None), assignments.c.finished >= bindparam("since")),
        decisions.c.decided_at >= bindparam("since"),
    )
    .order_by(decisions.c.decided_at)
)


def submit(
    session: Session,
    campaign: str,
    judge: str,
    assignment: str,
    position: int,
    *,
    check: Check,
    now: datetime,
    lease: timedelta,
    since: datetime | None = None,
) -> tuple[Decision, Step | None]:
    """Store the first decision at a step, and give it with the next step of the kit.

    The same decision sent again changes nothing. `check` is told of the judge's decisions from
    `since` on. No next step comes where `check` wants none, after the last one of the kit and after
    a decision that was stored before: `next_step` gives it. Raises `NotYours`, `OutOfTurn`,
    `AlreadyDecided`, `KitGone`, `PhaseNotStarted`, `JudgeDisabled` and whatever `check` raises.
    """
    found = find_assignment(session, campaign, judge, assignment, locked=True)
    step = reached_step(session, found, position)
    before = recent(session, campaign, judge, since=since) if since else ()
    decision, show_next = check(found, step, before)
    placed = _placed(found, position, decision, revision=1)
    stored = _store(session, found, placed, Lease.at(now, lease), show_next=show_next)
    if not show_next or stored.finished or not stored.new:
        return stored, None
    # No answers can have been saved for a step that nobody has seen.
    return stored, step_at(session, found, position + 1, to_time(stored.decided_at))


def revise(
    session: Session,
    campaign: str,
    judge: str,
    assignment: str,
    position: int,
    *,
    check: CheckRevision,
    revision: int,
) -> Decision:
    """Replace a decision by another one; the old one stays, marked superseded.

    `revision` is the new one's number (the first decision has 1), so the same change sent again
    changes nothing. Raises what `submit` raises, and `NoSuchDecision`.
    """
    found = find_assignment(session, campaign, judge, assignment, locked=True)
    decision = check(found, reached_step(session, found, position))
    if not 1 <= position < found.position:
        raise NoSuchDecision(f"nothing has been decided at position {position} yet")
    number, last, *_ = latest(session, found, position)
    placed = _placed(found, position, decision, revision=revision)
    if 2 <= revision <= last:
        return _stored_before(session, found, placed)
    if revision != last + 1:
        raise OutOfTurn(f"the next revision is {last + 1}, not {revision}", expected=last + 1)
    refuse_closed(found)
    if found.state not in ("open", "done"):
        refuse_gone(found)
    session.run(SUPERSEDE, number=number)
    session.run(CHANGED, assignment_id=found.id)
    return _insert(session, found, placed, placed.seconds)


def _placed(
    assignment: Assignment, position: int, decision: Decision, *, revision: int
) -> Decision:
    return msgspec.structs.replace(
        decision,
        assignment=assignment.key,
        position=position,
        revision=revision,
        finished=position == len(assignment.steps),
    )


def _store(
    session: Session, assignment: Assignment, decision: Decision, lease: Lease, *, show_next: bool
) -> Decision:
    """Store the first decision at its position; with `show_next` the next step is now shown."""
    position = decision.position
    if 1 <= position < assignment.position:
        return _stored_before(session, assignment, decision)
    if position != assignment.position or position > len(assignment.steps):
        refuse_position(assignment, position)
    refuse_closed(assignment)
    if assignment.state != "open":
        _resume(session, assignment, lease)
    seconds = _seconds(assignment, decision)
    stored = _insert(session, assignment, decision, seconds)
    counted = seconds is not None and seconds <= LONGEST
    now = to_time(decision.decided_at)
    times = {"now": now, "counted": int(counted), "seconds": seconds if counted else 0.0}
    if stored.finished:
        session.send(FINISH, assignment_id=assignment.id, **times)
    else:
        next_shown = now if show_next else None
        session.send(MOVE_ON, assignment_id=assignment.id, next_shown=next_shown, **times)
        renew_lease(session, assignment, lease)
    return stored


def _seconds(assignment: Assignment, decision: Decision) -> float | None:
    """How long the decision took: as given, or since the step was shown; None if unknown."""
    if decision.seconds is not None or assignment.shown_at is None:
        return decision.seconds
    return max(0, to_time(decision.decided_at) - assignment.shown_at) / 1e6


def _resume(session: Session, assignment: Assignment, lease: Lease) -> None:
    """Take a kit back whose lease ran out. Raises `KitGone` if another judge has it."""
    left = assignment.state == "returned" and not assignment.author
    if not left or not reopen(session, lease, assignment.id, assignment.kit_id):
        refuse_gone(assignment)


def _insert(
    session: Session, assignment: Assignment, decision: Decision, seconds: float | None
) -> Decision:
    number = session.add(
        DECIDE,
        campaign_id=assignment.campaign_id,
        assignment_id=assignment.id,
        position=decision.position,
        revision=decision.revision,
        answers=to_json(decision.answers),
        # It tells when the next step was shown, which is not the one that is revised.
        shown_at=assignment.shown_at if decision.revision == 1 else None,
        decided_at=to_time(decision.decided_at),
        seconds=seconds,
        active_seconds=decision.active_seconds,
        played_seconds=decision.played_seconds,
        language=decision.language,
        status="valid",
        author=decision.author,
        reason=decision.reason,
        flag=decision.flag,
        comment=decision.comment,
        skipped=decision.skipped,
    )
    return msgspec.structs.replace(decision, number=number, new=True)


def _stored_before(session: Session, assignment: Assignment, decision: Decision) -> Decision:
    """The decision as it was stored before. Raises `AlreadyDecided` if the answers differ."""
    position, revision = decision.position, decision.revision
    row = session.one(STORED, assignment_id=assignment.id, position=position, revision=revision)
    if row is None:
        raise NoSuchDecision(f"there is no revision {revision} at position {position}")
    number, decided_at, answers = row
    # Stored answers have been through JSON, which turns tuples into lists.
    if from_json(answers) != from_json(to_json(decision.answers)):
        raise AlreadyDecided(
            f"step {position} was decided before, with other answers, which are kept"
        )
    moment = from_time(decided_at)
    return msgspec.structs.replace(decision, number=number, decided_at=moment, new=False)


def every(session: Session, campaign: str, *, after: int = 0) -> Iterator[StoredDecision]:
    """All decisions with their items, in the order of storing, after the one of that number."""
    campaign_id = find(session, campaign)
    for row in session.stream(EVERY, campaign_id=campaign_id, after=after):
        yield stored_decision(session, row)


def of_judge(session: Session, campaign: str, judge: str) -> list[StoredDecision]:
    """The decisions of one judge, in the order of storing."""
    rows = sorted(session.all(OF_JUDGE, campaign_id=find(session, campaign), judge=judge))
    return [stored_decision(session, row) for row in rows]


def flagged(session: Session, campaign: str) -> list[StoredDecision]:
    """The decisions with a flag that were not changed later, in the order of storing."""
    rows = sorted(session.all(ALL_FLAGGED, campaign_id=find(session, campaign)))
    return [stored_decision(session, row) for row in rows]


def flag_count(session: Session, campaign: str) -> int:
    """How many decisions have a flag and were not changed later."""
    row = session.one(FLAG_COUNT, campaign_id=find(session, campaign))
    return int(row[0]) if row else 0


def stored_decision(session: Session, row: Row) -> StoredDecision:
    """A decision with its item, from a row of `EVERY`."""
    *values, kit_id, size, stages, advance = row
    fields = dict(zip(_COLUMNS, values, strict=True))
    index, stage = KitSteps(size, stages, advance).step(fields["position"])
    fields["answers"] = from_json(fields["answers"])
    fields["skipped"] = bool(fields["skipped"])
    for name in ("shown_at", "decided_at"):
        fields[name] = from_time(fields[name])
    item = item_at(session, kit_id, index)
    return StoredDecision(**fields, stage=stage, index=index, item=item)


def recent(session: Session, campaign: str, judge: str, *, since: datetime) -> tuple[datetime, ...]:
    """When the judge decided, since then, in order: for limits per sitting and per day."""
    campaign_id = find(session, campaign)
    accounts.by_id(session, campaign, judge)
    rows = session.all(RECENT, campaign_id=campaign_id, judge=judge, since=to_time(since))
    return tuple(from_time(moment) for (moment,) in rows)
