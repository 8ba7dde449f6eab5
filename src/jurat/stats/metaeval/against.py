"""What statistics of metrics against people have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jurat.results import Estimate, Figure, Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.settings import MetricSettings
from jurat.stats.statistic import Settings, Statistic, nothing

WORDS = "the answers are words: people must rate, rank or compare"


class AgainstPeople(Statistic[Settings]):
    """A statistic of metrics against people; the choices that all share are in its signature."""

    def answer(
        self,
        evaluation: Evaluation,
        settings: MetricSettings,
        estimates: Sequence[Estimate],
        *,
        name: str = "",
        method: str = "",
        headline: str = "",
        draw: Callable[[], Figure] | None = None,
        **more: object,
    ) -> Result:
        """A result of this statistic; where there is nothing, it says why."""
        return self.result(
            evaluation,
            settings,
            estimates or nothing(evaluation, WORDS),
            name=name,
            method=method,
            headline=headline,
            draw=draw,
            **{**settings.told(), **more},
        )
