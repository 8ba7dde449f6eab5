"""How much better one system is than another on the sentences that they share."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array
from jurat.stats.spread import Spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import SystemSettings, choices
from jurat.stats.systems.drawing import undefined
from jurat.stats.systems.panel import Panel, panels
from jurat.stats.systems.shares import pairs_of
from jurat.stats.systems.testing import NEVER
from jurat.stats.systems.wording import no_numbers, place
from jurat.stats.words import interval

MOST_SYSTEMS = 60
"""Of more systems only the values are told: intervals of every pair would take gigabytes."""


class SystemDifference(Statistic[Settings]):
    """Paired differences: progress from one version to the next, or of any two systems."""

    name = "system-difference"
    gives = ("system-difference",)
    asks = "How much better is one system, or one version of it, than another?"
    formula = (
        "mean over the shared sentences of mean score of a − mean score of b; n counts sentences"
    )
    source = "paired design; bootstrap of documents (Koehn 2004 for paired resampling in MT)"
    needs = ("system",)
    place = 45

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The differences of every question."""
        chosen = choices(settings)
        estimates: list[Estimate] = []
        how = ""
        for panel in panels(evaluation, chosen):
            made, numbers = differences(panel, chosen)
            how = how or panel.sentence_drawing.method(made)
            estimates += _estimates(panel, made, numbers)
        yield self.result(
            evaluation,
            settings,
            estimates or no_numbers(evaluation),
            method=told(self.formula, how, chosen.direction),
            headline=_headline(estimates),
            draw=lambda: _draw(estimates),
            **chosen.told(),
        )


def differences(panel: Panel, settings: SystemSettings) -> tuple[Spread, Array]:
    """Mean differences of every two systems (a before b by name) with intervals, and their n."""
    first, second = np.triu_indices(len(panel.systems), 1)
    drawing = panel.sentence_drawing
    if not len(first):
        return undefined(0), np.zeros(0)
    rows = np.zeros((drawing.cells, 2, len(first)))
    for at, (a, b) in enumerate(zip(first, second, strict=True)):
        apart = panel.means[:, a] - panel.means[:, b]
        there = ~np.isnan(apart)
        cell = drawing.cell[there]
        rows[:, 0, at] = np.bincount(cell, weights=apart[there], minlength=drawing.cells)
        rows[:, 1, at] = np.bincount(cell, minlength=drawing.cells)
    numbers = rows[:, 1].sum(axis=0)
    many = len(panel.systems) > MOST_SYSTEMS
    plain = settings.without_intervals() if many else settings
    return drawing.spread(rows.reshape(drawing.cells, -1), _mean, plain), numbers


def _mean(totals: Array) -> Array:
    apart, number = np.split(totals, 2, axis=1)
    return np.asarray(apart / number)


def _estimates(panel: Panel, made: Spread, numbers: Array) -> Iterator[Estimate]:
    size = len(panel.systems)
    at = np.zeros((size, size), dtype=np.int64)
    at[np.triu_indices(size, 1)] = np.arange(len(numbers))
    with np.errstate(invalid="ignore", divide="ignore"):
        scores = np.bincount(panel.system, weights=panel.values, minlength=size) / panel.counts
    for a, b in pairs_of(panel.sign * scores):
        place_of = int(at[min(a, b), max(a, b)])
        by = {**panel.by, "system_a": panel.systems[a], "system_b": panel.systems[b]}
        found = made.estimate(
            place_of, n=int(numbers[place_of]), by=by, tags=panel.tags, reason=NEVER
        )
        yield found if a < b else _turned(found)


def _turned(e: Estimate) -> Estimate:
    value, low, high = (None if x is None else 0.0 - x for x in (e.value, e.high, e.low))
    return e._replace(value=value, low=low, high=high)


def _headline(estimates: list[Estimate]) -> str:
    told_of = next((e for e in estimates if e.value is not None), None)
    if told_of is None or told_of.value is None:
        return ""
    a, b = told_of.by["system_a"], told_of.by["system_b"]
    where = place(told_of)
    more = "above" if told_of.value > 0 else "below"
    apart = f"{spoken(abs(told_of.value))} {more}" if told_of.value else "the same as"
    return f"{where}: {a} scores {apart} {b}{interval(told_of)} on {told_of.n:,} sentences."


def _draw(estimates: list[Estimate]) -> Figure:
    half = [e for e in estimates if e.value is not None]
    named = [
        e._replace(by={**e.by, "pair": f"{e.by['system_a']} − {e.by['system_b']}"})
        for e in half[: len(half) // 2][:60]
    ]
    return figures.points_with_intervals(
        "Differences on shared sentences", named, over="pair", value="difference", facet="question"
    )
