"""Answers that are right or wrong: comprehension as accuracy, concept transfer as odds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl

from jurat.results import Estimate, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Ratings
from jurat.stats.spread import Spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import SystemSettings, choices
from jurat.stats.systems.panel import Panel, check_only, panel_of, scored
from jurat.stats.systems.wording import best_first, leader

NUMBERED = re.compile(r"(.+)\.\d+")
"""One of several concepts or reading questions of an item: `concepts.2`."""
NONE = "no question has only right and wrong answers (1 and 0)"


class Success(Statistic[Settings]):
    """Shares and odds of success, of all numbered questions of an item together."""

    name = "success-share"
    gives = ("success-share", "success-odds")
    asks = "How many answers are right, how many concepts came through?"
    formula = "right / all answers; odds: right / wrong"
    source = "accuracy: White, O'Connell & O'Mara 1994; odds: Sanders et al. 2008 (TRANSTAC)"
    needs = ("system",)
    place = 90

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Shares of every right-or-wrong question, then odds."""
        chosen = choices(settings)
        check_only(evaluation, chosen)
        found: dict[str, list[Estimate]] = {name: [] for name in self.gives}
        how = ""
        for ratings in _families(evaluation):
            panel = panel_of(ratings, chosen)
            made = successes(panel, chosen)
            how = how or panel.drawing.method(made)
            for part, name in enumerate(self.gives):
                found[name] += best_first(_estimates(panel, made, part))
        for (name, estimates), formula in zip(
            found.items(), self.formula.split("; odds: "), strict=True
        ):
            share = name == self.gives[0]
            words = "success most often," if share else "the best odds of success,"
            yield self.result(
                evaluation,
                settings,
                estimates or [Estimate(value=None, n=0, reason=NONE)],
                name=name,
                method=told(f"{formula}; n counts answers", how),
                headline=leader(estimates, f"has {words}", share=share),
                draw=partial(
                    figures.points_with_intervals,
                    "Share of right answers" if share else "Odds of success",
                    estimates,
                    over="system",
                    value="share" if share else "odds",
                    facet="question",
                ),
                **chosen.told(),
            )


def _families(evaluation: Evaluation) -> Iterator[Ratings]:
    """Questions whose answers are all 0 or 1, those of one family (`reading.1`, …) together."""
    families: dict[tuple[object, ...], list[Ratings]] = {}
    for ratings in filter(scored, evaluation.ratings):
        if np.isin(ratings.places, (0.0, 1.0)).all():
            whole = NUMBERED.fullmatch(ratings.question)
            name = whole[1] if whole else ratings.question
            families.setdefault((name, *ratings.tags.items()), []).append(ratings)
    for key, members in families.items():
        frame = pl.concat([m.frame for m in members], how="diagonal_relaxed")
        yield replace(members[0], question=str(key[0]), frame=frame)


def successes(panel: Panel, settings: SystemSettings) -> Spread:
    """Shares of right answers, then odds, of each system."""
    add = partial(panel.drawing.sums, panel.system, len(panel.systems))
    rows = np.hstack([add(panel.values), add(None)])
    return panel.drawing.spread(rows, _scored, settings)


def _scored(totals: Array) -> Array:
    right, number = np.split(totals, 2, axis=1)
    return np.hstack([right / number, right / (number - right)])


def _estimates(panel: Panel, made: Spread, part: int) -> Iterator[Estimate]:
    size = len(panel.systems)
    for at, system in enumerate(panel.systems):
        yield made.estimate(
            part * size + at,
            n=int(panel.counts[at]),
            by={**panel.by, "system": system},
            tags=panel.tags,
            reason="nothing went wrong: the odds have no bound" if part else "no answers",
        )
