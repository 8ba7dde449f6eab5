"""What a judge can do now, task by task; and why there is nothing now, such as a closed phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import Literal, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from jurat.campaigns.config import CampaignPlan
from jurat.i18n import DEFAULT, languages
from jurat.kits.task_plan import TaskPlan
from jurat.model import Phase
from jurat.store import Campaign, Offer, PhaseRecord, Progress, Tally
from jurat.store.records import AssignmentState, PhaseState

Kind = Literal["pause", "waiting", "go-on", "finished"]
Code = Literal[
    "day",
    "break",
    "go-on",
    "finished",
    "nothing-more",
    "waiting",
    "shut",
    "shut-because",
    "closed",
    "closed-because",
    "all-closed",
    "all-closed-because",
]
# A phase of a task with its state, as the store tells them.
PhaseStatus = tuple[str, Phase, PhaseState]
# Kits of a judge by task, phase and state.
Counts = Counter[tuple[str, Phase, AssignmentState]]
_PHASES: tuple[Phase, ...] = ("tutorial", "evaluation")
# Free kits of each phase that are looked at to tell what a judge can still be given.
LOOKED_AT = 200
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
# coordinator has not opened it, or has closed it; all its kits are with other judges, or done.
Lock = Literal["", "tutorial", "earlier", "waiting", "closed", "held", "full"]


class Supply(Protocol):
    """The kits that one judge could be given."""

    def free(self, task: str, phase: Phase) -> int:
        """How many they could be given now: none where the phase is not started."""

    def held(self, task: str, phase: Phase) -> int:
        """How many may be theirs later: others have them, or the phase is not started."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A task in one of its phases, as far as it concerns one judge."""

    task: str
    phase: Phase
    done: int
    left: int
    """Kits that the judge has to do and can be given now; if all are with others, those that may
    come back; where it is not started, those that they can be given then."""
    lock: Lock = ""
    blocks: bool = False
    """Whether it keeps the judge from what comes after it."""
    before: str = ""
    """The task after which it opens, the last one that has to be done before it."""
    begun: bool = False
    last: datetime | None = None
    """When the judge last decided something in it."""
    open_kit: bool = False
    """Whether the judge has begun a kit of it that is not finished."""
    optional: bool = False
    """Whether kits are required, the judge has done them, and what is left was begun after that."""
    again: int = 0
    """How many of the kits left they have done before, and are asked to do again."""
    skipped: int = 0
    """Items that the judge skipped."""
    held: bool = False
    """Whether all kits that the judge could be given are with others at present."""
    reason: str = ""
    """What the coordinator said when it was stopped."""
    current: bool = False
    kit_items: int = 0
    """How many items a kit has on average."""
    time_left: timedelta | None = None

    @property
    def complete(self) -> bool:
        """Whether the judge has done what is required."""
        return not self.left

    @property
    def open(self) -> bool:
        """Whether a kit of it is next, or comes once others are done."""
        return self.left > 0 and self.lock not in ("closed", "full")

    @property
    def promised(self) -> bool:
        """Whether the judge can count on the kits that are left."""
        return self.open and not self.held

    @property
    def listed(self) -> bool:
        """Whether it has kits for the judge, or had; a tutorial of a full task has none."""
        useless = self.phase == "tutorial" and self.lock == "full"
        return self.done > 0 or (self.left > 0 and not useless)


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge has done, can do now and has still to do; `rest`: why there is no step now."""

    parts: tuple[Part, ...]
    rest: Rest | None = None
    redo_reason: str = ""
    """Why kits are to be done again, as the coordinator said it; empty where there are none."""

    @property
    def current(self) -> Part | None:
        """The part of the judge's next step; None where there is none."""
        return next((part for part in self.parts if part.current), None)

    @property
    def finished(self) -> Part | None:
        """The part with a finished kit in which the judge has decided last."""
        done = [(part.last, n) for n, part in enumerate(self.parts) if part.last and part.done]
        return self.parts[max(done)[1]] if done else None

    @property
    def shared(self) -> bool:
        """Whether kits that are left, in evaluations, may still be given to other judges."""
        return any(
            part.promised and part.phase == "evaluation" and part.left > part.open_kit
            for part in self.parts
        )

    @property
    def new_task(self) -> bool:
        """Whether the judge has not seen anything of the task that comes next."""
        here = self.current
        return here is not None and not any(p.begun for p in self.parts if p.task == here.task)


def parts_of(
    plan: CampaignPlan, states: Sequence[PhaseStatus], offer: Offer, supply: Supply
) -> Iterator[Part]:
    """The tasks and phases in their order, each with what a judge can do in it.

    This is the one rule by which kits are given and pages tell what is left. `supply` has the kits
    of the offer that the judge may get; it is not asked about parts that the caller does not reach.
    """
    state = {(task, phase): state for task, phase, state in states}
    count: Counts = Counter((one.task, one.phase, one.state) for one in offer.had)
    if offer.resumes:
        # a kit that was left counts as open again: nobody has taken it meanwhile
        count[*offer.resumes, "open"] = max(1, count[*offer.resumes, "open"])
    redone = {(one.task, one.phase, one.number) for one in offer.had if one.state == "redo"}
    again = Counter(
        (one.task, one.phase)
        for one in offer.had
        if one.state == "open" and (one.task, one.phase, one.number) in redone
    )
    blocker: Part | None = None
    last = ""
    for task in plan.tasks:
        before = last
        passed_by: Lock = "closed" if state.get((task.name, "evaluation")) == "closed" else ""
        for phase in _PHASES:
            if (task.name, phase) not in state:
                continue
            done, open_ = count[task.name, phase, "done"], count[task.name, phase, "open"]
            # A kit that was begun is finished even where no more is required.
            required = getattr(task.required, phase)
            repeats = again[task.name, phase]
            left = max(required - done, open_)
            part = Part(
                task=task.name,
                phase=phase,
                done=done,
                left=left,
                open_kit=open_ > 0,
                optional=open_ > repeats and done >= required > 0,
                again=repeats,
            )
            if left:
                found = _Position(part, state[task.name, phase], open_, passed_by, blocker, before)
                part = _locked(found, supply, _needed(task, count, phase, state), plan)
            if part.lock == "full":
                passed_by = "full"
            if part.blocks:
                blocker, last = blocker or part, task.name
            yield part


class _Position(NamedTuple):
    """A part with what its lock depends on."""

    part: Part
    state: PhaseState
    open: int
    passed_by: Lock
    blocker: Part | None
    before: str
    """The last of the earlier tasks that block; empty if none does."""


def _needed(
    task: TaskPlan, count: Counts, phase: Phase, states: Mapping[tuple[str, Phase], PhaseState]
) -> dict[Phase, PhaseState]:
    """The phases that a part needs kits of, with their states: its own, and what it practises for.

    Nobody is asked to practise for a task in which nothing is left for them.
    """
    name = task.name
    missing = task.required.evaluation - count[name, "evaluation", "done"]
    begun = count[name, "evaluation", "open"]
    own = {phase: states[name, phase]}
    evaluation = states.get((name, "evaluation"))
    teaches = phase == "tutorial" and missing > 0 and not begun
    return {"evaluation": evaluation, **own} if teaches and evaluation else own


def _locked(
    found: _Position, supply: Supply, needed: Mapping[Phase, PhaseState], plan: CampaignPlan
) -> Part:
    """The part with its lock, and with no more kits left than the judge can be given."""
    part, blocker = found.part, found.blocker
    if found.open and found.state == "started":
        more = min(part.left - found.open, supply.free(part.task, part.phase))
        # kits to be done again can be open in several parts, of which the first comes first
        later = blocker is not None and not blocker.lock
        lock, before = _after(found) if later else ("", "")
        return replace(part, left=found.open + more, lock=lock, before=before, blocks=True)
    if found.passed_by:
        return replace(part, lock=found.passed_by)
    # a kit that was begun stays the judge's own while its phase is stopped
    if found.state != "closed" and not found.open:
        if any(not _obtainable(supply, part.task, phase, 1) for phase in needed):
            return replace(part, lock="full")
        part = replace(part, left=_obtainable(supply, part.task, part.phase, part.left))
    held = found.state == "started" and not all(
        supply.free(part.task, phase) for phase, state in needed.items() if state == "started"
    )
    if blocker is not None:
        lock, before = _after(found)
        return replace(part, lock=lock, before=before, held=held, blocks=True)
    if found.state != "started":
        return replace(part, lock="closed" if found.state == "closed" else "waiting", blocks=True)
    if held:
        return replace(part, lock="held", held=True, blocks=plan.no_free_kit == "wait")
    return replace(part, blocks=True)


def _after(found: _Position) -> tuple[Lock, str]:
    """The lock of a part that waits for an earlier one, and the task after which it opens."""
    if found.blocker and found.blocker.task == found.part.task:
        return "tutorial", ""
    return "earlier", found.before


def _obtainable(supply: Supply, task: str, phase: Phase, wanted: int) -> int:
    """How many of the kits that are wanted of a judge they can be given: now, or else later.

    While some are free, those of others are not counted: most are finished, and never come back.
    """
    if wanted <= 0:
        return 0
    return min(wanted, supply.free(task, phase) or supply.held(task, phase))


def overview(
    parts: Iterable[Part],
    campaign: Campaign,
    own: Mapping[tuple[str, Phase], Tally],
    seconds: Mapping[str, float],
    *,
    resumes: tuple[str, Phase] | None = None,
) -> tuple[Part, ...]:
    """The parts with the current one marked, reasons, and estimates of the time left.

    `own` has the judge's tallies, `seconds` the median time of a decision by task, `resumes` the
    part of a kit that they have begun or left.
    """
    records = {(record.task, record.phase): record for record in campaign.phases}
    known = list(parts)
    here = resumes or next(((p.task, p.phase) for p in known if p.left and not p.lock), None)
    return tuple(
        _told(part, records[part.task, part.phase], own, seconds, current=here) for part in known
    )


def _told(
    part: Part,
    record: PhaseRecord,
    own: Mapping[tuple[str, Phase], Tally],
    seconds: Mapping[str, float],
    *,
    current: tuple[str, Phase] | None,
) -> Part:
    tally = own.get((part.task, part.phase))
    decided = tally.decisions if tally else 0
    is_current = (part.task, part.phase) == current
    return replace(
        part,
        lock="" if is_current else part.lock,
        begun=decided > 0,
        skipped=tally.skipped if tally else 0,
        last=tally.last if tally else None,
        reason=record.reason,
        current=is_current,
        kit_items=round(record.items / record.kits) if record.kits else 0,
        time_left=_time_left(record, part.left, part.done, decided, seconds.get(part.task)),
    )


def _time_left(
    record: PhaseRecord, left: int, done: int, decided: int, seconds: float | None
) -> timedelta | None:
    if seconds is None or not left or not record.kits:
        return None
    # Decisions in an average kit.
    a_kit = record.items * record.stages / record.kits
    return timedelta(seconds=max(0.0, (left + done) * a_kit - decided) * seconds)


def rest_of(parts: Sequence[Part], progress: Progress, *, more: str) -> Rest | None:
    """Why a judge has no step now; None where one of the parts has one.

    `more` is the task that has kits for them beyond those required, empty where none has.
    """
    if any(part.current for part in parts):
        return None
    evaluation = [tally for tally in progress.phases if tally.phase == "evaluation"]
    if all(tally.wanted and tally.done >= tally.wanted for tally in evaluation):
        return Rest(kind="finished", code="finished")
    left = [part for part in parts if part.left]
    for lock in ("waiting", "held"):
        if found := next((part for part in left if part.lock == lock), None):
            return Rest(kind="waiting", code="waiting") if lock == "held" else _shut(found)
    if more:
        return Rest(kind="go-on", code="go-on", values={"task": more})
    if closed := [part for part in left if part.lock == "closed"]:
        return _shut(closed[0]) if len({part.task for part in closed}) == 1 else _all_closed(closed)
    return Rest(kind="finished", code="nothing-more")


def _all_closed(closed: Sequence[Part]) -> Rest:
    """Several tasks, with the coordinator's reason where they have given only one."""
    reasons = {part.reason for part in closed if part.reason}
    if len(reasons) != 1:
        return Rest(kind="finished", code="all-closed")
    return Rest(kind="finished", code="all-closed-because", values={"reason": reasons.pop()})


def _shut(part: Part) -> Rest:
    values = {"task": part.task, "reason": part.reason}
    if part.lock == "closed":
        code: Code = "closed-because" if part.reason else "closed"
        return Rest(kind="finished", code=code, values=values)
    code = "shut-because" if part.reason else "shut"
    return Rest(kind="waiting", code=code, values=values)
