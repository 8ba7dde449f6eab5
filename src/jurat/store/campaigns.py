"""Campaigns: created whole, read, started and stopped, with a log of who did what."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Select, and_, bindparam, func, insert, select, update

from jurat.errors import quoted
from jurat.model import Phase, TestSet
from jurat.store import kits as kits_of
from jurat.store.database import Conflict, Row, Session
from jurat.store.encoding import from_blob, from_json, from_time, to_blob, to_json, to_time
from jurat.store.errors import CampaignExists, NoSuchCampaign, NoSuchPhase, StoreFault
from jurat.store.records import AuditEntry, Campaign, NewCampaign, PhaseRecord, PhaseState
from jurat.store.schema import ONE, audit, campaigns, editions, kits, phases


class Signed(NamedTuple):
    """Who does something to a campaign, when and why."""

    author: str
    now: datetime
    reason: str = ""


ID = select(campaigns.c.id).where(campaigns.c.name == bindparam("campaign"))
NAMES = select(campaigns.c.name)
TEST_SET = select(campaigns.c.test_set).where(campaigns.c.name == bindparam("campaign"))
TUTORIAL = select(campaigns.c.tutorial).where(campaigns.c.name == bindparam("campaign"))
_others = editions.alias("others")
_LAST = (
    select(func.max(_others.c.number))
    .where(_others.c.campaign_id == campaigns.c.id)
    .scalar_subquery()
)
EVERY = (
    select(
        campaigns.c.id,
        campaigns.c.name,
        func.coalesce(editions.c.title, campaigns.c.title),
        func.coalesce(editions.c.declaration, campaigns.c.declaration),
        campaigns.c.protocols,
        campaigns.c.seed,
        campaigns.c.created,
        func.coalesce(editions.c.number, ONE),
    )
    .select_from(campaigns)
    .outerjoin(editions, and_(editions.c.campaign_id == campaigns.c.id, editions.c.number == _LAST))
    .order_by(campaigns.c.id)
)
BY_NAME = EVERY.where(campaigns.c.name == bindparam("campaign"))
STATES = (
    select(phases.c.task, phases.c.phase, phases.c.state)
    .where(phases.c.campaign_id == campaigns.c.id, campaigns.c.name == bindparam("campaign"))
    .order_by(phases.c.id)
)
PHASES = (
    select(
        phases.c.task,
        phases.c.phase,
        phases.c.state,
        phases.c.reason,
        phases.c.wanted,
        phases.c.stages,
        phases.c.advance,
        phases.c.apart,
        func.count(kits.c.id),
        func.coalesce(func.sum(kits.c.size), func.count(kits.c.id)),
    )
    .outerjoin(kits, kits.c.phase_id == phases.c.id)
    .where(phases.c.campaign_id == bindparam("campaign_id"))
    .group_by(phases.c.id)
    .order_by(phases.c.id)
)
SET_PHASE = (
    update(phases)
    .where(
        phases.c.campaign_id == bindparam("of"),
        phases.c.task == bindparam("in_task"),
        phases.c.phase == bindparam("in_phase"),
    )
    .values(state=bindparam("state"), reason=bindparam("reason"))
)
LOG = (
    insert(audit)
    .values({column.name: bindparam(column.name) for column in audit.c if column.name != "id"})
    .inline()
)
LOGGED = (
    select(audit.c.at, audit.c.author, audit.c.action, audit.c.details)
    .where(audit.c.campaign_id == bindparam("campaign_id"))
    .order_by(audit.c.id)
)
LOGGED_AS = LOGGED.where(audit.c.action == bindparam("action"))


CAMPAIGN_COLUMNS = tuple(column.name for column in campaigns.c)


def find(session: Session, name: str) -> int:
    """The campaign's number."""
    found = session.one(ID, campaign=name)
    if found is None:
        names = tuple(name for (name,) in session.all(NAMES))
        message = f"there is no campaign {quoted(name)}"
        raise NoSuchCampaign(message, value=name, allowed=names)
    number: int = found[0]
    return number


def create(session: Session, new: NewCampaign, signed: Signed) -> None:
    """Store a campaign with all its kits."""
    if session.one(ID, campaign=new.name) is not None:
        raise CampaignExists(f"there is a campaign {quoted(new.name)} already")
    (campaign_id,) = session.reserve(campaigns, 1)
    try:
        session.insert(campaigns, CAMPAIGN_COLUMNS, [_campaign_row(campaign_id, new, signed.now)])
    except Conflict as error:  # another process was quicker
        raise CampaignExists(f"there is a campaign {quoted(new.name)} already") from error
    try:
        kits_of.insert(session, new, campaign_id)
    except Conflict as error:
        raise StoreFault("two phases, or two kits of a phase, are the same") from error
    details = {"kits": len(new.kits), "items": sum(len(kit.items) for kit in new.kits)}
    _log(session, campaign_id, "create", signed, details)


def _campaign_row(campaign_id: int, new: NewCampaign, now: datetime) -> Row:
    return (
        campaign_id,
        new.name,
        new.title,
        to_json(new.declaration),
        to_json(new.protocols),
        to_blob(new.test_set),
        None if new.tutorial is None else to_blob(new.tutorial),
        new.seed,
        to_time(now),
    )


def every(session: Session) -> tuple[Campaign, ...]:
    """All campaigns, the oldest first."""
    return tuple(_read(session, row) for row in session.all(EVERY))


def one(session: Session, name: str) -> Campaign:
    """One campaign."""
    find(session, name)
    row = session.one(BY_NAME, campaign=name)
    assert row is not None
    return _read(session, row)


def states(session: Session, name: str) -> tuple[Row, ...]:
    """Task, phase and state of every phase: judges ask for it with every kit."""
    return tuple(session.all(STATES, campaign=name))


def _read(session: Session, row: Row) -> Campaign:
    campaign_id, name, title, declaration, protocols, seed, created, edition = row
    return Campaign(
        name=name,
        title=title,
        declaration=from_json(declaration),
        protocols=from_json(protocols),
        seed=seed,
        created=from_time(created),
        edition=edition,
        phases=tuple(
            PhaseRecord(
                task=task,
                phase=phase,
                state=state,
                reason=reason,
                wanted=wanted,
                stages=stages,
                advance=advance,
                apart=bool(apart),
                kits=count,
                items=int(size),
            )
            for task, phase, state, reason, wanted, stages, advance, apart, count, size in (
                session.all(PHASES, campaign_id=campaign_id)
            )
        ),
    )


def test_set(session: Session, name: str) -> TestSet:
    """What is judged."""
    found = _blob(session, TEST_SET, name)
    assert found is not None
    return found


def tutorial(session: Session, name: str) -> TestSet | None:
    """What is judged in the tutorials."""
    return _blob(session, TUTORIAL, name)


def _blob(session: Session, statement: Select[tuple[bytes]], name: str) -> TestSet | None:
    find(session, name)
    row = session.one(statement, campaign=name)
    return from_blob(row[0], TestSet) if row and row[0] is not None else None


def set_phase(
    session: Session,
    name: str,
    which: tuple[str, Phase],
    state: PhaseState,
    signed: Signed,
) -> None:
    """Start, stop or close a phase."""
    campaign_id = find(session, name)
    task, phase = which
    values = {"of": campaign_id, "in_task": task, "in_phase": phase, "state": state}
    if not session.run(SET_PHASE, **values, reason=signed.reason):
        raise NoSuchPhase(f"the campaign {quoted(name)} has no {phase} of a task {quoted(task)}")
    details = {"task": task, "phase": phase, "state": state, "reason": signed.reason}
    _log(session, campaign_id, "set phase", signed, details)


def log(session: Session, name: str, action: str, signed: Signed, details: object) -> None:
    """Note what was done."""
    _log(session, find(session, name), action, signed, details)


def _log(session: Session, campaign_id: int, action: str, signed: Signed, details: object) -> None:
    session.run(
        LOG,
        campaign_id=campaign_id,
        at=to_time(signed.now),
        author=signed.author,
        action=action,
        details=to_json(details),
    )


def audit_log(session: Session, name: str) -> tuple[AuditEntry, ...]:
    """What was done, in order."""
    return tuple(map(_entry, session.all(LOGGED, campaign_id=find(session, name))))


def logged(session: Session, name: str, action: str) -> list[AuditEntry]:
    """What was done of one kind, in order."""
    rows = session.all(LOGGED_AS, campaign_id=find(session, name), action=action)
    return list(map(_entry, rows))


def _entry(row: Row) -> AuditEntry:
    at, author, action, details = row
    return AuditEntry(at=from_time(at), author=author, action=action, details=from_json(details))
