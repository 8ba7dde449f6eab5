"""One answer of a statistic, before its base class makes it a result of the evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from jurat.results import Estimate, Figure, Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.settings import Settings
from jurat.stats.statistic import Statistic


class Answer(NamedTuple):
    """What `Statistic.result` takes, without what is the same in all answers of a folder."""

    estimates: Sequence[Estimate]
    method: str = ""
    """How it was computed; the statistic's formula where it is empty."""
    name: str = ""
    """One of the names that the statistic gives; the first where it is empty."""
    headline: str = ""
    draw: Callable[[], Figure] | None = None
    choices: Mapping[str, object] = {}
    """What stands in the signature after the choices that all answers share."""

    def result(
        self,
        statistic: Statistic[Any],
        evaluation: Evaluation,
        settings: Settings,
        shared: Mapping[str, object],
    ) -> Result:
        """The result of the statistic, with the shared choices and its own in the signature."""
        return statistic.result(
            evaluation,
            settings,
            self.estimates,
            name=self.name,
            method=self.method,
            headline=self.headline,
            draw=self.draw,
            **{**shared, **self.choices},
        )
