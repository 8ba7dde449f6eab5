"""TrueSkill: each system's skill as a bell curve, from comparisons with wins, losses and ties."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec
import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array
from jurat.stats.spread import Spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import SEQUENTIAL, SystemSettings, choices
from jurat.stats.systems.comparisons import Comparisons, comparisons
from jurat.stats.systems.connected import why_apart
from jurat.stats.systems.drawing import undefined
from jurat.stats.systems.skills import Messages, margin, skills, skills_in_turn
from jurat.stats.systems.wording import best_first, leader, nothing_compared

MOST = 200_000
"""Resamples × S²: more take seconds, so that there are fewer resamples of many systems."""


class TrueSkill(Statistic[Settings]):
    """Skills on TrueSkill's usual scale: 25 is the mean, a comparison's noise is 25/6."""

    name = "trueskill"
    gives = ("trueskill",)
    asks = "How skilled is each system, as games rate their players?"
    formula = (
        "mean μ of the skill; prior 25 ± 25/3, noise 25/6, ties as often as seen; "
        "n counts the system's comparisons"
    )
    source = "Herbrich, Minka & Graepel 2006; Sakaguchi, Post & Van Durme 2014 (WMT)"
    place = 75

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The skills of every question."""
        chosen = choices(settings)
        estimates: list[Estimate] = []
        how = ""
        for compared in comparisons(evaluation, chosen):
            made = skill_spread(compared, chosen)
            how = how or told(compared.words, compared.drawing.method(made))
            reason = _why_not(compared, chosen)
            estimates += best_first(compared.estimates(made, reason))
        yield self.result(
            evaluation,
            settings,
            estimates or nothing_compared(evaluation),
            method=told(self.formula, _WAYS[chosen.rating], how, chosen.direction),
            headline=leader(estimates, "has the greatest skill,"),
            draw=lambda: _draw(estimates),
            passes=chosen.rating,
            **chosen.told(),
        )


_WAYS = {
    "trueskill": "all comparisons at once (expectation propagation until nothing changes)",
    SEQUENTIAL: "one comparison after the other, in the order of the table, with drift 25/300",
}


def skill_spread(compared: Comparisons, settings: SystemSettings) -> Spread:
    """Mean skills with intervals; NaN where the comparisons do not connect all systems."""
    size = len(compared.systems)
    ties = float(compared.ties.sum() / 2)
    draw_margin = margin(ties / max(1.0, float(compared.wins.sum()) + ties))
    if _why_not(compared, settings):
        return undefined(size)
    if settings.rating == SEQUENTIAL:
        assert compared.pairs is not None
        return _without_interval(
            skills_in_turn(compared.pairs.turns(), size, draw_margin=draw_margin)[0]
        )
    start = skills(compared.wins[None], compared.ties[None], draw_margin=draw_margin)[1]
    score = partial(_means, systems=size, draw_margin=draw_margin, start=start)
    few = min(settings.bootstrap, max(100, MOST // size**2))
    return compared.drawing.spread(
        compared.rows, score, msgspec.structs.replace(settings, bootstrap=few)
    )


def _means(totals: Array, *, systems: int, draw_margin: float, start: Messages) -> Array:
    """Mean skills of resampled totals; an interval needs fewer digits than a value."""
    both = totals.reshape(-1, 2, systems, systems)
    ties = both[:, 1] + both[:, 1].swapaxes(1, 2)
    precise = 1e-6 if len(totals) == 1 else 1e-3
    found, _ = skills(both[:, 0], ties, draw_margin=draw_margin, start=start, precise=precise)
    return found.mean


def _without_interval(values: Array) -> Spread:
    nothing = np.full(values.shape, np.nan)
    return Spread(values=values, low=nothing, high=nothing)


def _why_not(compared: Comparisons, settings: SystemSettings) -> str:
    if settings.rating == SEQUENTIAL and compared.pairs is None:
        return "scores have no order of comparisons"
    return why_apart(compared)


def _draw(estimates: list[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "TrueSkill ratings", estimates, over="system", value="skill μ", facet="question"
    )
