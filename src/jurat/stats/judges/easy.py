"""Items that deserve the top score: how often a judge gives less."""

from __future__ import annotations

import polars as pl

from jurat.stats.evaluation import Evaluation
from jurat.stats.judges.diagnosing import Diagnosing, holds, ordinary
from jurat.stats.judges.panel import WORDS
from jurat.stats.judges.shares import reading_of_shares
from jurat.stats.judges.signal import Reading, Signal
from jurat.stats.ratings import Ratings
from jurat.tables.columns import TRUTH, words

NONE = "no item is marked as easy: a column easy, control == 'easy', or a condition of yours"


class Easy(Signal):
    """Hamon et al.'s third way: easy sentences."""

    name = "judge-easy-share"
    gives = ("judge-easy-share",)
    way = "easy"
    doubts = True
    asks = "Who rates easy sentences below the top?"
    formula = "share of the judge's easy items rated below the top score"
    rule = "one-sided binomial test against the share of all judges, p < .05"
    source = "Hamon et al., section 3.3, Easy sentences"
    needs = ("judge",)
    place = 36
    counts = "judgments of easy items"
    absent = NONE

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The share of every judge."""
        return tuple(
            easy_share(ratings, settings, top=_top(ratings, evaluation, settings))
            for ratings in ordinary(evaluation, settings)
            if marked_easy(ratings.frame, settings.easy).any()
        )


def easy_share(ratings: Ratings, settings: Diagnosing, *, top: float) -> Reading:
    """Of each judge's easy items, how many he rates below the top."""
    easy = marked_easy(ratings.frame, settings.easy).to_numpy() & (not ratings.nominal)
    below = easy & (ratings.values < top)
    reason = WORDS if ratings.nominal else "he judged no easy item"
    return reading_of_shares(ratings, below, easy, settings, reason=reason, side="strict")


def _top(ratings: Ratings, evaluation: Evaluation, settings: Diagnosing) -> float:
    """The score that easy items deserve: as asked, else the highest anybody gave."""
    if settings.top is not None:
        return settings.top
    same = [r.values for r in (*evaluation.baseline, ratings) if r.question == ratings.question]
    return max(float(values.max()) for values in same)


def marked_easy(rows: pl.DataFrame, condition: str = "") -> pl.Series:
    """Which rows are about easy items: by the condition, else by the columns easy and control."""
    if condition:
        return holds(condition, rows)
    easy = pl.repeat(value=False, n=rows.height, eager=True)
    if "easy" in rows.columns:
        said = words(rows["easy"]).str.strip_chars().str.to_lowercase()
        easy |= said.replace_strict(TRUTH, default=False, return_dtype=pl.Boolean)
    if "control" in rows.columns:
        easy |= (words(rows["control"]) == "easy").fill_null(value=False)
    return easy
