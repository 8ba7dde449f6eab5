"""A judge and the kit that he holds: found for every request, refused where he may not go on."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

from sqlalchemy import Select, bindparam, select, update

from jurat.faults import quoted
from jurat.store.accounts import COLUMNS, account_of
from jurat.store.assigning import Asked, Person
from jurat.store.database import Row, Session
from jurat.store.errors import (
    JudgeDisabled,
    KitGone,
    NoSuchCampaign,
    NoSuchJudge,
    NotYours,
    OutOfTurn,
    PhaseNotStarted,
)
from jurat.store.records import Account
from jurat.store.schema import assignments, campaigns, judges, kits, phases
from jurat.store.steps import LATEST, SEAT, Seat

_NOT_STARTED = {"ready": "has not started yet", "stopped": "is stopped", "closed": "is closed"}


class Held(NamedTuple):
    """A kit in a judge's hands as it stands, with what decides whether he may go on with it."""

    seat: Seat
    state: str
    author: str
    reason: str
    position: int
    shown_at: int | None
    lease_until: int | None
    phase_state: str
    phase_reason: str
    account: Account

    @property
    def person(self) -> Person:
        """Whose it is."""
        return Person(self.seat.judge_id, self.seat.campaign_id, self.account.group)


_IS_JUDGE = (
    campaigns.c.name == bindparam("campaign"),
    judges.c.campaign_id == campaigns.c.id,
    judges.c.key == bindparam("judge"),
)
WHO = select(judges.c.id, judges.c.campaign_id, judges.c.group, judges.c.disabled).where(*_IS_JUDGE)
CAMPAIGN = select(campaigns.c.id).where(campaigns.c.name == bindparam("campaign"))
HELD_SEAT = (
    select(*SEAT)
    .select_from(assignments)
    .join(kits, kits.c.id == assignments.c.kit_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .join(campaigns, campaigns.c.id == assignments.c.campaign_id)
    .where(*_IS_JUDGE, assignments.c.key == bindparam("assignment"))
)
_STANDING = (
    assignments.c.state,
    assignments.c.author,
    assignments.c.reason,
    assignments.c.position,
    assignments.c.shown_at,
    assignments.c.lease_until,
    phases.c.state,
    phases.c.reason,
)
HELD = (
    select(*_STANDING, *(judges.c[name] for name in COLUMNS))
    .select_from(assignments)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .where(
        assignments.c.id == bindparam("assignment_id"),
        assignments.c.key == bindparam("assignment"),
    )
)
_OWN = len(_STANDING)
HELD_FAST = HELD.with_for_update(of=assignments)
"""The same, and nobody else can change it before the transaction ends."""
RENEW = (
    update(assignments)
    .where(assignments.c.id == bindparam("assignment_id"))
    .values(lease_until=bindparam("until"))
)
SEEN = update(judges).where(judges.c.id == bindparam("judge_id")).values(seen_at=bindparam("now"))


def person_of(session: Session, asked: Asked) -> Person:
    """The judge who asks; one whose account is disabled is refused."""
    found = session.one(WHO, campaign=asked.campaign, judge=asked.judge)
    if found is None:
        refuse_unknown(session, asked.campaign)
    *person, disabled = found
    if disabled:
        raise JudgeDisabled("this account is disabled")
    return Person(*person)


def held_by(
    session: Session, who: tuple[str, str], assignment: str, statement: Select[Any]
) -> Held:
    """A kit of the judge's as it stands."""
    key = (*who, assignment)
    seat: Seat = session.known.find(key) or know(session, who, _seat(session, *key))
    found = session.one(statement, assignment_id=seat.id, assignment=assignment)
    if found is None:
        raise _not_yours()
    return Held._make((seat, *found[:_OWN], account_of(found[_OWN:])))


def know(session: Session, who: tuple[str, str], seat: Seat) -> Seat:
    """Have it at hand for the judge's next request."""
    known: Seat = session.known.keep((*who, seat.key), seat)
    return known


def _seat(session: Session, campaign: str, judge: str, assignment: str) -> Seat:
    found = session.one(HELD_SEAT, campaign=campaign, judge=judge, assignment=assignment)
    if found is not None:
        return Seat(*found)
    if session.one(WHO, campaign=campaign, judge=judge) is None:
        refuse_unknown(session, campaign)
    raise _not_yours()


def _not_yours() -> NotYours:
    return NotYours("this kit is not one of yours")


def latest(session: Session, held: Held, position: int) -> Row:
    """The decision that counts at a position that was passed."""
    row = session.one(LATEST, assignment_id=held.seat.id, position=position)
    assert row is not None
    return row


def renew(
    session: Session, asked: Asked, judge: Person, assignment_id: int, lease_until: int | None
) -> None:
    """Begin the lease anew when half of it is over: not at every step, since that costs writes."""
    if 2 * (lease_until or 0) < asked.now + asked.until:
        session.run(RENEW, assignment_id=assignment_id, until=asked.until)
        session.run(SEEN, judge_id=judge.id, now=asked.now)


def refuse_unknown(session: Session, campaign: str) -> NoReturn:
    """Say whether the campaign or the judge is not there."""
    if session.one(CAMPAIGN, campaign=campaign) is None:
        raise NoSuchCampaign(f"there is no campaign {quoted(campaign)}")
    raise NoSuchJudge(f"the campaign {quoted(campaign)} has no such judge")


def refuse_unreached(held: Held, position: int) -> None:
    """Refuse a position to which the judge has not come yet."""
    if not 1 <= position <= min(held.position, held.seat.steps):
        refuse_position(held, position)


def refuse_position(held: Held, position: int) -> NoReturn:
    """Say which step is next."""
    if held.position > held.seat.steps:
        message = (
            f"the kit is done: it has {held.seat.steps} steps, and there is no step {position}"
        )
    else:
        message = (
            f"the next decision of this kit is the one at step {held.position}, not {position}"
        )
    raise OutOfTurn(message, expected=held.position)


def refuse_closed(held: Held) -> None:
    """Refuse a judge or a phase that takes no judgments now."""
    if held.account.disabled:
        raise JudgeDisabled("this account is disabled")
    if held.phase_state != "started":
        why = f": {held.phase_reason}" if held.phase_reason else ""
        message = f"the task '{held.seat.task}' {_NOT_STARTED[held.phase_state]}{why}"
        raise PhaseNotStarted(message, reason=held.phase_reason)


def refuse_gone(held: Held) -> NoReturn:
    """Say what became of a kit that is no longer the judge's."""
    if held.state == "returned" and not held.author:
        raise KitGone("nothing was heard for long, and the kit has gone to another judge")
    fate = "is to be done again" if held.state == "redo" else "was given back"
    raise KitGone(f"the kit {fate}" + (f": {held.reason}" if held.reason else ""))
