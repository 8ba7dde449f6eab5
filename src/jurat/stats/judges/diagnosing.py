"""The choices of a diagnosis, and the two kinds of judgments that it looks at."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import polars as pl

from jurat.faults import complain, unknown
from jurat.stats.evaluation import DAMAGED, Evaluation
from jurat.stats.ratings import Ratings
from jurat.stats.statistic import Settings
from jurat.tables.where import fulfilled

Found = TypeVar("Found")

METHODS = ("mixed", "rasch")
"""The models that tell a judge's severity."""


class Diagnosing(Settings, frozen=True, kw_only=True):
    """How judges are diagnosed: how far out is an outlier, and which items say what."""

    k: float = 1.0
    easy: str = ""
    """A condition for items of which the top score is expected; else the column `easy`."""
    controls: str = ""
    """A condition for items spoilt on purpose; else `control == 'degraded'`."""
    top: float | None = None
    """The score that is expected of easy items; else the highest that was given."""

    def choices(self) -> dict[str, Any]:
        """What was chosen, for options and signatures."""
        own = {"easy": self.easy, "top": self.top, "controls": self.controls}
        return {"k": self.k, **{name: value for name, value in own.items() if value}}

    def __post_init__(self) -> None:
        if not self.k > 0:
            raise complain("k must be more than 0", field="k", value=self.k)
        if self.method not in ("", *METHODS):
            raise unknown("method", self.method, METHODS)


def once(
    function: Callable[[Evaluation, Diagnosing], Found],
) -> Callable[[Evaluation, Diagnosing], Found]:
    """Compute it once for the same judgments and settings: several questions start from it."""

    @wraps(function)
    def remembered(evaluation: Evaluation, settings: Diagnosing) -> Found:
        return evaluation.once(function, settings)

    return remembered


def holds(condition: str, rows: pl.DataFrame) -> pl.Series:
    """Which rows fulfil a condition over their columns, as in `--where`."""
    return fulfilled(condition, {name: rows[name] for name in rows.columns}, rows.height)


@once
def ordinary(evaluation: Evaluation, settings: Diagnosing) -> tuple[Ratings, ...]:
    """The judgments of true translations, apart for each question and split."""
    rows = _valid(evaluation)
    spoilt = _damaged(rows)
    if settings.controls:
        spoilt |= holds(settings.controls, rows)
    elif evaluation.judgments and rows.height == evaluation.judged.height:
        return evaluation.ratings
    return tuple(evaluation.rated(rows.filter(~spoilt)))


@once
def spoilt(evaluation: Evaluation, settings: Diagnosing) -> tuple[Ratings, ...]:
    """The judgments of items that were spoilt on purpose, or whose right answer is known."""
    rows = _valid(evaluation)
    chosen = holds(settings.controls, rows) if settings.controls else _damaged(rows) | _golden(rows)
    return tuple(evaluation.rated(rows.filter(chosen)))


def _valid(evaluation: Evaluation) -> pl.DataFrame:
    """What judges said whose name is known, without what adjudicators settled."""
    rows = evaluation.judged
    valid = (pl.col("status") == "valid").fill_null(value=True)
    return rows.filter(valid & pl.col("judge").is_not_null())


def _damaged(rows: pl.DataFrame) -> pl.Series:
    return _is(rows, "control", DAMAGED)


def _golden(rows: pl.DataFrame) -> pl.Series:
    if "expected" in rows.columns:
        return rows["expected"].is_not_null()
    return pl.repeat(value=False, n=rows.height, eager=True)


def _is(rows: pl.DataFrame, column: str, word: str) -> pl.Series:
    if column not in rows.columns:
        return pl.repeat(value=False, n=rows.height, eager=True)
    return (rows[column].cast(pl.String) == word).fill_null(value=False)
