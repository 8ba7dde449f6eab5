"""The order in which each judge worked, without telling who worked before whom."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from jurat.report.live.packed import split_key
from jurat.stats import Evaluation
from jurat.stats.fatigue.slices import POSITION, order_column, with_positions
from jurat.stats.ratings import Codes, Ratings

# A column that no table can have: the number of each row.
ROW = "\0row"


def row_numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows with a column of their numbers."""
    return frame.with_columns(pl.int_range(pl.len()).alias(ROW))


def turns(ratings: Ratings) -> Codes:
    """Which answer of its judge each is, in the order in which they were given."""
    by_time = replace(ratings, frame=row_numbers(ratings.frame)).chronological.frame[ROW].to_numpy()
    judge = ratings.judge_codes[by_time]
    order = np.argsort(judge, kind="stable")
    starts = np.searchsorted(judge[order], judge[order])
    made = np.empty(len(by_time), dtype=np.int64)
    made[by_time[order]] = np.arange(len(by_time)) - starts
    return made


def decision_places(evaluation: Evaluation) -> dict[str, Codes]:
    """The place of each answer among its judge's decisions, for each question and split.

    Empty where nothing tells the order, or where not every row is an answer with a place: what a
    filter leaves of a judge's work could then not be numbered anew.
    """
    rows, ratings = evaluation.valid, evaluation.ratings
    column = order_column(rows)
    if not column or "judge" not in rows.columns or rows[column].null_count():
        return {}
    placed = list(evaluation.rated(with_positions(rows)))
    alike = [len(one) == len(other) for one, other in zip(placed, ratings, strict=False)]
    if not all(alike) or sum(map(len, ratings)) != rows.height:
        return {}
    return {split_key(one.by, one.tags): one.frame[POSITION].to_numpy() for one in placed}
