"""Rows that count for several systems with the same output, whose names are joined by `+`.

Such a row is one judgment: agreement and times count it once. Where systems are compared it becomes
a row for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from jurat.model import JOIN
from jurat.tables.schema import OF_FILE, SAME_OUTPUT, cast_column, words

SIDES = ("system", "system_a", "system_b")


def several_systems(rows: pl.DataFrame) -> pl.Series:
    """Which rows count for several systems."""
    if SAME_OUTPUT not in rows.columns:
        return pl.repeat(value=False, n=rows.height, eager=True)
    several = cast_column(rows[SAME_OUTPUT], pl.Boolean).fill_null(value=False)
    # rows that were already divided keep the mark
    joined = pl.repeat(value=False, n=rows.height, eager=True)
    for side in (name for name in SIDES if name in rows.columns):
        joined |= words(rows[side]).str.contains(JOIN, literal=True).fill_null(value=False)
    return several & joined


def has_several(rows: pl.DataFrame) -> bool:
    """Whether any row counts for several systems."""
    return bool(several_systems(rows).any())


def for_each_system(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows, with one for each system where a row counts for several.

    Their items are told apart by the system, since an item is one translation by one system.
    """
    several = several_systems(rows)
    if not several.any():
        return rows
    rows = rows.with_columns(several.alias(_SEVERAL))
    for side in (name for name in SIDES if name in rows.columns):
        name = pl.col(side).cast(pl.String)
        parts = pl.when(_SEVERAL).then(name.str.split(JOIN)).otherwise(pl.concat_list(name))
        rows = rows.with_columns(parts.alias(side)).explode(side)
        # conditions are over the file's own column
        if OF_FILE + side in rows.columns:
            rows = rows.with_columns(
                pl.when(_SEVERAL).then(pl.col(side)).otherwise(OF_FILE + side).alias(OF_FILE + side)
            )
    if {"system", "item"} <= {*rows.columns}:
        item = pl.col("item").cast(pl.String)
        own = pl.concat_str(item, pl.lit("|"), pl.col("system"))
        rows = rows.with_columns(item=pl.when(_SEVERAL).then(own).otherwise(item))
    return rows.drop(_SEVERAL)


def as_judged(rows: pl.DataFrame) -> pl.DataFrame:
    """Item and system as they were judged; of a row that was divided, the item that it shares."""
    item, system = words(rows["item"]), words(rows["system"])
    marked = cast_column(rows[SAME_OUTPUT], pl.Boolean).fill_null(value=False)
    divided = marked & ~system.str.contains(JOIN, literal=True)
    frame = pl.DataFrame({"item": item, "system": system, "divided": divided})
    whole = pl.col("item").str.strip_suffix(pl.concat_str(pl.lit("|"), "system"))
    return frame.select(
        item=pl.when("divided").then(whole).otherwise("item"),
        system=pl.when("divided").then(pl.lit("")).otherwise("system"),
    )


def of_systems(rows: pl.DataFrame, chosen: Sequence[str]) -> pl.DataFrame:
    """The rows of these systems; of several with the same output, only those among them.

    A comparison with a system that was not chosen says nothing about the others.
    """
    sides = [name for name in SIDES if name in rows.columns]
    several = several_systems(rows)
    if several.any():
        among = pl.element().filter(pl.element().is_in(chosen))
        left = {side: rows[side].str.split(JOIN).list.eval(among).list.join(JOIN) for side in sides}
        rows = rows.with_columns(
            left[side].zip_with(several, rows[side]).alias(side) for side in sides
        )
    rows = rows.with_columns(several.alias(_SEVERAL))
    there = (pl.col(side).is_in(chosen) | (_MERGED & (pl.col(side) != "")) for side in sides)
    return rows.filter(pl.all_horizontal(there)).drop(_SEVERAL)


# The hidden column of rows that count for several systems.
_SEVERAL = "\0several"
_MERGED = pl.col(_SEVERAL)
