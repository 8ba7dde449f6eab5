"""What coordinators and adjudicators do about judgments: nothing is deleted, only marked."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import and_, bindparam, insert, literal_column, or_, select, update

from jurat.errors import quoted
from jurat.model import Phase
from jurat.store import accounts
from jurat.store.assignments import ASSIGN, free
from jurat.store.assignments import give_back as give_kit_back
from jurat.store.campaigns import Signed, find, log
from jurat.store.database import Session
from jurat.store.encoding import new_key, to_json, to_time
from jurat.store.errors import NoSuchItem, StoreFault
from jurat.store.records import Answers
from jurat.store.schema import adjudications, assignments, items, judges, kits, phases


class Which(NamedTuple):
    """Which of a judge's kits are meant."""

    campaign: str
    judge: str
    task: str | None
    phase: Phase | None
    finished: bool


class _Kit(NamedTuple):
    """A kit that a judge has, has done or has left."""

    assignment_id: int
    kit_id: int
    state: str
    position: int
    probability: float
    judge_id: int
    campaign_id: int
    task: str
    phase: str

    @property
    def began(self) -> bool:
        """Whether it is his, and something in it is decided."""
        return self.state != "returned" and self.position > 1


KITS = (
    select(
        assignments.c.id,
        assignments.c.kit_id,
        assignments.c.state,
        assignments.c.position,
        assignments.c.probability,
        assignments.c.judge_id,
        assignments.c.campaign_id,
        phases.c.task,
        phases.c.phase,
    )
    .join(phases, phases.c.id == assignments.c.phase_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .where(
        judges.c.campaign_id == bindparam("campaign_id"),
        judges.c.key == bindparam("judge"),
        or_(
            assignments.c.state.in_([literal_column("'open'"), literal_column("'done'")]),
            # Given back by his absence only: he could still go on with it.
            and_(
                assignments.c.state == literal_column("'returned'"),
                assignments.c.author == literal_column("''"),
            ),
        ),
    )
    .order_by(assignments.c.id)
    .with_for_update(of=assignments)
)
REDO = (
    update(assignments)
    .where(assignments.c.id == bindparam("assignment_id"))
    .values(
        state=literal_column("'redo'"),
        author=bindparam("by"),
        reason=bindparam("why"),
        finished=bindparam("now"),
        changes=assignments.c.changes + literal_column("1"),
    )
)
ITEM = (
    select(items.c.kit_id)
    .join(kits, kits.c.id == items.c.kit_id)
    .join(phases, phases.c.id == kits.c.phase_id)
    .where(
        phases.c.campaign_id == bindparam("campaign_id"),
        phases.c.task == bindparam("task"),
        phases.c.phase == bindparam("phase"),
        kits.c.number == bindparam("kit"),
        items.c.index == bindparam("index"),
    )
)
ADJUDICATE = (
    insert(adjudications)
    .values({c.name: bindparam(c.name) for c in adjudications.c if c.name != "id"})
    .inline()
)


def give_back(session: Session, which: Which, signed: Signed) -> int:
    """Take a judge's kits from him for good, and let others do them."""
    chosen = _chosen(session, which, signed)
    for kit in sorted(chosen, key=lambda kit: kit.kit_id):
        give_kit_back(
            session,
            kit.assignment_id,
            now=to_time(signed.now),
            by=signed.author,
            why=signed.reason,
        )
        if kit.state != "returned":
            free(session, kit.kit_id)
    _log(session, which, "give back", signed, len(chosen))
    return len(chosen)


def redo(session: Session, which: Which, signed: Signed) -> int:
    """Put a new assignment in the place of each kit that a judge has begun or done."""
    chosen = [kit for kit in _chosen(session, which, signed) if kit.began]
    for kit in chosen:
        session.run(
            REDO,
            assignment_id=kit.assignment_id,
            by=signed.author,
            why=signed.reason,
            now=to_time(signed.now),
        )
        # Without a lease until he sees it: it is his, whenever he comes.
        session.run(
            ASSIGN,
            campaign_id=kit.campaign_id,
            key=new_key(),
            judge_id=kit.judge_id,
            kit_id=kit.kit_id,
            probability=kit.probability,
            until=None,
            now=to_time(signed.now),
        )
    _log(session, which, "redo", signed, len(chosen))
    return len(chosen)


def _chosen(session: Session, which: Which, signed: Signed) -> list[_Kit]:
    if not signed.author:
        raise StoreFault("somebody has to answer for it: who gives back kits?")
    campaign_id = find(session, which.campaign)
    accounts.by_id(session, which.campaign, which.judge)
    rows = session.all(KITS, campaign_id=campaign_id, judge=which.judge)
    return [
        kit
        for kit in (_Kit(*row) for row in rows)
        if which.task in (None, kit.task)
        and which.phase in (None, kit.phase)
        and (which.finished or kit.state != "done")
    ]


def _log(session: Session, which: Which, action: str, signed: Signed, count: int) -> None:
    judge = accounts.by_id(session, which.campaign, which.judge)
    details = {"pin": judge.pin, "task": which.task, "phase": which.phase, "kits": count}
    log(session, which.campaign, action, signed, details | {"reason": signed.reason})


def adjudicate(
    session: Session,
    campaign: str,
    place: tuple[str, Phase, int, int],
    answers: Answers,
    signed: Signed,
) -> int:
    """Settle an item: task, phase, the kit's number and the item's index in it."""
    campaign_id = find(session, campaign)
    task, phase, kit, index = place
    found = session.one(ITEM, campaign_id=campaign_id, task=task, phase=phase, kit=kit, index=index)
    if found is None:
        where = f"item {index} of kit {kit} of {task}, {phase}"
        raise NoSuchItem(f"the campaign {quoted(campaign)} has no {where}")
    return session.add(
        ADJUDICATE,
        campaign_id=campaign_id,
        kit_id=found[0],
        index=index,
        answers=to_json(answers),
        author=signed.author,
        reason=signed.reason,
        decided_at=to_time(signed.now),
    )
