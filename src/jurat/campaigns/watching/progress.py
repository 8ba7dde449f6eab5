"""How far each judge is, how quick, and what is to be said about him."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median

import msgspec

from jurat.campaigns.declared import CampaignPlan
from jurat.campaigns.overview import Part, overview
from jurat.campaigns.watching.remarks import Remark, some
from jurat.model import Phase
from jurat.store import Account, Campaign, PhaseTally, Tally
from jurat.store.pace import Pace

IDLE = timedelta(days=3)
"""Who has something to do and was not seen for so long is idle."""
ENOUGH = 20
"""Timed decisions from which a judge's speed is compared with the others'."""
FAR = 2.0
"""Times quicker or slower than the median of the others that are worth a word."""
LEFT = 2
"""Kits that a judge left, from which on it is worth a word."""


class Judge(msgspec.Struct, frozen=True, kw_only=True):
    """A judge as coordinators see him."""

    account: Account
    parts: tuple[Part, ...]
    """What he has to do, in order."""
    next: Part | None
    """What is open to him now and required."""
    done: int
    left: int
    """Kits that he has done, and that are still required of him and wanted."""
    decisions: int
    returned: int
    """Kits that he left, or that were taken from him."""
    last_seen: datetime | None
    pace: Pace
    seconds: float | None
    """The mean of his decisions, of those that took two minutes or less."""
    time_left: timedelta | None
    """At his own pace where it is known; None where nothing is."""
    remarks: tuple[Remark, ...] = ()

    @property
    def waited_for(self) -> bool:
        """Whether there is something that he can and should do now."""
        return self.next is not None and not (self.account.disabled or self.account.pending)


class People(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is known of a campaign's judges."""

    plan: CampaignPlan
    campaign: Campaign
    accounts: Sequence[Account]
    phases: Sequence[PhaseTally]
    tallies: Sequence[Tally]
    paces: Mapping[str, Pace]
    seconds: Mapping[str, float]
    """The median of a decision by task."""
    now: datetime


def judges(known: People) -> list[Judge]:
    """Every account with the role of a judge, in the order of their making."""
    own: defaultdict[str, dict[tuple[str, Phase], Tally]] = defaultdict(dict)
    for tally in known.tallies:
        own[tally.judge][tally.task, tally.phase] = tally
    found = [
        _judge(known, account, own[account.id])
        for account in known.accounts
        if account.role == "judge"
    ]
    speeds = _speeds(known.tallies)
    return [
        msgspec.structs.replace(one, remarks=tuple(_remarks(one, speeds, known.now)))
        for one in found
    ]


def _judge(known: People, account: Account, own: Mapping[tuple[str, Phase], Tally]) -> Judge:
    timed = {t.task: t.timed_seconds / t.timed for t in own.values() if t.timed >= ENOUGH}
    parts = tuple(overview(known.plan, known.campaign, own, {**known.seconds, **timed}))
    left = [part for part in parts if part.left and _is_wanted(part, own, known)]
    times = [part.time_left for part in left]
    decided = [tally.last for tally in own.values() if tally.last]
    return Judge(
        account=account,
        parts=parts,
        next=left[0] if left and _state(left[0], known) == "started" else None,
        done=sum(part.done for part in parts),
        left=sum(part.left for part in left),
        decisions=sum(tally.decisions for tally in own.values()),
        returned=sum(tally.returned for tally in own.values()),
        last_seen=max((*decided, *filter(None, [account.seen_at])), default=None),
        pace=known.paces.get(account.id, Pace()),
        seconds=_mean(own.values()),
        time_left=sum(filter(None, times), timedelta()) if any(times) else None,
    )


def _mean(tallies: Collection[Tally]) -> float | None:
    timed = sum(tally.timed for tally in tallies)
    return sum(tally.timed_seconds for tally in tallies) / timed if timed else None


def _is_wanted(part: Part, own: Mapping[tuple[str, Phase], Tally], known: People) -> bool:
    """Whether a task still takes judgments; what others have done needs nobody any more."""
    if part.lock == "closed":
        return False
    of_task = [p for p in known.phases if (p.task, p.phase) == (part.task, "evaluation")]
    begun = any(tally.open for (task, _), tally in own.items() if task == part.task)
    return begun or any(not p.wanted or p.done + p.open < p.wanted for p in of_task)


def _state(part: Part, known: People) -> str:
    states = {(phase.task, phase.phase): phase.state for phase in known.phases}
    return states[part.task, part.phase]


def _speeds(tallies: Sequence[Tally]) -> dict[str, float]:
    """Of each judge, the mean of a decision over the median of all judges' means, by task."""
    means: defaultdict[str, dict[str, tuple[float, int]]] = defaultdict(dict)
    for tally in tallies:
        if tally.phase == "evaluation" and tally.timed >= ENOUGH:
            means[tally.task][tally.judge] = (tally.timed_seconds / tally.timed, tally.timed)
    ratios: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
    for of_task in means.values():
        middle = median(mean for mean, _ in of_task.values())
        if len(of_task) > 2 and middle > 0:
            for judge, (mean, count) in of_task.items():
                ratios[judge].append((mean / middle, count))
    return {
        judge: sum(ratio * count for ratio, count in of) / sum(count for _, count in of)
        for judge, of in ratios.items()
    }


def _remarks(judge: Judge, speeds: Mapping[str, float], now: datetime) -> Iterator[Remark]:
    account = judge.account
    if account.disabled:
        yield Remark(code="disabled", message="the account is closed")
        return
    if account.pending:
        yield Remark(code="pending", message="waits to be accepted")
    if account.locked_until and account.locked_until > now:
        yield Remark(code="locked", message="locked out after wrong passwords")
    if judge.waited_for:
        yield from _idle(judge, now)
    if judge.returned >= LEFT:
        message = f"{some(judge.returned, 'kit')} left or taken back"
        yield Remark(code="returned", message=message, values={"count": judge.returned})
    speed = speeds.get(account.id, 1.0)
    if speed * FAR <= 1:
        yield Remark(code="quick", message="far quicker than the others")
    elif speed >= FAR:
        yield Remark(code="slow", message="far slower than the others")


def _idle(judge: Judge, now: datetime) -> Iterator[Remark]:
    days = (now - (judge.last_seen or judge.account.created)).days
    if now - (judge.last_seen or judge.account.created) < IDLE:
        return
    if judge.last_seen is None:
        yield Remark(code="never", message="has never been here")
    else:
        yield Remark(code="idle", message=f"idle for {some(days, 'day')}", values={"count": days})
