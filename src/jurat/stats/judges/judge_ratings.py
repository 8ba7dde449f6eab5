"""The judgments that a diagnosis looks at, and values of every judge with intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import NamedTuple, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.resampling.engine import evaluate
from jurat.stats.estimates import Estimates, jackknife_estimates, method_line, share_estimates
from jurat.stats.evaluation_tables import DAMAGED, Evaluation
from jurat.stats.independent_units import Units, units_of
from jurat.stats.ratings import EARLIER, Array, Codes, Ratings, summed
from jurat.stats.settings import JudgeSettings, Settings
from jurat.tables.row_filter import fulfilled

Found = TypeVar("Found")
Mask = NDArray[np.bool_]

# From totals (any number of rows × k) to values (rows × m).
Score = Callable[[Array], Array]

# More units than this are left out in groups: the intervals are as wide to within a few percent.
MOST_GROUPS, FEWEST_GROUPS = 2000, 200
# Groups × judges × columns held at once.
CELLS = 2**22


def once(
    function: Callable[[Evaluation, JudgeSettings], Found],
) -> Callable[[Evaluation, JudgeSettings], Found]:
    """Decorate a function so that it is computed once for the same evaluation and settings.

    What it returns is kept as long as the evaluation: several statistics start from the same.
    """

    @wraps(function)
    def remembered(evaluation: Evaluation, settings: JudgeSettings) -> Found:
        return evaluation.once(function, settings)

    return remembered


def rows_fulfilling(condition: str, rows: pl.DataFrame) -> pl.Series:
    """A mask of the rows that fulfil a condition over their columns, as in `--where`."""
    return fulfilled(condition, {name: rows[name] for name in rows.columns}, rows.height)


@once
def true_ratings(evaluation: Evaluation, settings: JudgeSettings) -> tuple[Ratings, ...]:
    """The judgments of translations that were not degraded, apart for each question and split."""
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
    # tables from elsewhere often say nothing of a status: then every row is valid
    rows = evaluation.judged
    # without judgments there are no columns to ask for
    if rows.is_empty():
        return rows
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


class JudgeIntervals(NamedTuple):
    """Values of every judge (judges × values), the ends of their intervals, and how these came."""

    values: Array
    low: Array
    high: Array
    method: str

    def column(self, at: int) -> Estimates:
        """One of the values, of every judge."""
        values, low, high = (a[:, at] for a in (self.values, self.low, self.high))
        return Estimates(values=values, low=low, high=high, method=self.method)


def judge_intervals(
    rows: Array, ratings: Ratings, score: Score, settings: Settings
) -> JudgeIntervals:
    """The score of each judge's totals of `rows` (a row for each rating), with intervals.

    Documents are left out in turn, or items, as the settings ask. The first column counts what the
    value is of; a judge with fewer than two, or with those of one document, has no interval.
    """
    codes, judges = ratings.judge_codes, len(ratings.judges)
    totals = np.column_stack([summed(codes, column, judges) for column in rows.T])
    values = np.asarray(evaluate(score, totals))
    nothing = np.full(values.shape, np.nan)
    if not settings.intervals or len(ratings.items) < 2:
        return JudgeIntervals(values, nothing, nothing, "")

    # one unit is left out of all judges at once, whose totals lie side by side in a row
    def of_all(left: Array) -> Array:
        return score(left.reshape(-1, rows.shape[1])).reshape(len(left), -1)

    units = units_of(ratings, settings)
    table = _table(rows, ratings, units)
    counted = table[:, :: rows.shape[1]]
    used = (counted != 0).sum(axis=0)
    found = jackknife_estimates(
        table,
        of_all,
        settings=settings,
        scale="identity",
        contributing=np.repeat(used, values.shape[1]),
        sizes=np.repeat(counted, values.shape[1], axis=1),
        words=units.words,
    )
    few = totals[:, 0] < 2
    low, high = (
        np.where(few[:, None], np.nan, end.reshape(values.shape)) for end in (found.low, found.high)
    )
    return JudgeIntervals(values, low, high, _interval_method(found, units, len(table)))


def judge_shares(hits: Mask, trials: Mask, ratings: Ratings, settings: Settings) -> Estimates:
    """The share of hits among each judge's trials, with Wilson's interval over documents or items.

    NaN for a judge without trials.
    """
    units = units_of(ratings, settings)
    rows = np.column_stack([trials, hits]).astype(np.float64)
    table = _table(rows, ratings, units)
    found = share_estimates(table[:, 1::2], table[:, ::2], settings=settings, words=units.words)
    return replace(found, method=method_line(found.method, units.note) if found.method else "")


def _table(rows: Array, ratings: Ratings, units: Units) -> Array:
    """The rows added up by unit, or group of units, and judge: groups × (judges · columns)."""
    judges, columns = len(ratings.judges), rows.shape[1]
    groups = _groups(units.number, judges * columns)
    # modulo puts neighbouring units into different groups
    cells = (units.of_item[ratings.item_codes] % groups) * judges + ratings.judge_codes
    parts = [summed(cells, column, groups * judges) for column in rows.T]
    return np.stack(parts, axis=-1).reshape(groups, judges * columns)


def _groups(units: int, width: int) -> int:
    return min(units, max(FEWEST_GROUPS, min(MOST_GROUPS, CELLS // width)))


def _interval_method(found: Estimates, units: Units, groups: int) -> str:
    drawn = f"; {units.number:,} {units.words} in {groups:,} groups"
    grouped = drawn if groups < units.number else ""
    return method_line(f"{found.method}{grouped}", units.note)
