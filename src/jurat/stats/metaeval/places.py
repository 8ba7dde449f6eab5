"""Which segment a row speaks of, in the table of judgments and in that of scores."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from jurat.faults import complain
from jurat.stats.ratings import Codes
from jurat.tables.columns import words
from jurat.tables.mapping import joined

KEYS = ("document", "segment")
PLACE = "\0place"
"""The segment as one word; missing in rows about whole systems."""
ONLY = "\0only"
"""The system, where neither table names one."""


def placed(judged: pl.DataFrame, scores: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both tables with the segment that each row speaks of, named alike.

    That is the document and the segment as far as both tables tell them, or the judgments' item
    where it is all that they tell.
    """
    if not any(_tells(judged, key) for key in KEYS) and _tells(judged, "item"):
        named_by_system = "system" in judged.columns and judged["item"].equals(judged["system"])
        judged = judged if named_by_system else judged.with_columns(segment=judged["item"])
    keys = [key for key in KEYS if _tells(judged, key) and _tells(scores, key)]
    for rows, other in ((judged, "scores"), (scores, "judgments")):
        _refuse_mixture(rows, keys, other)
    if keys == ["document"]:
        judged, scores = _of_documents(judged), _of_documents(scores)
    return _with_place(judged, keys), _with_place(scores, keys)


def _tells(rows: pl.DataFrame, name: str) -> bool:
    return name in rows.columns and rows[name].null_count() < rows.height


def _refuse_mixture(rows: pl.DataFrame, keys: Sequence[str], other: str) -> None:
    """The same segment number in two documents tells nothing to a table without documents."""
    if keys != ["segment"] or not _tells(rows, "document"):
        return
    counts = rows.group_by("segment").agg(pl.col("document").n_unique().alias("documents"))
    mixed = counts.filter((pl.col("documents") > 1) & pl.col("segment").is_not_null())
    if mixed.height:
        name = mixed["segment"].sort()[0]
        raise complain(f"segment '{name}' is in several documents, and the {other} name none")


def _of_documents(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows about whole documents, where there are any; else those of segments, to be averaged."""
    if not _tells(rows, "segment"):
        return rows
    whole = rows.filter(pl.col("segment").is_null() & pl.col("document").is_not_null())
    nowhere = rows.filter(pl.col("segment").is_null() & pl.col("document").is_null())
    return pl.concat([whole, nowhere]) if whole.height else rows


def _with_place(rows: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    if not keys:
        return rows.with_columns(pl.lit(None, dtype=pl.String).alias(PLACE))
    parts = [rows[key] for key in keys]
    place = joined(parts) if len(parts) > 1 else words(parts[0])
    return rows.with_columns(place.alias(PLACE))


def with_systems(
    judged: pl.DataFrame, scores: pl.DataFrame, names: Sequence[str] = ("system",)
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both tables with systems; one that names none speaks of the only one that the other names."""
    if all(name in judged.columns for name in names):
        if "system" in scores.columns:
            return judged, scores
        return judged, scores.with_columns(system=pl.lit(_only(judged, names, "scores")))
    if "system" in scores.columns:
        only = _only(scores, ("system",), "judgments")
        return judged.with_columns(system=pl.lit(only)), scores
    return judged.with_columns(system=pl.lit(ONLY)), scores.with_columns(system=pl.lit(ONLY))


def _only(rows: pl.DataFrame, names: Sequence[str], other: str) -> str:
    systems = {str(name) for column in names for name in rows[column].unique().drop_nulls()}
    if len(systems) > 1:
        raise complain(f"the {other} do not say which of {len(systems)} systems they speak of")
    return next(iter(systems), ONLY)


def codes_in(values: pl.Series, names: Sequence[str]) -> Codes:
    """The place of each value among the names; -1 where it is not one of them."""
    cells = words(values).cast(pl.Enum(list(names)), strict=False).to_physical()
    return cells.cast(pl.Int64).fill_null(-1).to_numpy()
