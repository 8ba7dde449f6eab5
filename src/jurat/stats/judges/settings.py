"""The settings of a diagnosis, and the two kinds of judgments that it looks at."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np
import polars as pl

from jurat.errors import input_error, unknown_name
from jurat.stats.evaluation import DAMAGED, Evaluation
from jurat.stats.ratings import EARLIER, Codes, Ratings
from jurat.stats.statistic import Settings
from jurat.tables.row_filter import fulfilled

Found = TypeVar("Found")

# The models of a judge's severity.
METHODS = ("mixed", "rasch")


class JudgeSettings(Settings, frozen=True, kw_only=True):
    """How judges are diagnosed: how far out is an outlier, and which items are controls.

    Raises InputError for a method that does not exist, and unless k is more than 0.
    """

    k: float = 1.0
    easy: str = ""
    """A condition for items of which the top score is expected; else the column `easy`."""
    controls: str = ""
    """A condition for items that were degraded on purpose; else `control == 'degraded'`."""
    top: float | None = None
    """The score that is expected of easy items; else the highest that was given."""

    def choices(self) -> dict[str, Any]:
        """What was chosen, for options and signatures."""
        own = {"easy": self.easy, "top": self.top, "controls": self.controls}
        return {"k": self.k, **{name: value for name, value in own.items() if value}}

    def __post_init__(self) -> None:
        if not self.k > 0:
            raise input_error("k must be more than 0", field="k", value=self.k)
        if self.method not in ("", *METHODS):
            raise unknown_name("method", self.method, METHODS)


def once(
    function: Callable[[Evaluation, JudgeSettings], Found],
) -> Callable[[Evaluation, JudgeSettings], Found]:
    """Compute a function once for the same judgments and settings: several statistics use it."""

    @wraps(function)
    def remembered(evaluation: Evaluation, settings: JudgeSettings) -> Found:
        return evaluation.once(function, settings)

    return remembered


def rows_fulfilling(condition: str, rows: pl.DataFrame) -> pl.Series:
    """Which rows fulfil a condition over their columns, as in `--where`."""
    return fulfilled(condition, {name: rows[name] for name in rows.columns}, rows.height)


@once
def true_ratings(evaluation: Evaluation, settings: JudgeSettings) -> tuple[Ratings, ...]:
    """The judgments of true translations, apart for each question and split."""
    rows = _valid(evaluation)
    degraded = _degraded(rows)
    if settings.controls:
        degraded |= rows_fulfilling(settings.controls, rows)
    elif evaluation.judgments and rows.height == evaluation.judged.height:
        # the same rows, whose names and codes are known already
        return evaluation.ratings
    return tuple(evaluation.rated(rows.filter(~degraded)))


@once
def control_ratings(evaluation: Evaluation, settings: JudgeSettings) -> tuple[Ratings, ...]:
    """The judgments of items that were degraded on purpose, or whose right answer is known."""
    rows = _valid(evaluation)
    chosen = (
        rows_fulfilling(settings.controls, rows)
        if settings.controls
        else _degraded(rows) | _golden(rows)
    )
    return tuple(evaluation.rated(rows.filter(chosen)))


def _valid(evaluation: Evaluation) -> pl.DataFrame:
    """The answers of named judges, without those of adjudicators."""
    rows = evaluation.judged
    valid = (pl.col("status") == "valid").fill_null(value=True)
    return rows.filter(valid & pl.col("judge").is_not_null())


def no_rows(rows: pl.DataFrame) -> pl.Series:
    """False for every row."""
    return pl.repeat(value=False, n=rows.height, eager=True)


def _degraded(rows: pl.DataFrame) -> pl.Series:
    if "control" not in rows.columns:
        return no_rows(rows)
    return (rows["control"].cast(pl.String) == DAMAGED).fill_null(value=False)


def _golden(rows: pl.DataFrame) -> pl.Series:
    return rows["expected"].is_not_null() if "expected" in rows.columns else no_rows(rows)


def is_timed(ratings: Ratings) -> bool:
    """Whether the table has a column that orders the judgments."""
    return any(ratings.has(name) for name in EARLIER)


def chronological_order(ratings: Ratings) -> Codes:
    """The positions of the answers in the order they were given; else of the file."""
    order = [name for name in EARLIER if ratings.has(name)]
    if not order:
        return np.arange(len(ratings))
    places = ratings.frame.select(pl.arg_sort_by(order, maintain_order=True)).to_series()
    return places.to_numpy().astype(np.int64)


def chronological_by_judge(ratings: Ratings) -> Codes:
    """The positions of the answers, judge by judge, in the order they were given."""
    order = chronological_order(ratings)
    return order[np.argsort(ratings.judge_codes[order], kind="stable")]
