"""Easy items: the share of them that each judge rates below the top."""

from __future__ import annotations

import polars as pl

from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.judges.easy_items import easy_rows
from jurat.stats.judges.judge_ratings import no_rows, true_ratings
from jurat.stats.judges.judge_statistic import Signal, SignalValues, share_signal
from jurat.stats.judges.peer_comparison import WORDS
from jurat.stats.ratings import Ratings
from jurat.stats.settings import JudgeSettings
from jurat.tables.schema import TRUTH, words

NONE_EASY = (
    "no item is marked as easy: a column easy, control == 'easy', or a rule or condition of yours"
)


class EasyItems(Signal):
    """Hamon et al.'s third way: easy sentences."""

    name = "judge-easy-share"
    way = "easy"
    doubts = True
    asks = "Who rates easy sentences below the top?"
    formula = "share of the judge's easy items rated below the top score"
    rule = "one-sided binomial test against the share of all judges, p < .05"
    source = "Hamon et al., section 3.3, Easy sentences"
    order = 36
    counted = "judgments of easy items"
    absent = NONE_EASY

    def measure_all(
        self, evaluation: Evaluation, settings: JudgeSettings
    ) -> tuple[SignalValues, ...]:
        """The share of easy items that every judge rated below the top."""
        return tuple(
            easy_share(ratings, settings, top=_top(ratings, evaluation, settings))
            for ratings in true_ratings(evaluation, settings)
            if marked_easy(ratings.frame, settings.easy).any()
        )


def easy_share(ratings: Ratings, settings: JudgeSettings, *, top: float) -> SignalValues:
    """Of each judge's easy items, the share rated below the top."""
    easy = marked_easy(ratings.frame, settings.easy).to_numpy() & (not ratings.nominal)
    below = easy & (ratings.values < top)
    reason = WORDS if ratings.nominal else "they judged no easy item"
    return share_signal(ratings, below, easy, settings, reason=reason, side="strict")


def _top(ratings: Ratings, evaluation: Evaluation, settings: JudgeSettings) -> float:
    """The score that easy items deserve: as asked, else the highest anybody gave."""
    if settings.top is not None:
        return settings.top
    # of all rows, so that a condition does not lower the top
    same = [r.values for r in (*evaluation.baseline, ratings) if r.question == ratings.question]
    return max(float(values.max()) for values in same)


def marked_easy(rows: pl.DataFrame, condition: str = "") -> pl.Series:
    """Which rows are about easy items: by a rule, else by the columns easy and control.

    A rule is what `easy_rows` takes.
    """
    if condition:
        return easy_rows(rows, condition)
    easy = no_rows(rows)
    if "easy" in rows.columns:
        said = words(rows["easy"]).str.strip_chars().str.to_lowercase()
        easy |= said.replace_strict(TRUTH, default=False, return_dtype=pl.Boolean)
    if "control" in rows.columns:
        easy |= (words(rows["control"]) == "easy").fill_null(value=False)
    return easy
