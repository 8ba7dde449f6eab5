"""The middle of a system's answers, which a few very low ones do not move."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array
from jurat.stats.spread import Spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import SystemSettings, choices
from jurat.stats.systems.drawing import Drawing
from jurat.stats.systems.panel import Panel, panels
from jurat.stats.systems.wording import best_first, leader, no_numbers

MOST_POINTS = 256
"""Points of a scale up to which resampled medians are counted out."""


class SystemMedian(Statistic[Settings]):
    """Medians of a system's judgments."""

    name = "system-median"
    gives = ("system-median",)
    asks = "What is the middle of each system's scores?"
    formula = "median of the system's judgments; n counts judgments"
    source = "order statistics; pigeonhole bootstrap: Owen 2007"
    needs = ("system",)
    place = 22

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The medians of every question."""
        chosen = choices(settings)
        estimates: list[Estimate] = []
        how = ""
        for panel in panels(evaluation, chosen):
            drawing, made = medians(panel, chosen)
            how = how or drawing.method(made)
            estimates += best_first(
                (
                    made.estimate(
                        at,
                        n=int(panel.counts[at]),
                        by={**panel.by, "system": system},
                        tags=panel.tags,
                        reason="the system has no number",
                    )
                    for at, system in enumerate(panel.systems)
                ),
                chosen.best,
            )
        yield self.result(
            evaluation,
            settings,
            estimates or no_numbers(evaluation),
            method=told(self.formula, how, chosen.direction),
            headline=leader(estimates, f"has the {chosen.best} median,", best=chosen.best),
            draw=lambda: figures.points_with_intervals(
                "Median scores", estimates, over="system", value="median", facet="question"
            ),
            **chosen.told(),
        )


def medians(panel: Panel, settings: SystemSettings) -> tuple[Drawing, Spread]:
    """The median of each system, with an interval where the scale has no more than 256 points."""
    points, code = np.unique(panel.values, return_inverse=True)
    width = len(points) * len(panel.systems)
    if len(points) > MOST_POINTS:
        values = np.array([_median(panel.values[panel.system == s]) for s in _each(panel)])
        nothing = np.full(values.shape, np.nan)
        return panel.drawing, Spread(values=values, low=nothing, high=nothing)
    drawing = Drawing.of(
        panel.document_of[panel.sentence], panel.drawn, panel.judge, columns=20 * width
    )
    rows = drawing.sums(panel.system * len(points) + code, width)
    return drawing, drawing.spread(rows, partial(_middle, points=points), settings)


def _each(panel: Panel) -> range:
    return range(len(panel.systems))


def _median(values: Array) -> float:
    return float(np.median(values)) if len(values) else np.nan


def _middle(totals: Array, *, points: Array) -> Array:
    """Medians from how often each point was given: the mean of the lower and the upper middle."""
    counts = totals.reshape(len(totals), -1, len(points))
    below = np.cumsum(counts, axis=2)
    number = below[:, :, -1:]
    lower = points[(2 * below >= number).argmax(axis=2)]
    upper = points[(2 * below > number).argmax(axis=2)]
    return np.where(number[:, :, 0] > 0, (lower + upper) / 2, np.nan)
