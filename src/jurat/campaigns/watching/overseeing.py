"""How a campaign stands: phases, judges, forecast, what is missing, who needs a reminder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median

import msgspec

from jurat.campaigns.running import Running
from jurat.campaigns.seeing import ENOUGH
from jurat.campaigns.watching import forecast as coming
from jurat.campaigns.watching import mail, progress, reminders
from jurat.campaigns.watching.forecast import Forecast
from jurat.campaigns.watching.mail import Post
from jurat.campaigns.watching.remarks import Remark, some
from jurat.campaigns.watching.reminders import AFTER, REMINDED, Letter, Reminder
from jurat.campaigns.watching.shortage import Shortage, shortages
from jurat.faults import complain, unknown
from jurat.kits.eligibility import rules
from jurat.model import TestSet
from jurat.store import AccountChange, PhaseTally
from jurat.store.pace import Glance


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign as it stands."""

    phases: tuple[PhaseTally, ...]
    judges: tuple[progress.Judge, ...]
    forecast: Forecast
    """Of the evaluation."""
    hours_left: float | None
    """Of judging, for all together; None while no time is known."""
    shortages: tuple[Shortage, ...]
    remarks: tuple[Remark, ...]
    """What is missing, in words."""
    history: tuple[int, ...]
    """Decisions in the forecast's spans, the latest first."""
    last: datetime | None
    """When somebody last decided."""
    now: datetime

    @property
    def work_left(self) -> timedelta | None:
        """The same as a span; None where nothing is left, or no time known."""
        return timedelta(hours=self.hours_left) if self.hours_left else None

    @property
    def wanted(self) -> int:
        """Decisions of the evaluation, in all."""
        return sum(p.wanted_decisions for p in self.phases if p.phase == "evaluation")

    @property
    def done(self) -> int:
        """Decisions of the evaluation that count."""
        return sum(p.decisions for p in self.phases if p.phase == "evaluation")


class Overseeing(Running):
    """The coordinators' view of how a campaign gets on."""

    def standing(self, campaign: str) -> Standing:
        """How far everything is, read from counts that the store keeps as it goes."""
        now, store = self._clock(), self.store
        counted = store.progress(campaign)
        seconds = {
            task: median(some)
            for task, some in store.recent_seconds(campaign).items()
            if len(some) >= ENOUGH
        }
        people = progress.People(
            plan=self.plan(campaign),
            campaign=store.campaign(campaign),
            accounts=store.judges(campaign),
            phases=counted.phases,
            tallies=counted.judges,
            paces=store.paces(campaign, now=now),
            seconds=seconds,
            now=now,
        )
        judges = tuple(progress.judges(people))
        left = {p.task: _left(p) for p in counted.phases if p.phase == "evaluation"}
        spans, history = self._history(campaign, now)
        found = tuple(self._shortages(campaign, judges))
        return Standing(
            phases=counted.phases,
            judges=judges,
            forecast=coming.forecast(sum(left.values()), history, span=spans, now=now),
            hours_left=_hours(left, seconds),
            shortages=found,
            remarks=(*(one.remark for one in found), *_unasked(counted.phases, judges)),
            history=tuple(history),
            last=max((one.last for one in counted.judges if one.last), default=None),
            now=now,
        )

    def test_set(self, campaign: str) -> TestSet:
        """What is judged, read once for all who look."""
        return self._blueprint(campaign).test_set

    def glances(self) -> list[Glance]:
        """Every campaign of the store, the oldest first: done and wanted, at one look."""
        return self.store.glances()

    def reminders(
        self,
        campaign: str,
        *,
        link: str,
        after: timedelta = AFTER,
        language: str = "",
        standing: Standing | None = None,
    ) -> list[Reminder]:
        """Who needs a reminder, with the text ready; who got one lately does not.

        `link` leads to the campaign's login. The language is the campaign's own where none is said.
        """
        seen = standing or self.standing(campaign)
        last = reminders.last(self.store.logged(campaign, REMINDED))
        waiting = [
            one
            for one in reminders.needed(seen.judges, last, after=after, now=seen.now)
            if self.store.offers(campaign, one.account.id)
        ]
        plan = self.plan(campaign)
        return [reminders.written(one, last, plan, link=link, language=language) for one in waiting]

    def give_address(self, campaign: str, pin: str, address: str, *, author: str) -> None:
        """Where a judge's reminders go; nothing takes the address away."""
        if address and not mail.is_address(address):
            message = "this is no address for mail"
            raise complain(message, field="address", value=address, code="no-mail-address")
        account = self.store.judge_by_pin(campaign, pin)
        if account is None:
            raise unknown("judge", pin, [one.pin for one in self.store.judges(campaign)])
        change = AccountChange(address=address)
        now = self._clock()
        self.store.change_judge(campaign, account.id, change, author=author, now=now)

    def remind(
        self, campaign: str, letters: Sequence[Letter], *, post: Post | None, author: str
    ) -> dict[str, str]:
        """Mail reminders, or note that the coordinator gave them himself where there is no post.

        By PIN, what went wrong; who was reminded stands in the audit log.
        """
        failed = mail.send(post, letters) if post else {}
        told = [letter.pin for letter in letters if letter.pin not in failed]
        if told:
            details = {"pins": told, "by": "mail" if post else "hand"}
            now = self._clock()
            self.store.log(campaign, REMINDED, author=author, now=now, details=details)
        return failed

    def _history(self, campaign: str, now: datetime) -> tuple[timedelta, list[int]]:
        """The span by which the pace is measured, and the decisions in each, the latest first."""
        days = self._counts(campaign, now, coming.DAY)
        if 0 < len(days) <= coming.YOUNG:
            return coming.HOUR, self._counts(campaign, now, coming.HOUR)
        return coming.DAY, days

    def _counts(self, campaign: str, now: datetime, span: timedelta) -> list[int]:
        most = coming.SPANS[span]
        found = self.store.windows(campaign, now=now, width=span, most=most)
        counts = [of for (_, phase), of in found.items() if phase == "evaluation"]
        return [sum(each) for each in zip(*counts, strict=True)]

    def _shortages(self, campaign: str, judges: Sequence[progress.Judge]) -> list[Shortage]:
        blueprint = self._blueprint(campaign)
        held = {
            task.name: rules(
                task,
                blueprint.protocols[task.name],
                blueprint.test_set.systems,
                own_site=blueprint.plan.own_site,
            )
            for task in blueprint.plan.tasks
        }
        accounts = [one.account for one in judges]
        active = [one.judge for one in accounts if not (one.disabled or one.pending)]
        return shortages(self.store.open_places(campaign), active, held)


def _left(phase: PhaseTally) -> int:
    """Decisions that are still wanted; of what is closed none are."""
    left = phase.wanted_decisions - phase.decisions
    return 0 if phase.state == "closed" else max(0, left)


def _hours(left: Mapping[str, int], seconds: Mapping[str, float]) -> float | None:
    """Of judging; a task without times of its own takes as long as the others."""
    if not seconds:
        return None
    usual = median(seconds.values())
    return sum(count * seconds.get(task, usual) for task, count in left.items()) / 3600


def _unasked(phases: Sequence[PhaseTally], judges: Sequence[progress.Judge]) -> list[Remark]:
    """Tasks that are not done when everybody has done what is required of him."""
    active = [one for one in judges if not (one.account.disabled or one.account.pending)]
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
        free = phase.wanted - phase.done - asked
        if free > 0:
            message = f"{phase.task}: {some(free, 'kit')} more than is required of anybody"
            values: dict[str, str | int] = {"task": phase.task, "count": free}
            found.append(Remark(code="unasked", message=message, values=values))
    return found
