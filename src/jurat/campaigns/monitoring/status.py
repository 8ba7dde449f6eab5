"""The status of a campaign: phases, judges, forecast, shortages of judges and reminders."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from jurat.cache import MadeOnce
from jurat.campaigns.judge_tasks import LOOKED_AT, median_seconds
from jurat.campaigns.kit_choice import task_rules
from jurat.campaigns.monitoring import forecast as coming
from jurat.campaigns.monitoring import reminders
from jurat.campaigns.monitoring.attention import Remark
from jurat.campaigns.monitoring.forecast import Forecast
from jurat.campaigns.monitoring.progress import JudgeProgress, ProgressData, judge_progress
from jurat.campaigns.monitoring.reminders import ACTION, AFTER, Email, Reminder
from jurat.campaigns.monitoring.timeline import Per, Timeline, timeline
from jurat.campaigns.service_context import ServiceContext
from jurat.kits.eligibility import Rules, admits
from jurat.model import Judge
from jurat.store import PhaseTally, Progress, StoredDecision
from jurat.store.progress import OpenPlaces

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.cached_results import CachedResults
    from jurat.campaigns.monitoring.mail import MailServer


class Shortage(msgspec.Struct, frozen=True, kw_only=True):
    """Kits of one task that no judge can do."""

    task: str
    kits: int
    """Open places in kits that none of the judges may take."""
    judges: int
    """The fewest additional judges with whom all of them can be taken."""

    @property
    def remark(self) -> Remark:
        """The shortage as a remark."""
        return Remark(
            code="too-few-judges",
            values={"task": self.task, "kits": self.kits, "count": self.judges},
        )


class CampaignStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The status of a campaign at one moment."""

    phases: tuple[PhaseTally, ...]
    judges: tuple[JudgeProgress, ...]
    forecast: Forecast
    """When the evaluation will be complete."""
    hours_left: float | None
    """Hours of judging left, for all judges together; None while no times are known."""
    shortages: tuple[Shortage, ...]
    remarks: tuple[Remark, ...]
    """Shortages and kits that are not required of anybody."""
    history: tuple[int, ...]
    """Decisions in the forecast's spans, the latest first."""
    last: datetime | None
    """The time of the last decision."""
    now: datetime

    @property
    def work_left(self) -> timedelta | None:
        """`hours_left` as a timedelta; None where it is 0 or unknown."""
        return timedelta(hours=self.hours_left) if self.hours_left else None

    @property
    def wanted(self) -> int:
        """Decisions of the evaluation, in all."""
        return sum(p.wanted_decisions for p in self.phases if p.phase == "evaluation")

    @property
    def done(self) -> int:
        """Decisions of the evaluation that count, skipped items included."""
        return sum(p.decisions for p in self.phases if p.phase == "evaluation")

    @property
    def skipped(self) -> int:
        """Of these, items that were skipped."""
        return sum(p.skipped for p in self.phases if p.phase == "evaluation")


class Monitoring:
    """The part of the service that tells coordinators how a campaign is going."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._store = context.store
        self._results = MadeOnce(self._new_results)

    @property
    def results(self) -> CachedResults:
        """Statistics of the judgments; its worker process starts with the first request."""
        return self._results.get()

    def _new_results(self) -> CachedResults:
        from jurat.campaigns.monitoring.cached_results import CachedResults

        return CachedResults(self._store)

    def close(self) -> None:
        """Stop the worker process of the results, if there is one."""
        if results := self._results.peek():
            results.close()

    def progress(self, campaign: str) -> Progress:
        """How far each phase and each judge is."""
        return self._store.progress(campaign)

    def flagged(self, campaign: str) -> list[StoredDecision]:
        """The decisions in which judges flagged an item or commented on it, excluded ones too."""
        return self._store.flagged(campaign)

    def flag_count(self, campaign: str) -> int:
        """How many there are."""
        return self._store.flag_count(campaign)

    def last_seen(self, campaign: str) -> dict[str, datetime]:
        """When each account, by its id, last logged in or judged; those never seen are left out."""
        seen = [(one.id, one.seen_at) for one in self._store.judges(campaign)]
        judged = [(one.judge, one.last) for one in self._store.progress(campaign).judges]
        found: dict[str, datetime] = {}
        for account, moment in (*seen, *judged):
            if moment is not None:
                found[account] = max(moment, found.get(account, moment))
        return found

    def status(self, campaign: str) -> CampaignStatus:
        """The status now, from counts that the store maintains: decisions are not read."""
        # one moment for the whole status, so that its parts agree
        now, store = self._context.now(), self._store
        counted = store.progress(campaign)
        seconds = median_seconds(store.recent_seconds(campaign))
        accounts = store.judges(campaign)
        judging = [one.id for one in accounts if one.role == "judge"]
        assigner = self._context.campaign(campaign).assigner
        people = ProgressData(
            plan=self._context.plan(campaign),
            campaign=store.campaign(campaign),
            accounts=accounts,
            phases=counted.phases,
            tallies=counted.judges,
            offers=store.offers(campaign, judging, now=now, most=LOOKED_AT),
            supply=lambda account, offer: assigner.supply(account.judge, offer),
            paces=store.paces(campaign, now=now),
            seconds=seconds,
            now=now,
        )
        judges = tuple(judge_progress(people))
        left = {p.task: _left(p) for p in counted.phases if p.phase == "evaluation"}
        spans, history = self._history(campaign, now)
        found = tuple(self._shortages(campaign, judges))
        return CampaignStatus(
            phases=counted.phases,
            judges=judges,
            forecast=coming.forecast(sum(left.values()), history, span=spans, now=now),
            hours_left=_hours(left, seconds),
            shortages=found,
            remarks=(*(one.remark for one in found), *_unasked(counted.phases, judges, found)),
            history=tuple(history),
            last=max((one.last for one in counted.judges if one.last), default=None),
            now=now,
        )

    def timeline(self, campaign: str, per: Per, page: int = 1) -> Timeline | None:
        """Judgments day by day or hour by hour; None before the first one."""
        return timeline(self._store, campaign, self._store.judges(campaign), per, page)

    def reminders(
        self,
        campaign: str,
        *,
        link: str,
        after: timedelta = AFTER,
        language: str = "",
        status: CampaignStatus | None = None,
    ) -> list[Reminder]:
        """The judges who need a reminder, each with the text of an email.

        `link` leads to the campaign's login. The language is the campaign's own where none is said.
        """
        seen = status or self.status(campaign)
        last = reminders.last_reminded(self._store.logged(campaign, ACTION))
        waiting = reminders.judges_to_remind(seen.judges, last, after=after, now=seen.now)
        plan = self._context.plan(campaign)
        return [
            reminders.write_reminder(one, last, plan, link=link, language=language)
            for one in waiting
        ]

    def remind(
        self, campaign: str, emails: Sequence[Email], *, mail_server: MailServer | None, author: str
    ) -> dict[str, str]:
        """Send reminders by email, or log that the coordinator sent them, without a server.

        Returns by PIN why an email failed. The audit log records who was reminded.
        """
        # Imported here, since most servers never send an email.
        from jurat.campaigns.monitoring import mail

        failed = mail.send(mail_server, emails) if mail_server else {}
        # who got no email is not logged, and so stays due for a reminder
        told = [email.pin for email in emails if email.pin not in failed]
        if told:
            details = {"pins": told, "by": "mail" if mail_server else "hand"}
            now = self._context.now()
            self._store.log(campaign, ACTION, author=author, now=now, details=details)
        return failed

    def _history(self, campaign: str, now: datetime) -> tuple[timedelta, list[int]]:
        """The width of the time spans, and the decisions in each, latest first."""
        days = self._counts(campaign, now, coming.DAY)
        # In the first days, whole days are too few to draw from.
        if 0 < len(days) <= coming.HOURLY_DAYS:
            return coming.HOUR, self._counts(campaign, now, coming.HOUR)
        return coming.DAY, days

    def _counts(self, campaign: str, now: datetime, span: timedelta) -> list[int]:
        most = coming.MAX_SPANS[span]
        found = self._store.windows(campaign, now=now, width=span, most=most)
        counts = [of for (_, phase), of in found.items() if phase == "evaluation"]
        # over tasks: the lists begin with the same span and have the same length
        return [sum(each) for each in zip(*counts, strict=True)]

    def _shortages(self, campaign: str, judges: Sequence[JudgeProgress]) -> list[Shortage]:
        rules = task_rules(self._context.definition(campaign))
        accounts = [one.account for one in judges]
        active = [one.judge for one in accounts if one.active]
        return find_shortages(self._store.open_places(campaign), active, rules)


def _left(phase: PhaseTally) -> int:
    """Decisions that are still wanted: none where the phase is closed."""
    left = phase.wanted_decisions - phase.decisions
    return 0 if phase.state == "closed" else max(0, left)


def _hours(left: Mapping[str, int], seconds: Mapping[str, float]) -> float | None:
    """Hours of judging; a task without times of its own counts with the others' median."""
    if not seconds:
        return None
    usual = median(seconds.values())
    return sum(count * seconds.get(task, usual) for task, count in left.items()) / 3600


def _unasked(
    phases: Sequence[PhaseTally], judges: Sequence[JudgeProgress], shortages: Sequence[Shortage]
) -> list[Remark]:
    """Tasks that stay incomplete when all judges have done what is required of them.

    Kits that no judge can do are not counted: they are remarked on by themselves.
    """
    lacking = {one.task: one.kits for one in shortages}
    active = [one for one in judges if one.account.active]
    found = []
    for phase in phases:
        if phase.phase == "tutorial" or phase.state == "closed":
            continue
        asked = sum(
            part.left
            for one in active
            for part in one.parts
            if (part.task, part.phase) == (phase.task, "evaluation")
        )
        # kits that are left over when everybody has done their part
        free = phase.wanted - phase.done - asked - lacking.get(phase.task, 0)
        if free > 0:
            found.append(Remark(code="unasked", values={"task": phase.task, "count": free}))
    return found


def find_shortages(
    places: Sequence[OpenPlaces], judges: Sequence[Judge], rules: Mapping[str, Rules]
) -> list[Shortage]:
    """The tasks in which open places find no judge, even if everybody does all that they may.

    Where a judge gets only one kit of a block, the open places of the whole block are compared with
    the judges who may still take one of its kits; elsewhere each kit is compared by itself. Places
    beyond the number of such judges are missing.
    """
    # By task, group and unit: a unit is a block, or a kit where blocks do not matter.
    free: defaultdict[tuple[str, str, str], int] = defaultdict(int)
    able: dict[tuple[str, str, str], int] = {}

    # Of thousands of kits, most have the same group and sites.
    @cache
    def eligible(task: str, group: str, sites: frozenset[str]) -> int:
        held = rules[task]
        return sum(
            admits(held, judge) and group in ("", judge.group) and judge.site not in sites
            for judge in judges
        )

    for one in places:
        if one.phase == "evaluation":
            unit = (one.task, one.group, one.unit)
            may = eligible(one.task, one.group, _sites(one, rules[one.task]))
            free[unit] += one.places
            # The kit of a block that most judges may still take decides.
            able[unit] = max(able.get(unit, 0), may - one.had)
    return _by_task({unit: count - max(0, able[unit]) for unit, count in free.items()})


def _sites(one: OpenPlaces, rules: Rules) -> frozenset[str]:
    """The sites whose judges may not do the kit, since it has a system of theirs."""
    if rules.own_site == "include":
        return frozenset()
    return frozenset(site for system in one.systems if (site := rules.sites.get(system)))


def _by_task(missing: Mapping[tuple[str, str, str], int]) -> list[Shortage]:
    found: defaultdict[str, defaultdict[str, list[int]]]
    found = defaultdict(lambda: defaultdict(list))
    for (task, group, _), count in missing.items():
        if count > 0:
            found[task][group].append(count)
    return [
        Shortage(
            task=task,
            kits=sum(map(sum, groups.values())),
            # A new judge can fill a place in every unit of their group, so the worst unit counts.
            judges=sum(map(max, groups.values())),
        )
        for task, groups in found.items()
    ]
