"""Preferences as they were settled: the adjudicator's where there is one, else each judge's."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from jurat.results import Key
from jurat.stats.evaluation import Evaluation
from jurat.stats.preferences.comparisons import by_question, of_pairs


def settled_preferences(
    evaluation: Evaluation,
) -> Iterator[tuple[str, dict[str, Key], pl.DataFrame]]:
    """Adjudicated preferences where there are any for a comparison, else each judge's."""
    if evaluation.preferences is None:
        return
    for question, part in by_question(_adjudicated_first(evaluation)):
        for tags, frame in of_pairs(evaluation).split(part):
            yield question, dict(tags), frame


def _adjudicated_first(evaluation: Evaluation) -> pl.DataFrame:
    judged = evaluation.compared
    if evaluation.preferences is None or "status" not in judged.columns:
        return judged
    settled = evaluation.preferences.frame.filter(pl.col("status") == "adjudicated")
    names = ("question", "item", "document", "segment")
    key = [name for name in names if name in judged.columns]
    pair = [pl.min_horizontal("system_a", "system_b"), pl.max_horizontal("system_a", "system_b")]
    both = [one.alias(f"\0{n}") for n, one in enumerate(pair)]
    known = settled.select(*key, *both).unique()
    open_ones = judged.with_columns(*both).join(
        known, on=known.columns, how="anti", nulls_equal=True, maintain_order="left"
    )
    return pl.concat([settled, open_ones.select(judged.columns)], how="diagonal_relaxed")
