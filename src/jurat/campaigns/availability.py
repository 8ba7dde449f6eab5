"""What a judge can do now, task by task; and why they have to wait: a pause, or a closed phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import Literal

import msgspec

from jurat.campaigns.config import CampaignPlan, Sitting
from jurat.i18n import DEFAULT, languages
from jurat.model import Phase
from jurat.store import Campaign, PhaseRecord, Progress, Tally

Kind = Literal["pause", "waiting", "go-on", "finished"]
Code = Literal[
    "day", "break", "go-on", "finished", "nothing-more", "waiting", "shut", "shut-because"
]
DAY = timedelta(days=1)
# Decisions of a task from which the time of others is estimated.
ENOUGH = 10


class Rest(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no step now; `go-on`: the judge has done what is required and may do more."""

    kind: Kind
    code: Code
    """Identifies the message in `locales/`."""
    values: Mapping[str, str] = {}
    """The values of the placeholders in the message."""
    until: datetime | None = None

    @property
    def message(self) -> str:
        """The message in English, for commands; pages say it in the judge's language."""
        return languages()[DEFAULT].say(f"rest-{self.code}", **self.values)


def pause(recent: Sequence[datetime], limits: Sitting, now: datetime) -> Rest | None:
    """The pause that is due after decisions at these times; None where none is due."""
    today = [moment for moment in recent if now - moment < DAY]
    if limits.items_a_day is not None and len(today) >= limits.items_a_day:
        until = today[-limits.items_a_day] + DAY
        return Rest(kind="pause", code="day", until=until)
    break_ = timedelta(minutes=limits.pause_minutes)
    if limits.items is None or not recent or now - recent[-1] >= break_:
        return None
    if _sitting(recent, break_) < limits.items:
        return None
    until = recent[-1] + break_
    return Rest(kind="pause", code="break", until=until)


def is_due(recent: Sequence[datetime], limits: Sitting, decided: datetime) -> bool:
    """Whether a pause is due after one more decision."""
    return limits.limited and pause([*recent, decided], limits, decided) is not None


def before_pause(recent: Sequence[datetime], limits: Sitting, now: datetime, *, most: int) -> int:
    """How many decisions, at most `most`, can be made before the next pause."""
    for more in range(1, most + 1):
        if pause([*recent, *[now] * more], limits, now):
            return more - 1
    return most


def _sitting(recent: Sequence[datetime], break_: timedelta) -> int:
    """How many decisions were made since the last break."""
    count = 1
    # Backwards from the last decision, pair by pair.
    for earlier, later in zip(recent[-2::-1], recent[:0:-1], strict=True):
        if later - earlier >= break_:
            break
        count += 1
    return count


def why(
    plan: CampaignPlan, campaign: Campaign, progress: Progress, judge: str, *, go_on: bool
) -> Rest:
    """Why a judge was given no kit, where `go_on` would not help either."""
    own = {(t.task, t.phase): t for t in progress.judges if t.judge == judge}
    tallies = {(p.task, p.phase): p for p in progress.phases}
    undone = [p for p in campaign.phases if _undone(p, plan, own.get((p.task, p.phase)))]
    places = [(p, tallies[p.task, p.phase]) for p in campaign.phases if p.phase == "evaluation"]
    if all(all_.done >= all_.wanted for _, all_ in places):
        return Rest(kind="finished", code="finished")
    if go_on:
        undone += [p for p, all_ in places if all_.done + all_.open < all_.wanted]
    # A phase that may open again is a better reason than one that is closed for good.
    shut = sorted((p for p in undone if p.state != "started"), key=lambda p: p.state == "closed")
    if shut:
        return _shut(shut[0])
    # Kits that others hold may come back when their leases end.
    if undone and any(all_.open for _, all_ in places):
        return Rest(kind="waiting", code="waiting")
    return Rest(kind="finished", code="nothing-more")


def _undone(phase: PhaseRecord, plan: CampaignPlan, own: Tally | None) -> bool:
    """Whether a judge has an open kit there, or kits are required of them."""
    required: int = getattr(plan.task(phase.task).required, phase.phase)
    return own.open > 0 or own.done < required if own else required > 0


def _shut(phase: PhaseRecord) -> Rest:
    return Rest(
        kind="finished" if phase.state == "closed" else "waiting",
        code="shut-because" if phase.reason else "shut",
        values={"task": phase.task, "reason": phase.reason},
    )


def seconds_by_task(progress: Progress) -> dict[str, float]:
    """Mean seconds per decision by task, where 20 or more are timed."""
    counts: dict[str, tuple[int, float]] = {}
    for tally in progress.judges:
        number, total = counts.get(tally.task, (0, 0.0))
        counts[tally.task] = number + tally.timed, total + tally.timed_seconds
    return {task: total / number for task, (number, total) in counts.items() if number >= 20}


def median_seconds(recent: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The median time of recent decisions by task, where there are ten or more."""
    return {task: median(some) for task, some in recent.items() if len(some) >= ENOUGH}


# Why there is nothing to do in a part now: the tutorial comes first, or an earlier task; the
# coordinator has not opened it, or has closed it.
Lock = Literal["", "tutorial", "earlier", "waiting", "closed"]


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A task in one of its phases, as far as it concerns one judge."""

    task: str
    phase: Phase
    done: int
    left: int
    begun: bool
    lock: Lock = ""
    before: str = ""
    """The earlier task that has to be done first."""
    reason: str = ""
    """What the coordinator said when it was stopped."""
    current: bool = False
    time_left: timedelta | None = None

    @property
    def complete(self) -> bool:
        """Whether the judge has done what is required."""
        return not self.left


def overview(
    plan: CampaignPlan,
    campaign: Campaign,
    own: Mapping[tuple[str, Phase], Tally],
    seconds: Mapping[str, float],
) -> list[Part]:
    """Every part in its order; the first that is open and not complete is the current one.

    `own` has the judge's tallies, `seconds` the median time of a decision by task.
    """
    parts: list[Part] = []
    # A task whose evaluation is closed needs no tutorial.
    over = {p.task for p in campaign.phases if p.phase == "evaluation" and p.state == "closed"}
    for record in _in_order(plan, campaign):
        part = _part(plan, record, own.get((record.task, record.phase)), seconds)
        closed = record.state == "closed" or record.task in over
        parts.append(msgspec.structs.replace(part, **_lock(part, record, parts, closed)))
    first = next((n for n, part in enumerate(parts) if part.left and not part.lock), None)
    return [
        msgspec.structs.replace(part, current=n == first) if n == first else part
        for n, part in enumerate(parts)
    ]


def _in_order(plan: CampaignPlan, campaign: Campaign) -> Iterator[PhaseRecord]:
    """Tasks as declared, the tutorial of each before its evaluation."""
    found = {(record.task, record.phase): record for record in campaign.phases}
    phases: tuple[Phase, ...] = ("tutorial", "evaluation")
    for task in plan.tasks:
        yield from (found[task.name, phase] for phase in phases if (task.name, phase) in found)


def _part(
    plan: CampaignPlan, record: PhaseRecord, own: Tally | None, seconds: Mapping[str, float]
) -> Part:
    required: int = getattr(plan.task(record.task).required, record.phase)
    done, begun = (own.done, own.open) if own else (0, 0)
    # A kit that was begun is finished even where no more is required.
    left = max(required - done, begun)
    decided = own.decisions if own else 0
    return Part(
        task=record.task,
        phase=record.phase,
        done=done,
        left=left,
        begun=decided > 0,
        reason=record.reason,
        time_left=_time_left(record, left, done, decided, seconds.get(record.task)),
    )


def _time_left(
    record: PhaseRecord, left: int, done: int, decided: int, seconds: float | None
) -> timedelta | None:
    if seconds is None or not left or not record.kits:
        return None
    # Decisions in an average kit.
    a_kit = record.items * record.stages / record.kits
    return timedelta(seconds=max(0.0, (left + done) * a_kit - decided) * seconds)


def _lock(part: Part, record: PhaseRecord, earlier: list[Part], closed: bool) -> dict[str, object]:
    """A task whose evaluation is closed is passed by, its tutorial too."""
    if not part.left:
        return {}
    if closed:
        return {"lock": "closed"}
    undone = [one for one in earlier if one.left and one.lock != "closed"]
    if any(one.task == part.task for one in undone):
        return {"lock": "tutorial"}
    if undone:
        return {"lock": "earlier", "before": undone[0].task}
    return {} if record.state == "started" else {"lock": "waiting"}
