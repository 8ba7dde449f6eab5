"""What a judge's pages show beside the step itself: what comes after it, and the whole."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import msgspec

from jurat.campaigns import resting
from jurat.campaigns.judging import Judging, screen_of
from jurat.campaigns.overview import Part, overview
from jurat.campaigns.screens import Screen

ENOUGH = 10
"""Decisions from which the time of others is estimated."""


class Languages(msgspec.Struct, frozen=True):
    """Of the texts, as the test set names them; empty where it does not."""

    source: str
    target: str


class Seeing(Judging):
    """The judge's view of his kit and of the campaign."""

    def ahead(
        self, campaign: str, judge: str, assignment: str, position: int, *, most: int
    ) -> Sequence[Screen]:
        """The steps after this one, as far as they may be known before it is decided.

        Nobody gets more than he may do before his next pause.
        """
        self._admitted(campaign, judge, "judge")
        limits = self.plan(campaign).sitting
        if limits.limited:
            now = self._clock()
            recent = self._recent(campaign, judge, now)
            most = resting.before_pause(recent, limits, now, most=most)
        turns = self.store.ahead(campaign, judge, assignment, position, most=most)
        blueprint = self._blueprint(campaign)
        return [screen_of(blueprint, turn) for turn in turns]

    def overview(self, campaign: str, judge: str) -> list[Part]:
        """The parts of the campaign in their order, as far as they concern this judge."""
        progress = self.store.progress(campaign)
        own = {(t.task, t.phase): t for t in progress.judges if t.judge == judge}
        times = self.store.recent_seconds(campaign)
        seconds = {task: median(some) for task, some in times.items() if len(some) >= ENOUGH}
        return overview(self.plan(campaign), self.store.campaign(campaign), own, seconds)

    def languages(self, campaign: str) -> Languages:
        """Of source and target, as far as the documents have none of their own."""
        test_set = self._blueprint(campaign).test_set
        return Languages(test_set.source_language, test_set.target_language)

    def guest_tasks(self, campaign: str) -> list[str]:
        """The tasks whose tutorial a guest can try, in their order."""
        phases = self.store.campaign(campaign).phases
        taught = {record.task for record in phases if record.phase == "tutorial"}
        return [task.name for task in self.plan(campaign).tasks if task.name in taught]

    def texts(self, campaign: str) -> list[str]:
        """Every reference: together they tell which words of the language are common."""
        segments = [segment for _, segment in self._blueprint(campaign).test_set.segments()]
        return [text for segment in segments for text in segment.references.values()]
