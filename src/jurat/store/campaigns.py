"""Campaigns: created whole, read, redeclared, started and stopped, with a log of who did what."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Select, and_, bindparam, func, select, update

from jurat.errors import quoted
from jurat.model import Kit, Phase, TestSet
from jurat.store import campaign_drafts
from jurat.store.database import Conflict, Row, Session
from jurat.store.encoding import from_blob, from_json, from_time, to_blob, to_json, to_time
from jurat.store.errors import (
    CampaignChanged,
    CampaignExists,
    NoSuchCampaign,
    NoSuchPhase,
    StoreFault,
)
from jurat.store.media import insert_media
from jurat.store.records import (
    AuditEntry,
    Campaign,
    CampaignDraft,
    NewCampaign,
    NewPhase,
    PhaseRecord,
    PhaseState,
)
from jurat.store.schema import (
    ONE,
    UNLIMITED,
    audit,
    campaigns,
    columns,
    editions,
    insert_into,
    items,
    kits,
    phases,
)


class CampaignVersion(NamedTuple):
    """What tells whether a campaign in memory is still the one in the store."""

    created: datetime
    """Another one where the campaign was deleted and one of the same name was created."""
    edition: int
    """The number of the current declaration, from 1."""


ID = select(campaigns.c.id).where(campaigns.c.name == bindparam("campaign"))
NAMES = select(campaigns.c.name)
TEST_SET = select(campaigns.c.test_set).where(campaigns.c.name == bindparam("campaign"))
TUTORIAL = select(campaigns.c.tutorial).where(campaigns.c.name == bindparam("campaign"))
# The last edition of a campaign, or none: the first one is in the campaign's own row.
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
# By name at once, without a look-up of the campaign before: judges need it for every kit.
STATES = (
    select(phases.c.task, phases.c.phase, phases.c.state)
    .where(phases.c.campaign_id == campaigns.c.id, campaigns.c.name == bindparam("campaign"))
    .order_by(phases.c.id)
)
PHASES = (
    select(
        *columns(phases, *PhaseRecord.__struct_fields__[:-2]),
        func.count(kits.c.id),
        # The second count is 0 where the sum is NULL: in a phase without kits.
        func.coalesce(func.sum(kits.c.size), func.count(kits.c.id)),
    )
    .outerjoin(kits, kits.c.phase_id == phases.c.id)
    .where(phases.c.campaign_id == bindparam("campaign_id"))
    .group_by(phases.c.id)
    .order_by(phases.c.id)
)
# SQLAlchemy reserves the names of columns for SET: parameters of the condition need others.
SET_PHASE = (
    update(phases)
    .where(
        phases.c.campaign_id == bindparam("of"),
        phases.c.task == bindparam("in_task"),
        phases.c.phase == bindparam("in_phase"),
    )
    .values(state=bindparam("state"), reason=bindparam("reason"))
)
LATEST_EDITION = select(func.max(editions.c.number)).where(
    editions.c.campaign_id == bindparam("campaign_id")
)
CREATED = select(campaigns.c.created).where(campaigns.c.id == bindparam("campaign_id"))
ADD_EDITION = insert_into(editions)
LOG = insert_into(audit)
LOGGED = (
    select(audit.c.at, audit.c.author, audit.c.action, audit.c.details)
    .where(audit.c.campaign_id == bindparam("campaign_id"))
    .order_by(audit.c.id)
)
LOGGED_AS = LOGGED.where(audit.c.action == bindparam("action"))


def find(session: Session, campaign: str) -> int:
    """The row number of a campaign, by its name. Raises `NoSuchCampaign`, as all others do."""
    found = session.one(ID, campaign=campaign)
    if found is None:
        names = tuple(name for (name,) in session.all(NAMES))
        message = f"there is no campaign {quoted(campaign)}"
        raise NoSuchCampaign(message, value=campaign, allowed=names)
    number: int = found[0]
    return number


def create(
    session: Session,
    new: NewCampaign,
    *,
    author: str,
    now: datetime,
    draft: CampaignDraft | None = None,
) -> None:
    """Store a campaign with all its kits, or nothing of it; its phases are `ready`.

    The draft that it was made from is deleted. Raises `CampaignExists`, and
    `CampaignDraftChanged` if the draft was changed since it was read.
    """
    # In the same transaction: a campaign is never created twice from one draft.
    if draft is not None:
        campaign_drafts.finish(session, draft.id, draft.edition)
    if session.one(ID, campaign=new.name) is not None:
        raise CampaignExists(f"there is a campaign {quoted(new.name)} already")
    (campaign_id,) = session.reserve(campaigns, 1)
    try:
        session.insert(campaigns, [_campaign_row(campaign_id, new, now)])
    except Conflict as error:  # another process was quicker
        raise CampaignExists(f"there is a campaign {quoted(new.name)} already") from error
    try:
        _insert_kits(session, new, campaign_id)
        insert_media(session, new, campaign_id)
    except Conflict as error:
        raise StoreFault("two phases, kits of a phase, or media files are the same") from error
    details = {"kits": len(new.kits), "items": sum(len(kit.items) for kit in new.kits)}
    log(session, new.name, "create", author=author, now=now, details=details)


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


def _insert_kits(session: Session, new: NewCampaign, campaign_id: int) -> None:
    """Store the phases of a new campaign, their kits and the kits' items."""
    phase_ids = session.reserve(phases, len(new.phases))
    by_name = {
        (phase.task, phase.phase): (phase_id, phase.wanted)
        for phase_id, phase in zip(phase_ids, new.phases, strict=True)
    }
    for kit in new.kits:
        if (kit.task, kit.phase) not in by_name:
            raise NoSuchPhase(f"kit {kit.number} belongs to no phase: {kit.task}, {kit.phase}")
        if not kit.items:
            raise StoreFault(f"kit {kit.number} of {kit.task}, {kit.phase}, is empty")
    # Ids are reserved, not returned by inserts: a campaign of 100,000 items takes seconds so.
    kit_ids = session.reserve(kits, len(new.kits))
    numbered = list(zip(kit_ids, new.kits, strict=True))
    session.insert(
        phases,
        (
            (phase_id, campaign_id, *_phase_row(phase))
            for phase_id, phase in zip(phase_ids, new.phases, strict=True)
        ),
    )
    session.insert(
        kits,
        (
            (kit_id, campaign_id, *_kit_row(kit, *by_name[kit.task, kit.phase]))
            for kit_id, kit in numbered
        ),
    )
    session.insert(
        items,
        (
            (kit_id, index, to_json(item))
            for kit_id, kit in numbered
            for index, item in enumerate(kit.items)
        ),
    )


def _phase_row(new: NewPhase) -> Row:
    return (new.task, new.phase, "ready", "", new.wanted, new.stages, new.advance, new.apart)


def _kit_row(kit: Kit, phase_id: int, wanted: int | None) -> Row:
    return (
        phase_id,
        kit.number,
        kit.block,
        kit.group,
        to_json(sorted(kit.systems)),  # so that the choice of kits need not read all items
        len(kit.items),
        wanted,
        UNLIMITED if wanted is None else wanted,
    )


def every(session: Session) -> tuple[Campaign, ...]:
    """All campaigns, the oldest first."""
    return tuple(_read(session, row) for row in session.all(EVERY))


def one(session: Session, campaign: str) -> Campaign:
    """A campaign as it is now, without its test set and kits."""
    find(session, campaign)
    row = session.one(BY_NAME, campaign=campaign)
    assert row is not None
    return _read(session, row)


def states(session: Session, campaign: str) -> tuple[tuple[str, Phase, PhaseState], ...]:
    """Task, phase and state of every phase, in order; one statement, for every judge's kit."""
    return tuple(
        (task, phase, state) for task, phase, state in session.all(STATES, campaign=campaign)
    )


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
        phases=tuple(map(_phase, session.all(PHASES, campaign_id=campaign_id))),
    )


def _phase(row: Row) -> PhaseRecord:
    fields = dict(zip(PhaseRecord.__struct_fields__, row, strict=True))
    # SQLite has no Booleans, and PostgreSQL's sums are decimals.
    return PhaseRecord(**{**fields, "apart": bool(fields["apart"]), "items": int(fields["items"])})


def version(session: Session, campaign: str) -> CampaignVersion:
    """Which campaign has this name, and its current declaration; cheap, to see what has changed."""
    number = find(session, campaign)
    row, latest = (session.one(one, campaign_id=number) for one in (CREATED, LATEST_EDITION))
    assert row is not None
    # The first declaration is in the campaign's own row.
    edition = latest[0] if latest and latest[0] is not None else 1
    return CampaignVersion(from_time(row[0]), edition)


def redeclare(
    session: Session,
    campaign: str,
    declaration: object,
    *,
    title: str,
    after: int,
    author: str,
    now: datetime,
    details: object,
) -> int:
    """Add a new edition of a campaign's declaration and title, and give its number.

    Earlier editions stay. `details` tell the audit log what has changed. Raises `CampaignChanged`
    unless `after` is the current edition.
    """
    try:
        if version(session, campaign).edition != after:
            raise Conflict
        session.run(
            ADD_EDITION,
            campaign_id=find(session, campaign),
            number=after + 1,
            title=title,
            declaration=to_json(declaration),
        )
    except Conflict as error:  # perhaps another process was quicker after we looked
        message = f"somebody else has changed the campaign {quoted(campaign)} in the meantime"
        raise CampaignChanged(f"{message}; look at it again") from error
    log(session, campaign, "change parameters", author=author, now=now, details=details)
    return after + 1


def test_set(session: Session, campaign: str) -> TestSet:
    """The test set that is judged."""
    found = _blob(session, TEST_SET, campaign)
    assert found is not None
    return found


def tutorial(session: Session, campaign: str) -> TestSet | None:
    """The test set of the tutorials, if there are any."""
    return _blob(session, TUTORIAL, campaign)


def _blob(session: Session, statement: Select[tuple[bytes]], campaign: str) -> TestSet | None:
    find(session, campaign)
    row = session.one(statement, campaign=campaign)
    return from_blob(row[0], TestSet) if row and row[0] is not None else None


def set_phase(
    session: Session,
    campaign: str,
    task: str,
    phase: Phase,
    state: PhaseState,
    *,
    author: str,
    now: datetime,
    reason: str = "",
) -> None:
    """Start, stop or close a phase of a task. Raises `NoSuchPhase`."""
    values = {"of": find(session, campaign), "in_task": task, "in_phase": phase}
    if not session.run(SET_PHASE, **values, state=state, reason=reason):
        message = f"the campaign {quoted(campaign)} has no {phase} of a task {quoted(task)}"
        raise NoSuchPhase(message)
    details = {"task": task, "phase": phase, "state": state, "reason": reason}
    log(session, campaign, "set phase", author=author, now=now, details=details)


def log(
    session: Session,
    campaign: str,
    action: str,
    *,
    author: str,
    now: datetime,
    details: object = None,
) -> None:
    """Add an entry to the audit log; the store's own operations do so themselves."""
    session.run(
        LOG,
        campaign_id=find(session, campaign),
        at=to_time(now),
        author=author,
        action=action,
        details=to_json(details),
    )


def audit_log(session: Session, campaign: str) -> tuple[AuditEntry, ...]:
    """The whole audit log, in order."""
    return tuple(map(audit_entry, session.all(LOGGED, campaign_id=find(session, campaign))))


def logged(session: Session, campaign: str, action: str) -> list[AuditEntry]:
    """The audit log's entries of one kind of action, in order."""
    rows = session.all(LOGGED_AS, campaign_id=find(session, campaign), action=action)
    return list(map(audit_entry, rows))


def audit_entry(row: Row) -> AuditEntry:
    """An entry of a log from time, author, action and details."""
    at, author, action, details = row
    return AuditEntry(at=from_time(at), author=author, action=action, details=from_json(details))
