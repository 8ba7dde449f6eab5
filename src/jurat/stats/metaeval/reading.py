"""The table of scores as a user has it, read with what is known of the judgments beside it."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from jurat.faults import complain
from jurat.stats.metaeval.places import ONLY
from jurat.stats.metaeval.scores import Scores
from jurat.tables import JUDGMENTS, SCORES, Intake
from jurat.tables.mapping import ColumnMap, Part, parse_columns
from jurat.tables.preferences import KNOWN
from jurat.tables.scores import KEYS, scores

SAID = {*JUDGMENTS.schema, *KNOWN}
"""Names that --columns may give to the columns of judgments and preferences."""


def read_scores(
    table: pl.DataFrame,
    *,
    columns: str = "",
    metrics: Sequence[str] = (),
    lower: tuple[str, ...] = (),
    intake: Intake | None = None,
    judged_columns: Sequence[str] = (),
) -> Scores:
    """The scores of a long or wide table.

    What the intake of the judgments says of document, segment and system holds here too, where
    these columns are there and `columns` says nothing of them. In a wide table without `metrics`
    every column of numbers is a metric, but those that hold judgments: Jurat's own names, those
    that the intake speaks of, and `judged_columns`.
    """
    intake = intake or Intake()
    told = dict(parse_columns(columns, SCORES.schema))
    told = {**_placing(table, parse_columns(intake.columns, SAID), told), **told}
    names = {*table.columns, *told}
    if not {"metric", "value"} <= names and not metrics:
        kept = {part.text for parts in told.values() for part in parts}
        table = table.drop(_judged(table, intake, judged_columns) - kept)
    if "system" not in names:
        table = table.with_columns(pl.lit(ONLY).alias("system"))
    frame = scores(table, columns=_written(told), metrics=metrics)
    if frame.is_empty():
        raise complain("the table of scores has none")
    return Scores(frame=frame if "system" in names else frame.drop("system"), lower=lower)


def _placing(table: pl.DataFrame, judged: ColumnMap, told: ColumnMap) -> ColumnMap:
    """What the judgments' map says of the place of a translation, as far as it fits the scores."""
    named = {name: parts for name, parts in judged.items() if name in KEYS}
    if "item" in judged and not {"document", "segment"} & {*judged, *told, *table.columns}:
        named["segment"] = judged["item"]
    return {
        name: parts
        for name, parts in named.items()
        if name not in told and all(p.literal or p.text in table.columns for p in parts)
    }


def _judged(table: pl.DataFrame, intake: Intake, columns: Sequence[str]) -> set[str]:
    """The columns of a wide table that are about judgments and no metrics."""
    mapped = {
        part.text
        for parts in parse_columns(intake.columns, SAID).values()
        for part in parts
        if not part.literal
    }
    spoken = {*columns, *intake.questions, *intake.systems, intake.sum, *intake.by, *mapped}
    return {name for name in table.columns if name in {*SAID, *spoken} and name not in KEYS}


def _written(columns: ColumnMap) -> str:
    """A column map as the command line writes it."""
    return ",".join(f"{name}={'+'.join(map(_part, parts))}" for name, parts in columns.items())


def _part(part: Part) -> str:
    if not part.literal:
        return f"`{part.text}`"
    return f'"{part.text}"' if "'" in part.text else f"'{part.text}'"
