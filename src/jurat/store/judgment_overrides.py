"""Overrides of judgments by coordinators and adjudicators: nothing is deleted, only marked."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, or_, select

from jurat.errors import quoted
from jurat.model import Item, Phase
from jurat.store import accounts
from jurat.store.assignments import ASSIGN, end_assignment, free
from jurat.store.campaigns import find, log
from jurat.store.database import Session
from jurat.store.encoding import from_json, from_time, new_key, to_json, to_time
from jurat.store.errors import NoSuchItem, StoreFault
from jurat.store.records import Adjudication, Answers
from jurat.store.schema import (
    COUNTS,
    LEFT,
    adjudications,
    assignments,
    columns,
    insert_into,
    items,
    judges,
    kits,
    phases,
)

_item = msgspec.json.Decoder(Item).decode


class _Kit(NamedTuple):
    """A kit that a judge has, has finished or has left."""

    assignment_id: int
    kit_id: int
    state: str
    position: int
    probability: float
    judge_id: int
    campaign_id: int
    task: str
    phase: str


KITS = (
    select(
        *columns(assignments, "id", "kit_id", "state", "position", "probability"),
        *columns(assignments, "judge_id", "campaign_id"),
        *columns(phases, "task", "phase"),
    )
    .join(phases, phases.c.id == assignments.c.phase_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .where(
        judges.c.campaign_id == bindparam("campaign_id"),
        judges.c.key == bindparam("judge"),
        or_(COUNTS, LEFT),
    )
    .order_by(assignments.c.id)
    .with_for_update(of=assignments)
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
ADJUDICATE = insert_into(adjudications)
ADJUDICATIONS = (
    select(
        *columns(adjudications, "id", "index", "author", "reason"),
        *columns(phases, "task", "phase"),
        kits.c.number,
        items.c.content,
        *columns(adjudications, "answers", "decided_at"),
    )
    .select_from(adjudications)
    .join(kits, kits.c.id == adjudications.c.kit_id)
    .join(phases, phases.c.id == kits.c.phase_id)
    .join(items, (items.c.kit_id == kits.c.id) & (items.c.index == adjudications.c.index))
    .where(adjudications.c.campaign_id == bindparam("campaign_id"))
    .order_by(adjudications.c.id)
)


def give_back(
    session: Session,
    campaign: str,
    judge: str,
    *,
    author: str,
    reason: str,
    now: datetime,
    task: str | None = None,
    phase: Phase | None = None,
    finished: bool = True,
) -> int:
    """Return a judge's kits, or those of a task or phase, to the pool; how many there were.

    With `finished` also those that are done. What was decided in them stays, marked `excluded`.
    """
    _refuse_anonymous(author)
    chosen = _chosen(session, campaign, judge, task=task, phase=phase, finished=finished)
    # In one order of kits, so that two transactions that give back kits do not deadlock.
    for kit in sorted(chosen, key=lambda kit: kit.kit_id):
        end_assignment(session, kit.assignment_id, now=to_time(now), by=author, why=reason)
        # A kit whose lease ran out was freed at that time.
        if kit.state != "returned":
            free(session, kit.kit_id)
    pin = accounts.by_id(session, campaign, judge).pin
    details = {"pin": pin, "task": task, "phase": phase, "kits": len(chosen), "reason": reason}
    details["finished"] = finished
    log(session, campaign, "give back", author=author, now=now, details=details)
    return len(chosen)


def redo(
    session: Session,
    campaign: str,
    judge: str,
    *,
    author: str,
    reason: str,
    now: datetime,
    task: str | None = None,
    phase: Phase | None = None,
    finished: bool = True,
) -> int:
    """Have a judge do kits again that they have begun or, with `finished`, done; how many.

    What was decided in them stays, marked `excluded`.
    """
    _refuse_anonymous(author)
    kits = _chosen(session, campaign, judge, task=task, phase=phase, finished=finished)
    # A kit in which nothing is decided need not be done again.
    chosen = [kit for kit in kits if kit.state != "returned" and kit.position > 1]
    moment = to_time(now)
    for kit in chosen:
        end_assignment(session, kit.assignment_id, now=moment, by=author, why=reason, state="redo")
        session.run(
            ASSIGN,
            campaign_id=kit.campaign_id,
            key=new_key(),
            judge_id=kit.judge_id,
            kit_id=kit.kit_id,
            probability=kit.probability,
            # no clock and no lease before the judge sees it: they keep it, whenever they come
            shown_at=None,
            until=None,
            now=moment,
        )
    pin = accounts.by_id(session, campaign, judge).pin
    details = {"pin": pin, "task": task, "phase": phase, "kits": len(chosen), "reason": reason}
    log(session, campaign, "redo", author=author, now=now, details=details)
    return len(chosen)


def _refuse_anonymous(author: str) -> None:
    # Without an author the kit would count as one whose lease ran out.
    if not author:
        raise StoreFault(
            "kits are only taken from a judge in somebody's name: the author is missing"
        )


def _chosen(
    session: Session,
    campaign: str,
    judge: str,
    *,
    task: str | None,
    phase: Phase | None,
    finished: bool,
) -> list[_Kit]:
    """The judge's kits that are meant, locked. Raises `NoSuchJudge`."""
    accounts.by_id(session, campaign, judge)
    rows = session.all(KITS, campaign_id=find(session, campaign), judge=judge)
    return [
        kit
        for kit in (_Kit(*row) for row in rows)
        if task in (None, kit.task)
        and phase in (None, kit.phase)
        and (finished or kit.state != "done")
    ]


def adjudicate(
    session: Session,
    campaign: str,
    task: str,
    phase: Phase,
    *,
    kit: int,
    index: int,
    answers: Answers,
    author: str,
    reason: str = "",
    now: datetime,
) -> int:
    """Settle an item, by its kit's number and its index there; the adjudication's number.

    The judges' decisions stay as they are. Raises `NoSuchItem`.
    """
    campaign_id = find(session, campaign)
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
        author=author,
        reason=reason,
        decided_at=to_time(now),
    )


def every_adjudication(session: Session, campaign: str) -> tuple[Adjudication, ...]:
    """All adjudications, in order; the last one of an item counts."""
    rows = session.all(ADJUDICATIONS, campaign_id=find(session, campaign))
    names = ("number", "index", "author", "reason", "task", "phase", "kit")
    return tuple(
        Adjudication(
            **dict(zip(names, values, strict=True)),
            item=_item(content),
            answers=from_json(answers),
            decided_at=from_time(decided_at),
        )
        for *values, content, answers, decided_at in rows
    )
