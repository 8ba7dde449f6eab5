"""Assignments of kits to judges: one that they left, or a new one; none to more than are wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple, Self

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    bindparam,
    exists,
    insert,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.sql.expression import true

from jurat.model import KitSteps, Phase
from jurat.store.account_records import Account
from jurat.store.campaigns import find
from jurat.store.database import Query, Row, Session
from jurat.store.encoding import from_json, new_key, to_microseconds, to_time
from jurat.store.errors import NoSuchJudge
from jurat.store.records import AssignmentState, ChosenKit, Had, Offer, OpenKit
from jurat.store.schema import (
    HAS_PLACES,
    IS_OPEN,
    LEFT,
    ONE,
    UNLIMITED,
    ZERO,
    assignments,
    campaigns,
    columns,
    judges,
    kits,
    phases,
    update_assignment,
)

# How many kits with an expired lease one request returns to the pool, so that none takes long.
MOST_RETURNED = 100
# Kits that others have and that are looked at: one that the judge could be given is enough.
MOST_HELD = 200
# How many times more kits are offered if the judge can have none of the first ones.
WIDER = 20

_STARTED = phases.c.state == literal_column("'started'")
_MORE = assignments.c.changes + ONE


class Assignment(NamedTuple):
    """A kit that was given to a judge, as it is in this transaction."""

    id: int
    key: str
    """Opaque; the assignment's id in browsers."""
    kit_id: int
    judge_id: int
    campaign_id: int
    task: str
    phase: Phase
    kit: int
    """The kit's number."""
    steps: KitSteps
    state: str
    author: str
    reason: str
    position: int
    """Of the next decision."""
    shown_at: int | None
    lease_until: int | None
    phase_state: str
    phase_reason: str
    account: Account
    """The judge's."""


class Lease(NamedTuple):
    """How long a judge keeps a kit unseen: from now on until then, in microseconds since 1970."""

    now: int
    until: int

    @classmethod
    def at(cls, now: datetime, duration: timedelta) -> Self:
        """A lease of this length that begins now."""
        start = to_time(now)
        return cls(start, start + to_microseconds(duration))


# Picks one of the open kits of an offer; None for none of them. Without side effects: a transaction
# may be repeated.
Choose = Callable[[Offer], ChosenKit | None]


class KitRequest(NamedTuple):
    """A judge who needs a kit, by row numbers, and how it is chosen."""

    judge_id: int
    campaign_id: int
    group: str
    lease: Lease
    choose: Choose
    most: int
    """Open kits of each phase that are offered to `choose` at first."""


# One transaction at a time gives kits of a campaign, or two would choose from the same places; on
# SQLite only one writes in any case. `key_share` lets others add rows that refer to the campaign.
LOCK = (
    select(campaigns.c.id)
    .where(campaigns.c.id == bindparam("campaign_id"))
    .with_for_update(key_share=True)
)
EXPIRED = (
    select(assignments.c.id, assignments.c.kit_id)
    .where(
        IS_OPEN,
        assignments.c.campaign_id == bindparam("campaign_id"),
        assignments.c.lease_until < bindparam("now"),
    )
    .order_by(assignments.c.lease_until)
    .limit(bindparam("most", type_=Integer))
    .offset(ZERO)
    # Locked rows are skipped: their judges are at work in this moment.
    .with_for_update(skip_locked=True)
)
END = update_assignment(
    state=bindparam("state"),
    author=bindparam("by"),
    reason=bindparam("why"),
    finished=bindparam("now"),
    changes=_MORE,
)
LEFT_BY_JUDGE = (
    select(assignments.c.id, assignments.c.kit_id)
    .join(kits, kits.c.id == assignments.c.kit_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .where(assignments.c.judge_id == bindparam("judge_id"), LEFT, HAS_PLACES, _STARTED)
    .order_by(assignments.c.id)
    .limit(ONE)
    .offset(ZERO)
    .with_for_update(of=assignments, skip_locked=True)
)
REOPEN = update_assignment(
    state=literal_column("'open'"),
    reason=literal_column("''"),
    finished=literal_column("NULL"),
    shown_at=literal_column("NULL"),
    lease_until=bindparam("until"),
    changes=_MORE,
)
# By id, which is the order of the tasks.
OPEN_PHASES = (
    select(phases.c.id, phases.c.task, phases.c.phase, phases.c.apart, _STARTED.label("started"))
    .where(
        phases.c.campaign_id == bindparam("campaign_id"),
        phases.c.state != literal_column("'closed'"),
    )
    .order_by(phases.c.id)
)
# With `apart`, one kit of a block is enough to keep a judge from the others of the block.
_HAS_HAD = exists().where(
    assignments.c.judge_id == bindparam("judge_id"),
    assignments.c.phase_id == kits.c.phase_id,
    assignments.c.block == kits.c.block,
    or_(bindparam("apart") == true(), assignments.c.kit_id == kits.c.id),
)
_OF_OTHERS = exists().where(
    assignments.c.kit_id == kits.c.id,
    IS_OPEN,
    assignments.c.judge_id != bindparam("judge_id"),
)


def _kits(*conditions: ColumnElement[bool]) -> Select[Any]:
    """The first kits of a phase under some conditions that are for the judge's group and new."""
    return (
        select(*columns(kits, "id", "number", "block", "group", "wanted", "systems", "places"))
        .where(
            kits.c.phase_id == bindparam("phase_id"),
            *conditions,
            or_(kits.c.group == literal_column("''"), kits.c.group == bindparam("group")),
            ~_HAS_HAD,
        )
        .order_by(kits.c.number)
        .limit(bindparam("most", type_=Integer))
        .offset(ZERO)
    )


OPEN_KITS = _kits(HAS_PLACES)
# For those who only look: kits whose lease is over are returned when somebody asks for one.
_OVER = _OF_OTHERS.where(assignments.c.lease_until < bindparam("now"))
FREE_KITS = _kits(or_(HAS_PLACES, _OVER))
HELD_KITS = _kits(~HAS_PLACES, _OF_OTHERS)
HAD = (
    select(phases.c.task, phases.c.phase, kits.c.number, assignments.c.block, assignments.c.state)
    .join(kits, kits.c.id == assignments.c.kit_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .where(assignments.c.judge_id == bindparam("judge_id"))
    .order_by(assignments.c.id)
)
# Takes a place only if there is one: the number of rows tells whether it did.
CLAIM = (
    update(kits)
    .where(kits.c.id == bindparam("kit_id"), HAS_PLACES)
    .values(places=kits.c.places - ONE)
)
FREE = update(kits).where(kits.c.id == bindparam("kit_id")).values(places=kits.c.places + ONE)
# Phase and block are copied from the kit; see the schema.
ASSIGN = (
    insert(assignments)
    .values(
        campaign_id=bindparam("campaign_id"),
        key=bindparam("key"),
        judge_id=bindparam("judge_id"),
        kit_id=bindparam("kit_id"),
        phase_id=select(kits.c.phase_id).where(kits.c.id == bindparam("kit_id")).scalar_subquery(),
        block=select(kits.c.block).where(kits.c.id == bindparam("kit_id")).scalar_subquery(),
        state=literal_column("'open'"),
        probability=bindparam("probability"),
        position=ONE,
        shown_at=bindparam("shown_at"),
        lease_until=bindparam("until"),
        created=bindparam("now"),
        timed=ZERO,
        timed_seconds=ZERO,
        author=literal_column("''"),
        reason=literal_column("''"),
        changes=ONE,
    )
    .inline()
)

JUDGE = select(judges.c.id, judges.c.group).where(
    judges.c.campaign_id == bindparam("campaign_id"), judges.c.key == bindparam("judge")
)
# The first kit that the judge left and can be given again.
RESUMABLE = (
    select(phases.c.task, phases.c.phase)
    .select_from(assignments)
    .join(kits, kits.c.id == assignments.c.kit_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .where(
        assignments.c.judge_id == bindparam("judge_id"),
        _STARTED,
        LEFT,
        HAS_PLACES,
    )
    .order_by(assignments.c.id)
    .limit(ONE)
    .offset(ZERO)
)


class KitRecords(NamedTuple):
    """Rows from which a judge's next kit follows, as they are under the campaign's lock."""

    current: list[Row]
    """Of the caller's own SELECT."""
    expired: list[Row]
    left: list[Row]
    phases: list[Row]
    had: list[Row]


def lock(session: Session, request: KitRequest, current: Query) -> KitRecords:
    """Wait until no other transaction gives kits of the campaign, and read what `assign` needs.

    Others are kept from giving kits until the transaction ends.
    """
    session.exclude_all()
    campaign, judge = {"campaign_id": request.campaign_id}, {"judge_id": request.judge_id}
    # Together: others wait for each round trip that is made under the lock.
    _, *found = session.several(
        (LOCK, campaign),
        current,
        (EXPIRED, {**campaign, "now": request.lease.now, "most": MOST_RETURNED}),
        (LEFT_BY_JUDGE, judge),
        (OPEN_PHASES, campaign),
        (HAD, judge),
    )
    return KitRecords(*found)


def assign(session: Session, request: KitRequest, records: KitRecords) -> bool:
    """Give a judge who has no open kit one to do; false if there is none. Call `lock` first."""
    left = records.left
    if records.expired:
        _return_expired(session, request, records.expired)
        # a kit that the judge left may have a place again
        left = session.all(LEFT_BY_JUDGE, judge_id=request.judge_id)
    if left and reopen(session, request.lease, *left[0]):
        return True
    return _assign_new(session, request, records)


def reopen(session: Session, lease: Lease, assignment_id: int, kit_id: int) -> bool:
    """Let a judge go on with a kit whose lease ran out; false if others have its last place."""
    if not session.run(CLAIM, kit_id=kit_id):
        return False
    session.send(REOPEN, assignment_id=assignment_id, until=lease.until)
    return True


def _return_expired(session: Session, request: KitRequest, expired: list[Row]) -> None:
    for assignment_id, kit_id in expired:
        end_assignment(session, assignment_id, now=request.lease.now, why="the lease was over")
        free(session, kit_id)


def end_assignment(
    session: Session,
    assignment_id: int,
    *,
    now: int,
    by: str = "",
    why: str,
    state: AssignmentState = "returned",
) -> None:
    """Take a kit from its judge; `free` then offers its place to others."""
    session.run(END, assignment_id=assignment_id, state=state, by=by, why=why, now=now)


def free(session: Session, kit_id: int) -> None:
    """Let one more judge have a kit."""
    session.run(FREE, kit_id=kit_id)


def _assign_new(session: Session, request: KitRequest, records: KitRecords) -> bool:
    had = _had(records.had)
    phases = _Phases(session, records.phases, request.judge_id, request.group)
    most = request.most
    while True:
        kits, cut = phases.kits(OPEN_KITS, most)
        offer = Offer(kits, had, phases.held, cut)
        if choice := _claimed(session, request.choose, offer, kits):
            session.send(
                ASSIGN,
                campaign_id=request.campaign_id,
                key=new_key(),
                judge_id=request.judge_id,
                kit_id=choice.kit.id,
                probability=choice.probability,
                # the judge waits for its first step
                shown_at=request.lease.now,
                until=request.lease.until,
                now=request.lease.now,
            )
            return True
        if not cut:
            return False
        most *= WIDER


def _claimed(
    session: Session, choose: Choose, offer: Offer, kits: list[OpenKit]
) -> ChosenKit | None:
    """The kit of the offer that is chosen, one place taken; None if none of them is wanted."""
    while kits and (choice := choose(offer)):
        if not 0 < choice.probability <= 1:
            # It is exported, and an analysis may weight judgments by its inverse.
            raise ValueError(f"a kit cannot be chosen with the probability {choice.probability}")
        if session.run(CLAIM, kit_id=choice.kit.id):
            return choice
        # The last place went to a judge who came back to the kit: `reopen` needs no lock.
        kits.remove(choice.kit)
    return None


def _had(rows: list[Row]) -> list[Had]:
    """Every kit that a judge has or had, the oldest first, from the rows of `HAD`."""
    return [
        Had(task=task, phase=phase, number=number, block=block, state=state)
        for task, phase, number, block, state in rows
    ]


class _Phases:
    """The phases of a campaign that are not closed, with the kits that one judge could be given."""

    def __init__(self, session: Session, rows: list[Row], judge_id: int, group: str) -> None:
        """`rows` are those of `OPEN_PHASES`."""
        self._session = session
        self._judge = {"judge_id": judge_id, "group": group}
        self._known: dict[tuple[str, Phase], dict[str, object]] = {
            (task, phase): {"phase_id": phase_id, "apart": bool(apart)}
            for phase_id, task, phase, apart, _ in rows
        }
        self.started: list[tuple[str, Phase]] = [
            (task, phase) for _, task, phase, _, started in rows if started
        ]

    def kits(
        self, statement: Select[Any], most: int, **more: object
    ) -> tuple[list[OpenKit], frozenset[tuple[str, Phase]]]:
        """The first `most` kits of each started phase, and the phases that have more."""
        found = {place: self._of(place, statement, most, **more) for place in self.started}
        cut = frozenset(place for place, kits in found.items() if len(kits) == most)
        return [kit for kits in found.values() for kit in kits], cut

    def all_held(self) -> dict[tuple[str, Phase], list[OpenKit]]:
        """The kits of `held`, by phase."""
        return {place: self.held(*place) for place in self._known}

    def held(self, task: str, phase: Phase) -> list[OpenKit]:
        """The first kits of a phase that the judge could be given later.

        Others have them, or nobody has while the phase is not started.
        """
        place = (task, phase)
        if place not in self._known:
            return []
        kits = self._of(place, HELD_KITS, MOST_HELD)
        return kits if place in self.started else kits + self._of(place, OPEN_KITS, MOST_HELD)

    def _of(
        self, place: tuple[str, Phase], statement: Select[Any], most: int, **more: object
    ) -> list[OpenKit]:
        values = {**self._known[place], **self._judge, **more, "most": most}
        return [_open_kit(*place, row) for row in self._session.all(statement, **values)]


# The same kits are offered to many judges, one after the other.
@lru_cache(4096)
def _open_kit(task: str, phase: Phase, row: Row) -> OpenKit:
    *own, systems, places = row
    fields = dict(zip(("id", "number", "block", "group", "wanted"), own, strict=True))
    taken = (UNLIMITED if fields["wanted"] is None else fields["wanted"]) - places
    return OpenKit(**fields, task=task, phase=phase, systems=tuple(from_json(systems)), taken=taken)


def offers(
    session: Session, campaign: str, judges: Collection[str], *, now: datetime, most: int
) -> dict[str, Offer]:
    """What each of these judges could be given now, up to `most` kits of each phase; by judge.

    Judges of a group who never had a kit have the same offer, as one object.
    """
    campaign_id = find(session, campaign)
    new: dict[str, Offer] = {}
    found: dict[str, Offer] = {}
    for judge in judges:
        row = session.one(JUDGE, campaign_id=campaign_id, judge=judge)
        if row is None:
            raise NoSuchJudge("the campaign has no such judge")
        judge_id, group = row
        had = _had(session.all(HAD, judge_id=judge_id))
        known = None if had else new.get(group)
        found[judge] = known or _offer(
            session, campaign_id, (judge_id, group), had=had, now=now, most=most
        )
        if not had:
            new[group] = found[judge]
    return found


def _offer(
    session: Session,
    campaign_id: int,
    judge: tuple[int, str],
    *,
    had: list[Had],
    now: datetime,
    most: int,
) -> Offer:
    judge_id, group = judge
    phases = _Phases(session, session.all(OPEN_PHASES, campaign_id=campaign_id), judge_id, group)
    kits, cut = phases.kits(FREE_KITS, most, now=to_time(now))
    # read now: the snapshot has ended when somebody asks
    held = phases.all_held()
    return Offer(
        kits,
        had,
        lambda task, phase: held.get((task, phase), []),
        cut,
        _resumes(session, judge_id, had, phases.started),
    )


def _resumes(
    session: Session, judge_id: int, had: list[Had], started: list[tuple[str, Phase]]
) -> tuple[str, Phase] | None:
    """The part of the kit that the judge has begun or left; asks only where they left one."""
    places = [(one.task, one.phase) for one in had if one.state == "open"]
    if found := next((place for place in places if place in started), None):
        return found
    if not any(one.state == "returned" for one in had):
        return None
    row = session.one(RESUMABLE, judge_id=judge_id)
    return (row[0], row[1]) if row else None
