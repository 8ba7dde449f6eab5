"""Preferences from translations that were scored side by side."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from jurat.tables.schema import FILE, LINE, PREFERENCES, conform

_KEYS = ("judge", "document", "segment", "question", "position")


def with_pair_outcomes(judgments: pl.DataFrame, within: Sequence[str] = ()) -> pl.DataFrame:
    """A preference for each two systems that a judge scored in one decision.

    The one that was shown first (the smaller `slot`) is A; the higher score is the better one.
    `within` names further columns in which the rows of a decision are the same.
    """
    keys = [name for name in (*_KEYS, *within) if name in judgments.columns]
    first = judgments.drop("item", "label", "na", strict=False)
    second = judgments.select(*keys, slot_b="slot", system_b="system", value_b="value")
    better = pl.when(pl.col("value") > pl.col("value_b")).then(pl.lit("a"))
    outcome = better.when(pl.col("value") < pl.col("value_b")).then(pl.lit("b"))
    pairs = (
        first.join(second, on=keys, nulls_equal=True)
        .filter((pl.col("slot") < pl.col("slot_b")) & (pl.col("system") != pl.col("system_b")))
        .with_columns(outcome.otherwise(pl.lit("tie")).alias("outcome"))
        .rename({"system": "system_a"})
        .drop("slot", "slot_b", "value", "value_b", *within)
        .sort(FILE, LINE)
    )
    return conform(pairs, PREFERENCES)
