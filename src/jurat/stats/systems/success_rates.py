"""Answers that are right or wrong: comprehension as accuracy, concept transfer as odds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl

from jurat.results import Estimate, Result
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Ratings
from jurat.stats.settings import Settings
from jurat.stats.systems.score_table import (
    ScoreTable,
    check_only,
    has_system_scores,
    score_table_of,
)
from jurat.stats.systems.settings import SystemSettings
from jurat.stats.systems.system_statistic import Shown, SystemStatistic, best_first

# One of several concepts or reading questions of an item: `concepts.2`.
NUMBERED = re.compile(r"(.+)\.\d+")
NONE = "no question has only right and wrong answers (1 and 0)"
# By result: how it is computed, and why a system has none.
GIVES = {
    "success-share": ("right / all answers", "no answers"),
    "success-odds": ("right / wrong", "nothing went wrong: the odds have no bound"),
}


class SuccessRates(SystemStatistic):
    """Shares and odds of success, of all numbered questions of an item together."""

    name = "success-share"
    gives = tuple(GIVES)
    asks = "How many answers are right, how many concepts came through?"
    formula = "right / all answers; odds: right / wrong"
    source = "accuracy: White, O'Connell & O'Mara 1994; odds: Sanders et al. 2008 (TRANSTAC)"
    needs = ("system",)
    order = 90
    shown = (
        Shown("Share of right answers", "share", "has success most often,", share=True),
        Shown("Odds of success", "odds", "has the best odds of success,"),
    )

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Shares of every right-or-wrong question, then odds."""
        chosen = SystemSettings.of(settings)
        check_only(evaluation, chosen)
        tables = [score_table_of(ratings, chosen) for ratings in _families(evaluation)]
        found = [(table, success_rates(table, chosen)) for table in tables]
        how = next((m for table, made in found if (m := table.units.method(made))), "")
        for part, (name, (formula, reason)) in enumerate(GIVES.items()):
            estimates = []
            for table, made in found:
                start = part * len(table.systems)
                estimates += best_first(table.estimates(made, table.counts, reason, start=start))
            method = method_line(f"{formula}; n counts answers", how)
            yield self.system_result(evaluation, chosen, estimates, name=name, method=method)

    def missing(self, evaluation: Evaluation) -> list[Estimate]:
        """That no question is of this kind."""
        return [Estimate(value=None, n=0, reason=NONE)]


def _families(evaluation: Evaluation) -> Iterator[Ratings]:
    """Questions whose answers are all 0 or 1, those of one family (`reading.1`, …) together."""
    families: dict[tuple[object, ...], list[Ratings]] = {}
    for ratings in filter(has_system_scores, evaluation.ratings):
        if np.isin(ratings.places, (0.0, 1.0)).all():
            whole = NUMBERED.fullmatch(ratings.question)
            name = whole[1] if whole else ratings.question
            families.setdefault((name, *ratings.tags.items()), []).append(ratings)
    for key, members in families.items():
        # an item with three reading questions has three answers, each of which counts
        frame = pl.concat([m.frame for m in members], how="diagonal_relaxed")
        yield replace(members[0], question=str(key[0]), frame=frame)


def success_rates(table: ScoreTable, settings: SystemSettings) -> Estimates:
    """Shares of right answers, then odds, of each system."""
    add = partial(table.units.sums, table.system, len(table.systems))
    rows = np.hstack([add(table.values), add(None)])
    return table.units.bootstrap(rows, _shares_and_odds, settings)


def _shares_and_odds(totals: Array) -> Array:
    right, number = np.split(totals, 2, axis=1)
    return np.hstack([right / number, right / (number - right)])
