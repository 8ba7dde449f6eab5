"""Each judge's mean distance to the others on the same items."""

from __future__ import annotations

from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import rules
from jurat.stats.judges.diagnosing import Diagnosing
from jurat.stats.judges.panel import DIFFERENCE, DISTANCE, Panel, panels
from jurat.stats.judges.signal import Reading, Signal


class Distance(Signal):
    """Hamon et al.'s second way, which they call mean agreement."""

    name = "judge-distance"
    gives = ("judge-distance",)
    way = "distance"
    doubts = True
    asks = "Who is far from the others on the same items?"
    formula = "mean over items of the mean |own − other| over the others of the item"
    rule = "above mean + {k} SD (ddof 1) of the judges' distances; side by the difference"
    source = "Hamon et al., section 3.3, figures 4 and 5"
    needs = ("judge",)
    place = 34
    counts = "items that others judged too"

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The distance of every judge."""
        return tuple(_reading(panel, settings) for panel in panels(evaluation, settings))


def _reading(panel: Panel, settings: Diagnosing) -> Reading:
    verdict = rules.above(panel.values(DISTANCE), settings.k)
    side = rules.sides(panel.values(DIFFERENCE), verdict.found)
    return panel.reading(DISTANCE, verdict, side=side)
