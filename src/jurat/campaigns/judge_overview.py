"""What a judge sees of the whole: tasks in their order, done and left, what is locked and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Literal

import msgspec

from jurat.campaigns.config import CampaignPlan
from jurat.model import Phase
from jurat.store import Campaign, PhaseRecord, Tally

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
    left = max(required - done, begun)
    decided = own.decisions if own else 0
    return Part(
        task=record.task,
        phase=record.phase,
        done=done,
        left=left,
        begun=decided > 0,
        reason=record.reason,
        time_left=_time(record, left, done, decided, seconds.get(record.task)),
    )


def _time(
    record: PhaseRecord, left: int, done: int, decided: int, seconds: float | None
) -> timedelta | None:
    if seconds is None or not left or not record.kits:
        return None
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
