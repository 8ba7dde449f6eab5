"""A campaign that has been running elsewhere: created with its judges and what they judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import bindparam, select, update

from jurat.model import Phase
from jurat.store import accounts, campaigns
from jurat.store.account_records import NewJudge
from jurat.store.database import Row, Session
from jurat.store.decisions import LONGEST
from jurat.store.encoding import new_key, to_json, to_time
from jurat.store.records import Answers, Flag, NewCampaign
from jurat.store.schema import assignments, decisions, judges, kits, phases


class PastDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that was made elsewhere, at a step of a kit."""

    position: int
    answers: Answers
    decided_at: datetime
    shown_at: datetime | None = None
    seconds: float | None = None
    active_seconds: float | None = None
    revision: int = 1
    superseded: bool = False
    skipped: bool = False
    flag: Flag = ""
    comment: str = ""
    """What the judge said about the item; there is a flag with it."""


class PastKit(msgspec.Struct, frozen=True, kw_only=True):
    """A kit that a judge has done or begun, with all decisions in it."""

    task: str
    phase: Phase
    number: int
    pin: str
    decisions: tuple[PastDecision, ...]
    """Every step has one, in a kit that is begun those up to the last; several are revisions."""
    void: str = ""
    """Why none of them counts; empty where they do."""
    until: datetime | None = None
    """Until when the judge may go on after the last decision; None where the kit is done."""


JUDGES = select(judges.c.pin, judges.c.id).where(judges.c.campaign_id == bindparam("campaign_id"))
KITS = (
    select(phases.c.task, phases.c.phase, kits.c.number, kits.c.id, phases.c.id, kits.c.block)
    .select_from(kits)
    .join(phases, phases.c.id == kits.c.phase_id)
    .where(kits.c.campaign_id == bindparam("campaign_id"))
)
# More judges than are wanted may have had a kit elsewhere; then it wants as many.
TAKE = (
    update(kits)
    .where(kits.c.id == bindparam("kit_id"))
    .values(places=kits.c.places - bindparam("taken"))
)
EXTEND = (
    update(kits)
    .where(kits.c.id == bindparam("kit_id"), kits.c.wanted < bindparam("taken"))
    .values(wanted=bindparam("taken"), places=bindparam("taken"))
)


def create(
    session: Session,
    new: NewCampaign,
    people: Sequence[NewJudge],
    past: Sequence[PastKit],
    *,
    author: str,
    now: datetime,
) -> None:
    """Store a campaign with accounts and past decisions, or nothing of it.

    Its phases are `ready`. Raises `CampaignExists` and `PinTaken`.
    """
    campaigns.create(session, new, author=author, now=now)
    accounts.add(session, new.name, people, author=author, now=now)
    campaign_id = campaigns.find(session, new.name)
    people_ids: dict[str, int] = dict(session.all(JUDGES, campaign_id=campaign_id))
    found = {tuple(row[:3]): row[3:] for row in session.all(KITS, campaign_id=campaign_id)}
    rows, made, taken = [], [], Counter[int]()
    for number, kit in zip(session.reserve(assignments, len(past)), past, strict=True):
        kit_id, phase_id, block = found[kit.task, kit.phase, kit.number]
        place = (number, campaign_id, people_ids[kit.pin], kit_id, phase_id, block)
        rows.append(_assignment(place, kit, author))
        made += [_decision(campaign_id, number, one) for one in kit.decisions]
        taken[kit_id] += not kit.void
    session.insert(assignments, rows)
    # in the order of time: the numbers of decisions are the order in which they were made
    made.sort(key=lambda row: row[_DECIDED_AT])
    session.insert(decisions, made, DECISION)
    for kit_id, count in taken.items():
        session.run(EXTEND, kit_id=kit_id, taken=count)
        session.run(TAKE, kit_id=kit_id, taken=count)
    details = {"kits": len(past), "decisions": len(made)}
    campaigns.log(session, new.name, "import", author=author, now=now, details=details)


DECISION = [column.name for column in decisions.c if column.name != "id"]
_DECIDED_AT = DECISION.index("decided_at")


def _decision(campaign_id: int, assignment_id: int, one: PastDecision) -> Row:
    return (
        campaign_id,
        assignment_id,
        one.position,
        one.revision,
        to_json(one.answers),
        None if one.shown_at is None else to_time(one.shown_at),
        to_time(one.decided_at),
        one.seconds,
        one.active_seconds,
        None,
        "",
        "superseded" if one.superseded else "valid",
        "",
        "",
        one.flag,
        one.comment,
        one.skipped,
    )


def _assignment(place: tuple[int, int, int, int, int, str], kit: PastKit, author: str) -> Row:
    number, campaign_id, judge_id, kit_id, phase_id, block = place
    last = max(one.decided_at for one in kit.decisions)
    times = [one.seconds for one in kit.decisions if one.seconds is not None]
    timed = [seconds for seconds in times if seconds <= LONGEST]
    values = {
        "id": number,
        "campaign_id": campaign_id,
        "key": new_key(),
        "judge_id": judge_id,
        "kit_id": kit_id,
        "phase_id": phase_id,
        "block": block,
        "state": "returned" if kit.void else "open" if kit.until else "done",
        "probability": 1.0,
        "position": max(one.position for one in kit.decisions) + 1,
        "shown_at": None,
        "lease_until": None if kit.until is None else to_time(kit.until),
        "created": to_time(min(one.shown_at or one.decided_at for one in kit.decisions)),
        "finished": None if kit.until else to_time(last),
        "decided_at": to_time(last),
        "timed": len(timed),
        "timed_seconds": sum(timed),
        "author": author if kit.void else "",
        "reason": kit.void,
        "changes": 1,
    }
    return tuple(values[column.name] for column in assignments.c)
