"""What rows call the thing that was judged, and items that several systems share."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from jurat.errors import input_error
from jurat.tables.column_map import joined
from jurat.tables.named_columns import names_in_file
from jurat.tables.schema import words

ITEM_PARTS = ("document", "segment", "system", "reference")


def itemised(frame: pl.DataFrame, parts: Sequence[str] = ITEM_PARTS) -> pl.DataFrame:
    """The frame with a column `item`: its own, or else `parts` joined."""
    if "item" in frame.columns:
        if frame["item"].null_count() < frame.height or not frame.height:
            return frame
        frame = frame.drop("item")  # an empty column counts as none
    there = [frame[name] for name in parts if name in frame.columns]
    if not there:
        hint = "name it with --columns item=… (or document, segment, system)"
        raise input_error(f"no column says what was judged; {hint}", allowed=names_in_file(frame))
    item = joined(there) if len(there) > 1 else words(there[0])
    return frame.with_columns(item.alias("item"))


# The hidden column of the items that several systems share, once `item` is item + system.
SHARED_ITEM = "\0shared item"
SHARED_NOTE = "the same item stands with several systems: item + system is taken as what was judged"
# Rows that are looked at first: where items are shared, these mostly show it.
_FIRST_ROWS = 10_000


def shares_items(rows: pl.DataFrame) -> bool:
    """Whether some item stands with several systems: then it names a source segment."""
    if not {"item", "system"} <= set(rows.columns):
        return False
    pairs = rows.select("item", "system").lazy().drop_nulls()
    several = (pl.col("system").min() != pl.col("system").max()).alias("several")
    return any(
        bool(some.group_by("item").agg(several).select(pl.col("several").any()).collect().item())
        for some in (pairs.head(_FIRST_ROWS), pairs)
    )


def shared_on_screen(rows: pl.DataFrame) -> bool:
    """Whether a campaign's screens show several systems: their rows stand one after the other."""
    if not {"item", "system"} <= set(rows.columns):
        return False
    item, system = pl.col("item"), pl.col("system")
    both = (item == item.shift()) & (system != system.shift())
    return bool(rows.select(both.any()).item())


def items_by_system(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with item + system as `item`; the shared item is their segment if they have none.

    Systems are compared by segment, and other tables may name the shared item, which stays in the
    hidden column `SHARED_ITEM`.
    """
    shared = words(rows["item"])
    named = [joined([shared, rows["system"]]).alias("item"), shared.alias(SHARED_ITEM)]
    if "segment" not in rows.columns or rows["segment"].null_count() == rows.height:
        named.append(shared.alias("segment"))
    return rows.with_columns(named)


def shared_items(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with the items that systems share as `item`, as the user's tables name them."""
    if SHARED_ITEM not in rows.columns:
        return rows
    return rows.with_columns(rows[SHARED_ITEM].alias("item"))
