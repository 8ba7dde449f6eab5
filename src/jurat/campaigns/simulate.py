"""Simulated judges fill a campaign through the service, as people do, one kit each in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from jurat.bots import Bot, Truth
from jurat.campaigns.availability import Rest
from jurat.campaigns.screens import Screen
from jurat.campaigns.service import Service
from jurat.campaigns.submission import Submission
from jurat.store import Decision


class Stopwatch:
    """A clock that moves only when it is told to."""

    def __init__(self, start: datetime) -> None:
        self.now = start

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, seconds: float) -> None:
        """Move the clock forward."""
        self.now += timedelta(seconds=seconds)


class Driver:
    """Runs simulated judges, given by the ids of their accounts, until a campaign is filled."""

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
        rests: dict[str, Rest] = {}
        working = list(self._bots)
        while working and not self._enough(most):
            busy = [
                judge
                for judge in working
                if not self._enough(most) and self._has_done_something(judge, rests, on_decision)
            ]
            # a judge who waits for others' kits tries again, as long as somebody makes progress
            waiting = [judge for judge, rest in rests.items() if rest.kind == "waiting" and busy]
            working = [judge for judge in self._bots if judge not in rests or judge in waiting]
        return rests

    def _enough(self, most: int | None) -> bool:
        return most is not None and self._made.total() >= most

    def _has_done_something(
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
            self._watch.now = max(self._watch.now, step.until)
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
        seconds = bot.seconds(found.item, position=step.position)
        self._watch.pass_by(seconds)
        sent = Submission(
            assignment=step.assignment,
            position=step.position,
            answers=answers,
            active_seconds=seconds,
            language="en",
        )
        return judging.submit(self._campaign, judge, sent, go_on=self._go_on)
