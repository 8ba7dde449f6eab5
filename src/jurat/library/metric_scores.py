"""Metric scores as the analyses take them, from a table of scores beside the judgments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jurat.tables.column_map import parse_columns
from jurat.tables.preferences import KNOWN
from jurat.tables.schema import JUDGMENTS, SCORES, words

if TYPE_CHECKING:
    import polars as pl

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


def _mapped(intake: Intake) -> bool:
    """Whether the judgments' column map says which columns name items or segments."""
    told = parse_columns(intake.columns, {*JUDGMENTS.schema, *KNOWN})
    return bool({"item", "segment", "document"} & {*told})
