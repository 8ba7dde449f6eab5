"""What happened to a campaign's judgments since somebody looked last, as bare rows.

Whoever keeps the long tables up to date reads only what is new. An assignment has one change more
with whatever happens in it, and its decisions are numbered in the order in which they were made:
so what is new is found exactly, whatever transactions are under way beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, func, select

from jurat.kit_steps import Advance
from jurat.model import Phase
from jurat.store.campaigns import find
from jurat.store.database import Session
from jurat.store.schema import (
    ZERO,
    adjudications,
    assignments,
    audit,
    decisions,
    judges,
    kits,
    phases,
)

# States of an assignment whose decisions do not count.
GONE = ("returned", "redo")


class Person(NamedTuple):
    """Somebody with an account."""

    id: int
    pin: str
    group: str
    site: str


class Held(NamedTuple):
    """An assignment: who has or had which kit, and what became of it."""

    id: int
    judge: int
    """The number of the person."""
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


class Said(NamedTuple):
    """A decision; times are microseconds since 1970, answers are JSON."""

    number: int
    held: int
    """The number of the assignment."""
    position: int
    revision: int
    answers: str
    shown_at: int | None
    decided_at: int
    seconds: float | None
    active_seconds: float | None
    language: str
    reason: str


class Seen(NamedTuple):
    """How much of an assignment is known: its changes, and the last decision read of it."""

    changes: int = 0
    number: int = 0


class News(NamedTuple):
    """What is not known yet; the decisions are read little by little, in the order of storing."""

    changes: Mapping[int, int]
    """Of every assignment that was touched."""
    people: Sequence[Person]
    held: Sequence[Held]
    """The assignments that were touched, as they are now."""
    said: Iterator[Said]


# By the number of the assignment.
Known = Mapping[int, Seen]
Take = Callable[[News], None]

PEOPLE = (
    select(judges.c.id, judges.c.pin, judges.c.group, judges.c.site)
    .where(judges.c.campaign_id == bindparam("campaign_id"))
    .order_by(judges.c.id)
)
CHANGES = select(assignments.c.id, assignments.c.changes).where(
    assignments.c.campaign_id == bindparam("campaign_id")
)
_HELD = (
    select(
        assignments.c.id,
        assignments.c.judge_id,
        assignments.c.kit_id,
        phases.c.task,
        phases.c.phase,
        kits.c.number,
        assignments.c.probability,
        assignments.c.state,
        assignments.c.reason,
        kits.c.size,
        phases.c.stages,
        phases.c.advance,
    )
    .select_from(assignments)
    .join(kits, kits.c.id == assignments.c.kit_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
)
ALL_HELD = _HELD.where(assignments.c.campaign_id == bindparam("campaign_id"))
ONE_HELD = _HELD.where(assignments.c.id == bindparam("held"))
_SAID = select(
    decisions.c.id,
    decisions.c.assignment_id,
    decisions.c.position,
    decisions.c.revision,
    decisions.c.answers,
    decisions.c.shown_at,
    decisions.c.decided_at,
    decisions.c.seconds,
    decisions.c.active_seconds,
    decisions.c.language,
    decisions.c.reason,
).order_by(decisions.c.id)
EVERYTHING = _SAID.where(decisions.c.campaign_id == bindparam("campaign_id"))
IN_ONE = _SAID.where(
    decisions.c.assignment_id == bindparam("held"), decisions.c.id > bindparam("after")
)
# Counts that only grow.
CHANGES_SUM = select(func.coalesce(func.sum(assignments.c.changes), ZERO)).where(
    assignments.c.campaign_id == bindparam("campaign_id")
)
ADJUDICATED = select(func.count(adjudications.c.id)).where(
    adjudications.c.campaign_id == bindparam("campaign_id")
)
LOGGED = select(func.count(audit.c.id)).where(audit.c.campaign_id == bindparam("campaign_id"))


def follow(session: Session, campaign: str, known: Known, take: Take) -> None:
    """Let somebody take what he does not know yet."""
    campaign_id = find(session, campaign)
    people = [Person(*row) for row in session.all(PEOPLE, campaign_id=campaign_id)]
    changes: dict[int, int] = dict(session.all(CHANGES, campaign_id=campaign_id))
    if not known:
        held = [Held(*row) for row in session.all(ALL_HELD, campaign_id=campaign_id)]
        said = map(Said._make, session.stream(EVERYTHING, campaign_id=campaign_id))
        take(News(changes, people, held, said))
        return
    nothing = Seen()
    touched = {n: new for n, new in changes.items() if known.get(n, nothing).changes != new}
    rows = [row for held in touched for row in session.all(ONE_HELD, held=held)]
    new = [
        Said(*row)
        for held in touched
        for row in session.all(IN_ONE, held=held, after=known.get(held, nothing).number)
    ]
    take(News(touched, people, [Held(*row) for row in rows], iter(sorted(new))))


def stamp(session: Session, campaign: str) -> str:
    """A word that is another one after any change to the campaign's judgments: for caches."""
    # Not the last decision's number: with PostgreSQL a lower one may still be on its way.
    campaign_id = find(session, campaign)
    counts = (
        session.one(statement, campaign_id=campaign_id)
        for statement in (CHANGES_SUM, ADJUDICATED, LOGGED)
    )
    return "-".join(str(count[0]) for count in counts if count)
