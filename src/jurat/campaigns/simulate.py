"""Simulated judges at work: they come through the service like people, a kit at a time in turn."""

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
    """A clock that stands still until somebody has taken his time."""

    def __init__(self, start: datetime) -> None:
        self.now = start

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, seconds: float) -> None:
        """Let time go by."""
        self.now += timedelta(seconds=seconds)


class Driver:
    """Lets simulated judges, by the ids of their accounts, fill a campaign."""

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

    def run(
        self, told: Callable[[Decision], None] = lambda _: None, *, most: int | None = None
    ) -> dict[str, Rest]:
        """Let all judge until none of them is given anything more; why each of them stopped.

        With `most` they leave the rest to others: nobody begins a kit after so many decisions.
        """
        rests: dict[str, Rest] = {}
        working = list(self._bots)
        while working and not self._enough(most):
            busy = [
                judge
                for judge in working
                if not self._enough(most) and self._has_done_something(judge, rests, told)
            ]
            # who waits for what others have looks in again, as long as somebody gets on
            waiting = [judge for judge, rest in rests.items() if rest.kind == "waiting" and busy]
            working = [judge for judge in self._bots if judge not in rests or judge in waiting]
        return rests

    def _enough(self, most: int | None) -> bool:
        return most is not None and self._made.total() >= most

    def _has_done_something(
        self, judge: str, rests: dict[str, Rest], told: Callable[[Decision], None]
    ) -> bool:
        """Let a judge do one kit, or note why there is none; whether he got on."""
        rests.pop(judge, None)
        step = self._service.judging.next(self._campaign, judge, go_on=True)
        done = isinstance(step, Screen)
        while isinstance(step, Screen):
            decided, step = self._decide(judge, step)
            told(decided)
            if decided.finished and isinstance(step, Screen):
                return True
        if step.kind == "pause" and step.until is not None:
            self._watch.now = max(self._watch.now, step.until)
        else:
            rests[judge] = step
        return done

    def _decide(self, judge: str, step: Screen) -> tuple[Decision, Screen | Rest]:
        """The bot's answers; what is behind the screen is looked up where people cannot."""
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
        return judging.submit(self._campaign, judge, sent, go_on=True)
