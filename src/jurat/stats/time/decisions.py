"""Any table that has times, as a table of decisions."""

from __future__ import annotations

import polars as pl

from jurat.tables import Intake
from jurat.tables.columns import JUDGMENTS
from jurat.tables.mapping import parse_columns
from jurat.tables.preferences import KNOWN

ITEM = {"item", "document", "segment", "system", "reference"}


def told_by(table: pl.DataFrame, intake: Intake) -> set[str]:
    """The names that a table has, of its own or by the column map."""
    return {*table.columns, *parse_columns(intake.columns, {*KNOWN, *JUDGMENTS.schema})}


def decisions(table: pl.DataFrame, intake: Intake) -> pl.DataFrame:
    """A table of times as one of judgments, also where it has no answers or is a wide ranking.

    A decision without an answer has taken its time too.
    """
    told = told_by(table, intake)
    ranked = {"output1", "rank1"} <= told
    if intake.questions or intake.systems or intake.sum or {"value", "label"} & told:
        return table
    if not ranked and ({"outcome"} <= told or {"better", "worse"} <= told or "rank" in told):
        return table
    if ranked:
        table = table.select(pl.exclude("^(output|rank)[0-9]+$"))
    if "question" not in told:
        table = table.with_columns(question=pl.lit("ranking" if ranked else "decision"))
    if not ITEM & told:
        table = table.with_columns(item=pl.int_range(1, pl.len() + 1).cast(pl.String))
    return table.with_columns(value=pl.lit("0"))
