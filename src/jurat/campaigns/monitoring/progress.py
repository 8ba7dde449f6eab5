"""How far each judge is, how fast, and what a coordinator should know about them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from jurat.campaigns.config import CampaignPlan
from jurat.campaigns.judge_tasks import Part, Supply, overview, parts_of
from jurat.campaigns.monitoring.attention import Remark, attention_remarks
from jurat.campaigns.monitoring.judge_speed import unusual_speeds
from jurat.model import Phase
from jurat.store import Account, Campaign, Offer, PhaseTally, Tally
from jurat.store.progress import Pace

# Timed decisions from which a judge's own time is used to tell what they still need.
MIN_TIMED = 20


class JudgeProgress(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's account with their progress."""

    account: Account
    parts: tuple[Part, ...]
    """Their tasks and phases, in order."""
    next: Part | None
    """The first that is required and open to them now."""
    done: int
    left: int
    """Kits done, and kits still required of them that they can be given."""
    begun: bool
    """Whether they have ever judged, also what no longer counts."""
    decisions: int
    """Their judgments that count, and those of tutorials, skipped items included."""
    skipped: int
    """Of these, items that they skipped."""
    returned: int
    """Kits that they left, or that were taken from them."""
    abandoned: int
    """Of these, the kits that they left until their lease ran out."""
    last_seen: datetime | None
    pace: Pace
    seconds: float | None
    """Mean time of a decision, of those that took two minutes or less; None if none counts."""
    time_left: timedelta | None
    """Time for the kits left, at their own pace where it is known; None: unknown."""
    remarks: tuple[Remark, ...] = ()

    @property
    def has_work(self) -> bool:
        """Whether there is something that they can and should do now."""
        return self.next is not None and self.account.active


class ProgressData(msgspec.Struct, frozen=True, kw_only=True):
    """What the store knows of a campaign's judges, the input of `judge_progress`."""

    plan: CampaignPlan
    campaign: Campaign
    accounts: Sequence[Account]
    phases: Sequence[PhaseTally]
    tallies: Sequence[Tally]
    offers: Mapping[str, Offer]
    """What each judge could be given, by the id of their account."""
    supply: Callable[[Account, Offer], Supply]
    """The kits of an offer that the rules allow a judge."""
    paces: Mapping[str, Pace]
    seconds: Mapping[str, float]
    """Median seconds of a decision by task."""
    now: datetime


def judge_progress(known: ProgressData) -> list[JudgeProgress]:
    """The progress of every judge, in the order of their accounts' creation."""
    own: defaultdict[str, dict[tuple[str, Phase], Tally]] = defaultdict(dict)
    for tally in known.tallies:
        own[tally.judge][tally.task, tally.phase] = tally
    judges = [account for account in known.accounts if account.role == "judge"]
    found = [
        _judge(known, account, own[account.id], given)
        for account, given in zip(judges, _given(known, judges), strict=True)
    ]
    # in a second pass, since a judge's speed is compared with that of all the others
    speeds = unusual_speeds(known.tallies)
    return [
        msgspec.structs.replace(one, remarks=tuple(attention_remarks(one, speeds, known.now)))
        for one in found
    ]


def _given(known: ProgressData, accounts: Iterable[Account]) -> Iterator[Sequence[Part]]:
    """What each judge can be given: looked at once for those who are alike and new."""
    states = [(phase.task, phase.phase, phase.state) for phase in known.phases]
    found: dict[Hashable, Sequence[Part]] = {}
    for account in accounts:
        offer = known.offers[account.id]
        alike = (id(offer), account.group, account.site, *sorted(account.tags.items()))
        if alike not in found:
            supply = known.supply(account, offer)
            found[alike] = tuple(parts_of(known.plan, states, offer, supply))
        yield found[alike]


def _judge(
    known: ProgressData,
    account: Account,
    own: Mapping[tuple[str, Phase], Tally],
    given: Sequence[Part],
) -> JudgeProgress:
    timed = {t.task: t.timed_seconds / t.timed for t in own.values() if t.timed >= MIN_TIMED}
    # a judge's own times replace the task's median once there are enough of them
    offer = known.offers[account.id]
    times_known = {**known.seconds, **timed}
    parts = overview(given, known.campaign, own, times_known, resumes=offer.resumes)
    left = [part for part in parts if part.promised]
    times = [part.time_left for part in left]
    decided = [tally.last for tally in own.values() if tally.last]
    return JudgeProgress(
        account=account,
        parts=parts,
        next=next((part for part in parts if part.current), None),
        done=sum(part.done for part in parts),
        left=sum(part.left for part in left),
        begun=bool(decided),
        decisions=sum(tally.decisions for tally in own.values()),
        skipped=sum(tally.skipped for tally in own.values()),
        returned=sum(tally.returned for tally in own.values()),
        abandoned=sum(tally.left for tally in own.values()),
        last_seen=max((*decided, *filter(None, [account.seen_at])), default=None),
        pace=known.paces.get(account.id, Pace()),
        seconds=_mean(own.values()) if any(tally.decisions for tally in own.values()) else None,
        time_left=sum(filter(None, times), timedelta()) if any(times) else None,
    )


def _mean(tallies: Collection[Tally]) -> float | None:
    timed = sum(tally.timed for tally in tallies)
    return sum(tally.timed_seconds for tally in tallies) / timed if timed else None
