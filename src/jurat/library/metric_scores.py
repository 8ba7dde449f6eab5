"""Metric scores as the analyses take them, from a table of scores beside the judgments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jurat.errors import input_error
from jurat.tables.column_map import parse_columns
from jurat.tables.preferences import KNOWN
from jurat.tables.schema import JUDGMENTS, SCORES, words

if TYPE_CHECKING:
    import polars as pl

    from jurat.stats import Evaluation
    from jurat.stats.metaeval.input_tables import MetricScores
    from jurat.tables import Intake


def metric_scores(
    table: pl.DataFrame,
    intake: Intake,
    *,
    columns: str = "",
    metrics: Sequence[str] = (),
    lower: Sequence[str] = (),
) -> MetricScores:
    """The scores of a long or wide table, which may be that of the judgments.

    Args:
        table: the scores; a column `item` names segments where nothing else does.
        intake: how the judgments are read, whose columns are no metrics.
        columns: the column map of this table.
        metrics: the columns that are metrics; all numbers by default.
        lower: metrics of which low scores are good ones.

    Raises:
        InputError: for unknown columns, and scores that contradict each other.
    """
    from jurat.stats.metaeval.input_tables import read_scores

    named = {*parse_columns(columns, SCORES.schema), *table.columns}
    # judgments of an item of several systems have it as their segment, too
    if "item" in table.columns and not {"segment", "document"} & named and not _mapped(intake):
        table = table.with_columns(words(table["item"]).alias("segment"))
    return read_scores(
        table,
        columns=columns,
        metrics=tuple(metrics),
        lower=tuple(lower),
        intake=intake,
        judged_columns=intake.judges,
    )


def check_numbering(evaluation: Evaluation, scores: MetricScores) -> None:
    """Raise InputError where both tables number as many segments, one from 0 and one from 1.

    All but one would find a partner: the segment before or after it.
    """
    judged = [rows for rows in (evaluation.judged, evaluation.compared) if rows.height]
    # where both know documents, their segments may be counted anew in each
    if all("document" in rows.columns for rows in (*judged, scores.frame)):
        return
    ours, theirs = _numbers(*judged), _numbers(scores.frame)
    if ours and theirs and ours != theirs and len(ours) == len(theirs) and {*ours} & {*theirs}:
        raise input_error(
            f"segments {ours[0]} to {ours[-1]} were judged, and {theirs[0]} to {theirs[-1]} have "
            "scores: number both alike, or --allow-unmatched takes equal numbers for the same"
        )


def _numbers(*tables: pl.DataFrame) -> range:
    """The numbers of the segments, where these have no gaps; else none."""
    if not tables or any("segment" not in table.columns for table in tables):
        return range(0)
    named = {name for t in tables for name in words(t["segment"]).unique().drop_nulls().to_list()}
    if not all(name.isascii() and name.isdigit() for name in named):
        return range(0)
    numbers = sorted({int(name) for name in named})
    whole = len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1
    return range(numbers[0], numbers[-1] + 1) if whole else range(0)


def _mapped(intake: Intake) -> bool:
    """Whether the judgments' column map says which columns name items or segments."""
    told = parse_columns(intake.columns, {*JUDGMENTS.schema, *KNOWN})
    return bool({"item", "segment", "document"} & {*told})
