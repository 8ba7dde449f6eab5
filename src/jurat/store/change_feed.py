"""The change feed: what happened to a campaign's judgments since the last time, as bare rows.

For whoever keeps tables of all judgments up to date. An assignment's `changes` is one higher after
whatever happens in it, and its decisions are numbered in the order in which they were made: what is
new is found exactly, whatever transactions are under way at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, bindparam, func, select
from sqlalchemy.ext.compiler import compiles

from jurat.model import Advance, Phase
from jurat.store.campaigns import CREATED, find
from jurat.store.database import Session
from jurat.store.decisions import EVERY, stored_decision
from jurat.store.records import StoredDecision
from jurat.store.schema import (
    ZERO,
    adjudications,
    assignments,
    audit,
    columns,
    decisions,
    judges,
    kits,
    phases,
)

# States of an assignment whose decisions do not count.
EXCLUDED = ("returned", "redo")


class RawJudge(NamedTuple):
    """An account, by its row number."""

    id: int
    pin: str
    group: str
    site: str


class RawAssignment(NamedTuple):
    """A kit that was given to a judge, and what has become of it; ids are row numbers."""

    id: int
    judge_id: int
    kit_id: int
    task: str
    phase: Phase
    kit: int
    """The kit's number."""
    probability: float
    state: str
    reason: str
    size: int
    stages: int
    advance: Advance


class RawDecision(NamedTuple):
    """A decision; times are microseconds since 1970, answers are JSON."""

    number: int
    assignment_id: int
    position: int
    revision: int
    answers: str
    shown_at: int | None
    decided_at: int
    seconds: float | None
    active_seconds: float | None
    played_seconds: float | None
    language: str
    reason: str
    flag: str
    comment: str
    skipped: bool


class Checkpoint(NamedTuple):
    """How much of an assignment has been read: its `changes`, and its last decision's number."""

    changes: int = 0
    number: int = 0


class FeedLimit(NamedTuple):
    """Where the feed ends at a moment: nothing up to `last` will appear once it is certain."""

    last: int
    """The highest number of a decision that was visible."""
    transaction: int
    """Those who could still store a lower number have a transaction below this one."""


class Changes(NamedTuple):
    """What is new."""

    versions: Mapping[int, int]
    """The `changes` of every assignment that is new or has changed, by its row number."""
    judges: Sequence[RawJudge]
    """All of them."""
    assignments: Sequence[RawAssignment]
    """Those that are new or have changed, as they are now."""
    decisions: Iterator[RawDecision]
    """New ones, read little by little, in the order of storing."""


JUDGES = (
    select(*columns(judges, *RawJudge._fields))
    .where(judges.c.campaign_id == bindparam("campaign_id"))
    .order_by(judges.c.id)
)
VERSIONS = select(assignments.c.id, assignments.c.changes).where(
    assignments.c.campaign_id == bindparam("campaign_id")
)
_ASSIGNMENTS = (
    select(
        *columns(assignments, "id", "judge_id", "kit_id"),
        *columns(phases, "task", "phase"),
        kits.c.number,
        *columns(assignments, "probability", "state", "reason"),
        kits.c.size,
        *columns(phases, "stages", "advance"),
    )
    .select_from(assignments)
    .join(kits, kits.c.id == assignments.c.kit_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
)
ALL_ASSIGNMENTS = _ASSIGNMENTS.where(assignments.c.campaign_id == bindparam("campaign_id"))
ONE_ASSIGNMENT = _ASSIGNMENTS.where(assignments.c.id == bindparam("assignment_id"))
_DECISIONS = select(decisions.c.id, *columns(decisions, *RawDecision._fields[1:])).order_by(
    decisions.c.id
)
ALL_DECISIONS = _DECISIONS.where(decisions.c.campaign_id == bindparam("campaign_id"))
NEW_DECISIONS = _DECISIONS.where(
    decisions.c.assignment_id == bindparam("assignment_id"), decisions.c.id > bindparam("after")
)


class _NewTransaction(ColumnElement[int]):
    """A number for this transaction, above those of all that have begun to write."""

    type = BigInteger()
    inherit_cache = True


class _OldestTransaction(ColumnElement[int]):
    """The lowest number of those transactions that had not ended when the snapshot was taken."""

    type = BigInteger()
    inherit_cache = True


# SQLite has one writer, so that numbers are given in the order of commits.
@compiles(_NewTransaction)
def _none(*_: Any, **__: Any) -> str:
    return "0"


@compiles(_OldestTransaction)
def _first(*_: Any, **__: Any) -> str:
    return "1"


@compiles(_NewTransaction, "postgresql")
def _new(*_: Any, **__: Any) -> str:
    return "pg_current_xact_id()::text::bigint"


@compiles(_OldestTransaction, "postgresql")
def _oldest(*_: Any, **__: Any) -> str:
    return "pg_snapshot_xmin(pg_current_snapshot())::text::bigint"


LAST = select(func.coalesce(func.max(decisions.c.id), ZERO)).where(
    decisions.c.campaign_id == bindparam("campaign_id")
)
NEW_TRANSACTION = select(_NewTransaction())
OLDEST_TRANSACTION = select(_OldestTransaction())
UP_TO = EVERY.where(decisions.c.id <= bindparam("last")).limit(bindparam("most")).offset(ZERO)
# Counts that only grow.
CHANGE_COUNT = select(func.coalesce(func.sum(assignments.c.changes), ZERO)).where(
    assignments.c.campaign_id == bindparam("campaign_id")
)
ADJUDICATION_COUNT = select(func.count(adjudications.c.id)).where(
    adjudications.c.campaign_id == bindparam("campaign_id")
)
LOG_COUNT = select(func.count(audit.c.id)).where(audit.c.campaign_id == bindparam("campaign_id"))


def changes(
    session: Session,
    campaign: str,
    known: Mapping[int, Checkpoint],
    take: Callable[[Changes], None],
) -> None:
    """Call `take` with what is new since `known`, the checkpoints of assignments by row number.

    Everything comes from one snapshot, which ends when `take` returns.
    """
    campaign_id = find(session, campaign)
    people = [RawJudge(*row) for row in session.all(JUDGES, campaign_id=campaign_id)]
    versions: dict[int, int] = dict(session.all(VERSIONS, campaign_id=campaign_id))
    if not known:
        rows = session.all(ALL_ASSIGNMENTS, campaign_id=campaign_id)
        everything = session.stream(ALL_DECISIONS, campaign_id=campaign_id)
        made = map(RawDecision._make, everything)
        return take(Changes(versions, people, [RawAssignment(*row) for row in rows], made))
    none = Checkpoint()
    touched = {n: new for n, new in versions.items() if known.get(n, none).changes != new}
    # A statement for each: since the last time few have changed, of perhaps many thousands.
    rows = [row for one in touched for row in session.all(ONE_ASSIGNMENT, assignment_id=one)]
    new = [
        RawDecision(*row)
        for one in touched
        for row in session.all(NEW_DECISIONS, assignment_id=one, after=known.get(one, none).number)
    ]
    # In the order of storing, as if all had been read at once.
    return take(Changes(touched, people, [RawAssignment(*row) for row in rows], iter(sorted(new))))


def stamp(session: Session, campaign: str) -> str:
    """A word that is another one after any change to the campaign's judgments: for caches."""
    # When it was created: another campaign of the same name may have the same counts.
    # Not the last decision's number: with PostgreSQL a lower one may still be on its way.
    campaign_id = find(session, campaign)
    counts = (
        session.one(statement, campaign_id=campaign_id)
        for statement in (CREATED, CHANGE_COUNT, ADJUDICATION_COUNT, LOG_COUNT)
    )
    return "-".join(str(count[0]) for count in counts if count)


def feed_limit(session: Session, campaign: str) -> FeedLimit:
    """How far a reader may go who wants all decisions in the order of their numbers."""
    campaign_id = find(session, campaign)
    (last,), *_ = session.all(LAST, campaign_id=campaign_id)
    # After the snapshot: a decision locks its assignment before it gets a number, so whoever has
    # a number up to the last one has a transaction below this.
    (transaction,), *_ = session.all(NEW_TRANSACTION)
    return FeedLimit(last, transaction)


def certain_decisions(
    session: Session, campaign: str, *, after: int, limit: FeedLimit, most: int
) -> list[StoredDecision] | None:
    """The first `most` decisions after the one of that number, in the order of their numbers.

    Whoever goes on after the last of them misses none, whatever is stored at the same time. None
    while transactions are under way in which a decision up to the limit may still appear.
    """
    campaign_id = find(session, campaign)
    (oldest,), *_ = session.all(OLDEST_TRANSACTION)
    if oldest <= limit.transaction:
        return None
    rows = session.all(UP_TO, campaign_id=campaign_id, after=after, last=limit.last, most=most)
    return [stored_decision(session, row) for row in rows]
