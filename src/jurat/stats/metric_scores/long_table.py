"""Scores as the long table that others read: a row a segment, and one for the whole system.

Apart from `levels`, so that scoring plain files does not import polars.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from jurat.metrics.metric import Array
from jurat.stats.metric_scores.counts import MetricCounts
from jurat.stats.metric_scores.results import segment_scores
from jurat.tables.schema import SCORES


def score_table(scored: Sequence[MetricCounts]) -> pl.DataFrame:
    """Every score of every segment, and, in rows without a segment, those of whole systems.

    Segments have their own ids where there are any, and are counted from 1 where there are none.
    """
    parts = [part for one in scored for part in _parts(one)]
    # diagonal: rows of whole systems have neither segment nor document
    frame = pl.concat(parts, how="diagonal") if parts else pl.DataFrame(schema=SCORES.schema)
    return frame.select(name for name in SCORES.schema if name in frame.columns)


def _parts(scored: MetricCounts) -> Iterator[pl.DataFrame]:
    ids = list(scored.segments) or [str(n) for n in range(1, scored.size + 1)]
    for system, values in segment_scores(scored):
        rows = {"segment": ids, "value": _defined(values)}
        documents = {"document": list(scored.documents)} if scored.documents else {}
        yield _named(pl.DataFrame({**rows, **documents}), scored, system)
    for system, value in zip(scored.systems, scored.corpus, strict=True):
        yield _named(pl.DataFrame({"value": _defined(np.array([value]))}), scored, system)


def _defined(values: Array) -> pl.Series:
    return pl.Series(values, dtype=pl.Float64).fill_nan(None)


def _named(frame: pl.DataFrame, scored: MetricCounts, system: str) -> pl.DataFrame:
    names = {"system": system, "reference": scored.reference, "metric": scored.label}
    return frame.with_columns(pl.lit(value).alias(name) for name, value in names.items())
