"""Simulated judges fill a campaign through the service, as people do, one kit each in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from jurat.bots import Bot, Truth
from jurat.campaigns.judge_tasks import Rest
from jurat.campaigns.screens import Screen
from jurat.campaigns.service import Service
from jurat.campaigns.submission import Submission
from jurat.kits.expected_time import expected_seconds
from jurat.store import Decision

# How much longer judges may take than is expected of them on average, since not all do the same.
MARGIN = 1.3


class Stopwatch:
    """A clock that moves only when it is told to, and not beyond its end if it has one."""

    def __init__(self, start: datetime, end: datetime | None = None) -> None:
        self.now = start
        self._end = end

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, seconds: float) -> None:
        """Move the clock forward."""
        self.move_to(self.now + timedelta(seconds=seconds))

    def move_to(self, moment: datetime) -> None:
        """Move the clock to this moment."""
        self.now = moment if self._end is None else min(moment, self._end)


def expected_duration(service: Service, campaign: str, judges: int) -> timedelta:
    """How long so many judges need for what is left of a campaign, all at the same time."""
    hours, done = 0.0, {(p.task, p.phase): p for p in service.monitoring.progress(campaign).phases}
    decisions = 0.0
    for coverage in service.campaigns.audit(campaign).tasks:
        tally = done[coverage.task, coverage.phase]
        left = 1 - tally.decisions / tally.wanted_decisions if tally.wanted_decisions else 1.0
        hours += coverage.hours * left
        decisions += max(tally.wanted_decisions - tally.decisions, 0)
    sitting, each = service.campaigns.plan(campaign).sitting, MARGIN * decisions / judges
    pauses = each / sitting.items * sitting.pause_minutes / 60 if sitting.items else 0.0
    nights = 24 * each / sitting.items_a_day if sitting.items_a_day else 0.0
    return timedelta(hours=MARGIN * hours / judges + pauses + nights)


class Driver:
    """Runs simulated judges, given by the ids of their accounts, until a campaign is filled.

    They judge at the same time: each has a clock of their own, which begins where `watch` is and to
    which it is set while they judge. In the end it shows the time of the last of them.
    """

    def __init__(
        self,
        service: Service,
        campaign: str,
        bots: Mapping[str, Bot],
        truth: Truth,
        watch: Stopwatch,
    ) -> None:
        self._service = service
        self._campaign = campaign
        self._bots = dict(bots)
        self._truth = truth
        self._watch = watch
        self._made: Counter[str] = Counter()
        self._go_on = True

    def run(
        self,
        on_decision: Callable[[Decision], None] = lambda _: None,
        *,
        most: int | None = None,
        go_on: bool = True,
    ) -> dict[str, Rest]:
        """Let all judge until none is given a kit; returns by judge why they stopped.

        `on_decision` is called with every decision. After `most` decisions nobody begins
        another kit; without `go_on` nobody does more than is required.
        """
        self._go_on = go_on
        clocks = dict.fromkeys(self._bots, self._watch.now)
        rests: dict[str, Rest] = {}
        working = list(self._bots)
        while working and not self._enough(most):
            busy = [
                judge
                for judge in working
                if not self._enough(most)
                and self._has_done_something(judge, clocks, rests, on_decision)
            ]
            # a judge who waits for others' kits tries again, as long as somebody makes progress
            waiting = [judge for judge, rest in rests.items() if rest.kind == "waiting" and busy]
            working = [judge for judge in self._bots if judge not in rests or judge in waiting]
        self._watch.now = max(clocks.values(), default=self._watch.now)
        return rests

    def _enough(self, most: int | None) -> bool:
        return most is not None and self._made.total() >= most

    def _has_done_something(
        self,
        judge: str,
        clocks: dict[str, datetime],
        rests: dict[str, Rest],
        on_decision: Callable[[Decision], None],
    ) -> bool:
        """Let a judge do one kit by their clock; returns whether they did anything."""
        self._watch.now = clocks[judge]
        done = self._do_kit(judge, rests, on_decision)
        clocks[judge] = self._watch.now
        return done

    def _do_kit(
        self, judge: str, rests: dict[str, Rest], on_decision: Callable[[Decision], None]
    ) -> bool:
        """Let a judge do one kit, or note why there is none; returns whether they did anything."""
        rests.pop(judge, None)
        step = self._service.judging.next(self._campaign, judge, go_on=self._go_on)
        done = isinstance(step, Screen)
        while isinstance(step, Screen):
            decided, step = self._decide(judge, step)
            on_decision(decided)
            # One kit at a time, so that judges take turns as they do in reality.
            if decided.finished and isinstance(step, Screen):
                return True
        # Nobody waits: the clock moves to the end of the pause.
        if step.kind == "pause" and step.until is not None:
            self._watch.move_to(max(self._watch.now, step.until))
        else:
            rests[judge] = step
        return done

    def _decide(self, judge: str, step: Screen) -> tuple[Decision, Screen | Rest]:
        """Send a bot's answers; bots look up the step behind the screen, which people cannot."""
        bot, judging = self._bots[judge], self._service.judging
        found = judging.step(self._campaign, judge, step.assignment, step.position)
        protocol = self._service.campaigns.protocol(self._campaign, step.task)
        self._made[judge] += 1
        answers = bot.answers(
            protocol,
            found.item,
            position=self._made[judge],
            truth=self._truth,
            stage=step.stage,
            earlier=step.earlier,
        )
        # an item's time is that of all its stages
        expected = expected_seconds(protocol, found.item) / len(protocol.stages)
        seconds = bot.seconds(found.item, position=step.position, expected=expected)
        self._watch.pass_by(seconds)
        sent = Submission(
            assignment=step.assignment,
            position=step.position,
            answers=answers,
            active_seconds=seconds,
            language="en",
        )
        return judging.submit(self._campaign, judge, sent, go_on=self._go_on)
