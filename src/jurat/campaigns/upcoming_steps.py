"""What a judge's pages show beside the step itself: what comes after it, and the whole."""

from __future__ import annotations

from statistics import median

import msgspec

from jurat.campaigns.judge_overview import Part, overview
from jurat.campaigns.judging import Judging

# Decisions from which the time of others is estimated.
ENOUGH = 10


class Languages(msgspec.Struct, frozen=True):
    """Of the texts, as the test set names them; empty where it does not."""

    source: str
    target: str


class Seeing(Judging):
    """The judge's view of his kit and of the campaign."""

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
