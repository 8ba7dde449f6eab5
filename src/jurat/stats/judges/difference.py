"""Each judge's mean against the mean of the others on the same items."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurat.results import Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import rules
from jurat.stats.judges.diagnosing import Diagnosing
from jurat.stats.judges.panel import DIFFERENCE, OTHERS, Panel, panels
from jurat.stats.judges.rules import Verdict
from jurat.stats.judges.signal import Reading, Signal


class Difference(Signal):
    """Hamon et al.'s first way, second reading: the difference to the others."""

    name = "judge-difference"
    gives = ("judge-difference", "judge-others-mean")
    way = "difference"
    asks = "Who scores the same items lower or higher than the others do?"
    formula = "mean over items of own score − mean of the others' scores of the item"
    rule = "outside mean ± {k} SD (ddof 1) of the judges' differences"
    source = "Hamon et al., section 3.3, figures 2 and 3"
    needs = ("judge",)
    place = 32
    counts = "items that others judged too"

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The difference of every judge."""
        return tuple(_reading(panel, settings) for panel in panels(evaluation, settings))

    def results(self, evaluation: Evaluation, settings: Diagnosing) -> Iterator[Result]:
        """The difference of every judge, and the others' mean on his items."""
        yield from super().results(evaluation, settings)
        yield self.told_as(
            evaluation,
            settings,
            [others(panel) for panel in panels(evaluation, settings)],
            name="judge-others-mean",
            formula="mean over the judge's items of the mean of the others' scores of the item",
        )


def _reading(panel: Panel, settings: Diagnosing) -> Reading:
    values = panel.values(DIFFERENCE)
    verdict = rules.outside(values, settings.k)
    return panel.reading(DIFFERENCE, verdict, side=rules.sides(values, verdict.found))


def others(panel: Panel) -> Reading:
    """The others' mean on the items of each judge, which makes nobody stand out."""
    return panel.reading(OTHERS, Verdict(np.full(len(panel.judges), np.nan)))
