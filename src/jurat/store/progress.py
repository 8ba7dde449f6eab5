"""How far a campaign is, and how fast it advances.

Counts come from the assignments, which sum up their decisions: no page counts all decisions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Select,
    bindparam,
    case,
    distinct,
    func,
    literal_column,
    select,
)

from jurat.model import Phase
from jurat.store.campaigns import find
from jurat.store.database import Row, Session
from jurat.store.encoding import from_json, from_time, to_time
from jurat.store.records import PhaseTally, Progress, Tally
from jurat.store.schema import (
    COUNTS,
    FLAGGED,
    HAS_PLACES,
    LEFT,
    ONE,
    ZERO,
    assignments,
    campaigns,
    columns,
    decisions,
    judges,
    kits,
    phases,
)


class Pace(NamedTuple):
    """How many decisions that count a judge has made recently."""

    hour: int = 0
    """In the last hour."""
    day: int = 0
    """In the last 24 hours."""


class OpenPlaces(NamedTuple):
    """A kit that can still be given, and how many active judges can no longer get it."""

    task: str
    phase: Phase
    unit: str
    """What a judge gets at most once: a block of kits, or the kit itself."""
    group: str
    systems: tuple[str, ...]
    places: int
    had: int
    """Judges with active accounts who have or had one of the unit."""


class CampaignCounts(NamedTuple):
    """How far the evaluation phases of a campaign are."""

    campaign: str
    wanted: int
    """Decisions; 0 if there is no limit."""
    done: int
    """Decisions."""
    begun: int
    """Judges with active accounts who have ever decided something, also in tutorials."""
    judges: int
    """Judges with active accounts."""
    last: datetime | None
    """When somebody last decided."""
    skipped: int = 0
    """Of those done, items that were skipped."""


_OF_CAMPAIGN = assignments.c.campaign_id == bindparam("campaign_id")
_STEPS = assignments.c.position - ONE


def _since(moment: str) -> ColumnElement[int]:
    """How many decisions of an assignment were made since the moment in this parameter."""
    # All of them, if the kit was given after it; only for kits given before they are counted.
    since = bindparam(moment, type_=assignments.c.created.type)
    late = select(func.count(decisions.c.id)).where(
        decisions.c.assignment_id == assignments.c.id,
        decisions.c.revision == ONE,
        decisions.c.decided_at >= since,
    )
    return case(
        (assignments.c.created >= since, _STEPS),
        (assignments.c.decided_at >= since, late.scalar_subquery()),
        else_=ZERO,
    )


SINCE = (
    select(judges.c.key, func.sum(_since("hour")), func.sum(_since("day")))
    .join(judges, judges.c.id == assignments.c.judge_id)
    .where(_OF_CAMPAIGN, COUNTS, assignments.c.decided_at >= bindparam("day"))
    .group_by(judges.c.id)
)
_MOMENT = bindparam("now", type_=assignments.c.decided_at.type)
_WIDTH = bindparam("width", type_=assignments.c.decided_at.type)
# A decision may seem to be in the future: clocks differ, and simulated judges run ahead of theirs.
_WINDOW: ColumnElement[int] = case(
    (assignments.c.decided_at >= _MOMENT, ZERO),
    else_=(_MOMENT - assignments.c.decided_at) // _WIDTH,
)
WINDOWS = (
    select(phases.c.task, phases.c.phase, _WINDOW.label("back"), func.sum(_STEPS))
    .join(phases, phases.c.id == assignments.c.phase_id)
    .where(
        _OF_CAMPAIGN,
        COUNTS,
        assignments.c.decided_at > bindparam("since"),
    )
    .group_by(phases.c.id, literal_column("back"))
)
FIRST = (
    select(assignments.c.created)
    .where(_OF_CAMPAIGN)
    .order_by(assignments.c.id)
    .limit(ONE)
    .offset(ZERO)
)
_NOT_CLOSED = phases.c.state != literal_column("'closed'")
OPEN = (
    select(
        *columns(phases, "id", "task", "phase", "apart"),
        *columns(kits, "id", "number", "block", "group", "systems", "places"),
    )
    .join(phases, phases.c.id == kits.c.phase_id)
    .where(
        kits.c.campaign_id == bindparam("campaign_id"),
        HAS_PLACES,
        _NOT_CLOSED,
        kits.c.wanted.is_not(None),
    )
    .order_by(kits.c.id)
)


def _judges_with(*unit: ColumnElement[Any], apart: bool) -> Select[Any]:
    """How many active judges have or had a unit, in phases that keep blocks `apart` or not."""
    return (
        select(*unit, func.count(distinct(assignments.c.judge_id)))
        .join(judges, judges.c.id == assignments.c.judge_id)
        .join(phases, phases.c.id == assignments.c.phase_id)
        .where(
            _OF_CAMPAIGN,
            _NOT_CLOSED,
            judges.c.disabled.is_(False),
            # A judge who left a kit could still be given it.
            ~LEFT,
            phases.c.apart.is_(apart),
        )
        .group_by(*unit)
    )


HAD_KIT = _judges_with(assignments.c.kit_id, apart=False)
HAD_BLOCK = _judges_with(assignments.c.phase_id, assignments.c.block, apart=True)
_EVALUATION = phases.c.phase == literal_column("'evaluation'")
WANTED = (
    select(
        campaigns.c.id,
        campaigns.c.name,
        func.coalesce(func.sum(kits.c.wanted * kits.c.size * phases.c.stages), ZERO),
    )
    .join(phases, phases.c.campaign_id == campaigns.c.id)
    .outerjoin(kits, kits.c.phase_id == phases.c.id)
    .where(_EVALUATION)
    .group_by(campaigns.c.id)
    .order_by(campaigns.c.id)
)
DONE = (
    select(
        assignments.c.campaign_id,
        func.sum(_STEPS),
        func.max(assignments.c.decided_at),
    )
    .join(phases, phases.c.id == assignments.c.phase_id)
    .where(_EVALUATION, COUNTS, assignments.c.decided_at.is_not(None))
    .group_by(assignments.c.campaign_id)
)
_ACTIVE = (
    judges.c.role == literal_column("'judge'"),
    judges.c.disabled.is_(False),
    judges.c.pending.is_(False),
)
JUDGES = (
    select(judges.c.campaign_id, func.count(judges.c.id))
    .where(*_ACTIVE)
    .group_by(judges.c.campaign_id)
)
BEGUN = (
    select(assignments.c.campaign_id, func.count(distinct(assignments.c.judge_id)))
    .join(judges, judges.c.id == assignments.c.judge_id)
    .where(*_ACTIVE, assignments.c.decided_at.is_not(None))
    .group_by(assignments.c.campaign_id)
)

# Skipped items have a flag, of which there is an index: other decisions are not read.
_SKIPPED = (
    decisions.c.flag != literal_column("''"),
    decisions.c.skipped.is_(True),
    decisions.c.status == literal_column("'valid'"),
    COUNTS,
)
SKIPPED = (
    select(judges.c.key, assignments.c.phase_id, func.count(decisions.c.id))
    .select_from(decisions)
    .join(assignments, assignments.c.id == decisions.c.assignment_id)
    .join(judges, judges.c.id == assignments.c.judge_id)
    .where(FLAGGED, *_SKIPPED)
    .group_by(judges.c.id, assignments.c.phase_id)
)
ALL_SKIPPED = (
    select(decisions.c.campaign_id, func.count(decisions.c.id))
    .select_from(decisions)
    .join(assignments, assignments.c.id == decisions.c.assignment_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .where(_EVALUATION, *_SKIPPED)
    .group_by(decisions.c.campaign_id)
)
# The last thousand decisions of two minutes or less: enough for a median, however many there are.
TIMES = (
    select(phases.c.task, decisions.c.seconds)
    .select_from(decisions)
    .join(assignments, assignments.c.id == decisions.c.assignment_id)
    .join(phases, phases.c.id == assignments.c.phase_id)
    .where(
        decisions.c.campaign_id == bindparam("campaign_id"),
        decisions.c.seconds <= literal_column("120"),
    )
    .order_by(decisions.c.id.desc())
    .limit(literal_column("1000"))
    .offset(ZERO)
)

PHASES = (
    select(
        *columns(phases, "id", "task", "phase", "state"),
        func.count(kits.c.id),
        func.coalesce(func.sum(kits.c.wanted), ZERO),
        func.coalesce(func.sum(kits.c.wanted * kits.c.size * phases.c.stages), ZERO),
    )
    .outerjoin(kits, kits.c.phase_id == phases.c.id)
    .where(phases.c.campaign_id == bindparam("campaign_id"))
    .group_by(phases.c.id)
    .order_by(phases.c.id)
)
_by_state = (
    select(
        assignments.c.judge_id,
        assignments.c.phase_id,
        assignments.c.state,
        func.count(assignments.c.id).label("kits"),
        func.sum(case((LEFT, ONE), else_=ZERO)).label("left"),
        func.sum(assignments.c.position - ONE).label("steps"),
        func.sum(assignments.c.timed).label("timed"),
        func.sum(assignments.c.timed_seconds).label("timed_seconds"),
        func.max(assignments.c.decided_at).label("last"),
        # by kit, since the decisions of a kit are alike: how a judge's mean time varies
        func.sum(assignments.c.timed * assignments.c.timed).label("timed_squares"),
        func.sum(assignments.c.timed * assignments.c.timed_seconds).label("timed_products"),
        func.sum(assignments.c.timed_seconds * assignments.c.timed_seconds).label(
            "seconds_squares"
        ),
    )
    .where(assignments.c.campaign_id == bindparam("campaign_id"))
    .group_by(assignments.c.judge_id, assignments.c.phase_id, assignments.c.state)
    .subquery()
)
BY_STATE = (
    select(judges.c.key, *list(_by_state.c)[1:])
    .join(judges, judges.c.id == _by_state.c.judge_id)
    .order_by(judges.c.id, _by_state.c.phase_id)
)


def progress(session: Session, campaign: str) -> Progress:
    """How far each phase and each judge is."""
    campaign_id = find(session, campaign)
    phases = session.all(PHASES, campaign_id=campaign_id)
    names = {row[0]: row[1:3] for row in phases}
    by_state: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for judge, phase, *counts in session.all(BY_STATE, campaign_id=campaign_id):
        by_state[judge, phase].append(tuple(counts))
    rows = session.all(SKIPPED, campaign_id=campaign_id)
    skipped = {(judge, phase): int(count) for judge, phase, count in rows}
    tallies = {
        (judge, phase): _tally(judge, names[phase], rows, skipped.get((judge, phase), 0))
        for (judge, phase), rows in by_state.items()
    }
    # A phase's numbers are the sums of its judges', so that a page never shows two that disagree.
    return Progress(
        phases=tuple(
            _phase_tally(row, [t for (_, phase), t in tallies.items() if phase == row[0]])
            for row in phases
        ),
        judges=tuple(tallies.values()),
    )


def _tally(judge: str, phase: Row, rows: list[Row], skipped: int) -> Tally:
    """A judge's kits of a phase, from counts by state."""
    kits = {state: count for state, count, *_ in rows}
    steps = {state: int(count) for state, _, _, count, *_ in rows}
    return Tally(
        judge=judge,
        task=phase[0],
        phase=phase[1],
        open=kits.get("open", 0),
        done=kits.get("done", 0),
        returned=kits.get("returned", 0) + kits.get("redo", 0),
        left=sum(int(row[2]) for row in rows),
        decisions=steps.get("open", 0) + steps.get("done", 0),
        skipped=skipped,
        timed=sum(int(row[4]) for row in rows),
        timed_seconds=sum(row[5] for row in rows),
        last=max((from_time(row[6]) for row in rows if row[6] is not None), default=None),
        timed_squares=float(sum(row[7] for row in rows)),
        timed_products=sum(row[8] for row in rows),
        seconds_squares=sum(row[9] for row in rows),
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
        skipped=sum(tally.skipped for tally in judges),
    )


def paces(session: Session, campaign: str, *, now: datetime) -> dict[str, Pace]:
    """How many decisions that count each judge has made recently, by the account's opaque id."""
    campaign_id = find(session, campaign)
    since = {"hour": to_time(now - timedelta(hours=1)), "day": to_time(now - timedelta(days=1))}
    rows = session.all(SINCE, campaign_id=campaign_id, **since)
    return {judge: Pace(int(hour), int(day)) for judge, hour, day in rows}


def windows(
    session: Session, campaign: str, *, now: datetime, width: timedelta, most: int
) -> dict[tuple[str, Phase], list[int]]:
    """Decisions that count, by task and phase, in each of the last `most` spans of time.

    The latest span is first; those before the first kit was given are left out. All decisions of
    a kit are counted in the span of its last one.
    """
    campaign_id = find(session, campaign)
    first = session.one(FIRST, campaign_id=campaign_id)
    if first is None:
        return {}
    moment, step = to_time(now), width // timedelta(microseconds=1)
    # Rounded up, so that the span in which the first kit was given is among them.
    number = max(1, min(most, -(-(moment - first[0]) // step)))
    found: dict[tuple[str, Phase], list[int]] = {}
    rows = session.all(
        WINDOWS, campaign_id=campaign_id, now=moment, width=step, since=moment - number * step
    )
    for task, phase, back, count in rows:
        found.setdefault((task, phase), [0] * number)[back] += int(count)
    return found


def open_places(session: Session, campaign: str) -> list[OpenPlaces]:
    """The kits for which more judges are wanted than have them, in phases that are not closed."""
    campaign_id = find(session, campaign)
    rows = session.all(OPEN, campaign_id=campaign_id)
    if not rows:
        return []
    had: dict[object, int] = dict(session.all(HAD_KIT, campaign_id=campaign_id))
    for phase, block, number in session.all(HAD_BLOCK, campaign_id=campaign_id):
        had[phase, block] = number
    return [_places(row, had) for row in rows]


def _places(row: Row, had: Mapping[object, int]) -> OpenPlaces:
    phase_id, task, phase, apart, kit_id, number, block, group, systems, places = row
    return OpenPlaces(
        task=task,
        phase=phase,
        unit=block if apart else f"kit {number}",
        group=group,
        systems=_systems(systems),
        places=places,
        had=had.get((phase_id, block) if apart else kit_id, 0),
    )


@lru_cache(1024)
def _systems(stored: str) -> tuple[str, ...]:
    """The systems of a kit from JSON; hundreds of kits have the same."""
    return tuple(from_json(stored))


def campaign_counts(session: Session) -> list[CampaignCounts]:
    """How far every campaign is, the oldest first."""
    done = {row[0]: row[1:] for row in session.all(DONE)}
    begun = {row[0]: row[1] for row in session.all(BEGUN)}
    active = {row[0]: row[1] for row in session.all(JUDGES)}
    skipped = {row[0]: row[1] for row in session.all(ALL_SKIPPED)}
    return [
        CampaignCounts(
            campaign=name,
            wanted=int(wanted),
            done=int(count),
            skipped=skipped.get(campaign_id, 0),
            begun=begun.get(campaign_id, 0),
            judges=active.get(campaign_id, 0),
            last=from_time(last),
        )
        for campaign_id, name, wanted in session.all(WANTED)
        for count, last in [done.get(campaign_id, (0, None))]
    ]


def recent_seconds(session: Session, campaign: str) -> dict[str, list[float]]:
    """Seconds of the last decisions, by task; those of over two minutes are left out."""
    times: dict[str, list[float]] = {}
    for task, seconds in session.all(TIMES, campaign_id=find(session, campaign)):
        times.setdefault(task, []).append(seconds)
    return times
