"""What coordinators read: progress, and all decisions with their items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

import msgspec
from sqlalchemy import bindparam, case, func, literal_column, or_, select

from jurat.kit_steps import KitSteps
from jurat.model import Item
from jurat.store.accounts import by_id
from jurat.store.campaigns import find
from jurat.store.database import Row, Session
from jurat.store.encoding import from_json, from_time, to_time
from jurat.store.kits import item_at
from jurat.store.records import Adjudication, PhaseTally, Progress, StoredDecision, Tally
from jurat.store.schema import ONE, ZERO, assignments, audit, items, judges, kits, phases
from jurat.store.schema import adjudications as settled
from jurat.store.schema import decisions as decided

_item = msgspec.json.Decoder(Item).decode

_GONE = assignments.c.state.in_([literal_column("'returned'"), literal_column("'redo'")])
DECISIONS = (
    select(
        decided.c.id,
        phases.c.task,
        phases.c.phase,
        kits.c.number,
        kits.c.block,
        assignments.c.key,
        judges.c.pin,
        judges.c.group,
        judges.c.site,
        decided.c.position,
        kits.c.id,
        decided.c.revision,
        decided.c.answers,
        decided.c.shown_at,
        decided.c.decided_at,
        decided.c.seconds,
        decided.c.active_seconds,
        decided.c.language,
        assignments.c.probability,
        case((_GONE, literal_column("'excluded'")), else_=decided.c.status),
        case((_GONE, assignments.c.author), else_=decided.c.author),
        case((_GONE, assignments.c.reason), else_=decided.c.reason),
        kits.c.size,
        phases.c.stages,
        phases.c.advance,
    )
    .select_from(decided)
    .join(assignments, assignments.c.id == decided.c.assignment_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .join(kits, kits.c.id == assignments.c.kit_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .where(decided.c.campaign_id == bindparam("campaign_id"), decided.c.id > bindparam("after"))
    .order_by(decided.c.id)
)
ADJUDICATIONS = (
    select(
        settled.c.id,
        phases.c.task,
        phases.c.phase,
        kits.c.number,
        settled.c.index,
        items.c.content,
        settled.c.answers,
        settled.c.author,
        settled.c.reason,
        settled.c.decided_at,
    )
    .select_from(settled)
    .join(kits, kits.c.id == settled.c.kit_id)
    .join(phases, phases.c.id == kits.c.phase_id)
    .join(items, (items.c.kit_id == kits.c.id) & (items.c.index == settled.c.index))
    .where(settled.c.campaign_id == bindparam("campaign_id"))
    .order_by(settled.c.id)
)
CHANGES = select(func.coalesce(func.sum(assignments.c.changes), ZERO)).where(
    assignments.c.campaign_id == bindparam("campaign_id")
)
SETTLED = select(func.count(settled.c.id)).where(settled.c.campaign_id == bindparam("campaign_id"))
LOGGED = select(func.count(audit.c.id)).where(audit.c.campaign_id == bindparam("campaign_id"))
RECENT = (
    select(decided.c.decided_at)
    .join(assignments, assignments.c.id == decided.c.assignment_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .where(
        judges.c.campaign_id == bindparam("campaign_id"),
        judges.c.key == bindparam("judge"),
        or_(assignments.c.finished.is_(None), assignments.c.finished >= bindparam("since")),
        decided.c.decided_at >= bindparam("since"),
    )
    .order_by(decided.c.decided_at)
)
KITS = (
    select(
        phases.c.id,
        phases.c.task,
        phases.c.phase,
        phases.c.state,
        func.count(kits.c.id),
        func.coalesce(func.sum(kits.c.wanted), ZERO),
        func.coalesce(func.sum(kits.c.wanted * kits.c.size * phases.c.stages), ZERO),
    )
    .outerjoin(kits, kits.c.phase_id == phases.c.id)
    .where(phases.c.campaign_id == bindparam("campaign_id"))
    .group_by(phases.c.id)
    .order_by(phases.c.id)
)
_held = (
    select(
        assignments.c.judge_id,
        assignments.c.phase_id,
        assignments.c.state,
        func.count(assignments.c.id).label("kits"),
        func.sum(assignments.c.position - ONE).label("steps"),
        func.sum(assignments.c.timed).label("timed"),
        func.sum(assignments.c.timed_seconds).label("timed_seconds"),
        func.max(assignments.c.decided_at).label("last"),
    )
    .where(assignments.c.campaign_id == bindparam("campaign_id"))
    .group_by(assignments.c.judge_id, assignments.c.phase_id, assignments.c.state)
    .subquery()
)
HELD = (
    select(judges.c.key, *list(_held.c)[1:])
    .join(judges, judges.c.id == _held.c.judge_id)
    .order_by(judges.c.id, _held.c.phase_id)
)


def decisions(session: Session, campaign: str, after: int) -> Iterator[StoredDecision]:
    """All decisions with their items, in the order of storing."""
    campaign_id = find(session, campaign)
    for row in session.stream(DECISIONS, campaign_id=campaign_id, after=after):
        yield _decision(session, row)


def _decision(session: Session, row: Row) -> StoredDecision:
    *fields, size, stages, advance = row
    index, stage = KitSteps(size, stages, advance).step(fields[9])
    return StoredDecision(
        number=fields[0],
        task=fields[1],
        phase=fields[2],
        kit=fields[3],
        block=fields[4],
        assignment=fields[5],
        judge=fields[6],
        group=fields[7],
        site=fields[8],
        position=fields[9],
        stage=stage,
        index=index,
        item=item_at(session, fields[10], index),
        revision=fields[11],
        answers=from_json(fields[12]),
        shown_at=from_time(fields[13]),
        decided_at=from_time(fields[14]),
        seconds=fields[15],
        active_seconds=fields[16],
        language=fields[17],
        probability=fields[18],
        status=fields[19],
        author=fields[20],
        reason=fields[21],
    )


def adjudications(session: Session, campaign: str) -> tuple[Adjudication, ...]:
    """What was settled, in order."""
    rows = session.all(ADJUDICATIONS, campaign_id=find(session, campaign))
    return tuple(
        Adjudication(
            number=number,
            task=task,
            phase=phase,
            kit=kit,
            index=index,
            item=_item(content),
            answers=from_json(answers),
            author=author,
            reason=reason,
            decided_at=from_time(decided_at),
        )
        for number, task, phase, kit, index, content, answers, author, reason, decided_at in rows
    )


def stamp(session: Session, campaign: str) -> str:
    """Counts that only grow, of all that can happen to judgments and their judges."""
    # Not the last decision's number: with PostgreSQL a lower one may still be on its way.
    campaign_id = find(session, campaign)
    counts = (session.one(s, campaign_id=campaign_id) for s in (CHANGES, SETTLED, LOGGED))
    return "-".join(str(count[0]) for count in counts if count)


def recent(session: Session, campaign: str, judge: str, *, since: datetime) -> tuple[datetime, ...]:
    """When a judge decided, since then."""
    by_id(session, campaign, judge)
    rows = session.all(
        RECENT, campaign_id=find(session, campaign), judge=judge, since=to_time(since)
    )
    return tuple(from_time(moment) for (moment,) in rows)


def progress(session: Session, campaign: str) -> Progress:
    """How far everything is; the decisions themselves need not be read for it."""
    campaign_id = find(session, campaign)
    phases = session.all(KITS, campaign_id=campaign_id)
    names = {row[0]: row[1:3] for row in phases}
    held: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for judge, phase, *counts in session.all(HELD, campaign_id=campaign_id):
        held[judge, phase].append(tuple(counts))
    tallies = {
        (judge, phase): _tally(judge, names[phase], rows) for (judge, phase), rows in held.items()
    }
    return Progress(
        phases=tuple(
            _phase_tally(row, [t for (_, phase), t in tallies.items() if phase == row[0]])
            for row in phases
        ),
        judges=tuple(tallies.values()),
    )


def _tally(judge: str, phase: Row, rows: list[Row]) -> Tally:
    """A judge's kits of a phase, from counts for each state."""
    kits = {state: count for state, count, *_ in rows}
    steps = {state: int(count) for state, _, count, *_ in rows}
    return Tally(
        judge=judge,
        task=phase[0],
        phase=phase[1],
        open=kits.get("open", 0),
        done=kits.get("done", 0),
        returned=kits.get("returned", 0) + kits.get("redo", 0),
        decisions=steps.get("open", 0) + steps.get("done", 0),
        timed=sum(int(row[3]) for row in rows),
        timed_seconds=sum(row[4] for row in rows),
        last=max((from_time(row[5]) for row in rows if row[5] is not None), default=None),
    )


def _phase_tally(row: Row, judges: list[Tally]) -> PhaseTally:
    _, task, phase, state, count, wanted, steps = row
    return PhaseTally(
        task=task,
        phase=phase,
        state=state,
        kits=count,
        wanted=int(wanted),
        open=sum(tally.open for tally in judges),
        done=sum(tally.done for tally in judges),
        wanted_decisions=int(steps),
        decisions=sum(tally.decisions for tally in judges),
    )
