"""Each system's score on each segment, as a table: for the library, since it is long."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from jurat.stats.ratings import Ratings
from jurat.stats.systems.standardised import z_scores

PLACE = ("document", "segment", "item", "system")


def segment_scores(ratings: Ratings, baseline: Sequence[Ratings] = ()) -> pl.DataFrame:
    """Mean raw score, mean z and number of judgments of each system on each segment.

    A segment is told by document and segment, or by the item where there is no segment. `baseline`
    is what judges' means and deviations come from (`Evaluation.baseline`).
    """
    frame = ratings.frame
    there = [name for name in PLACE if name in frame.columns]
    keys = [name for name in there if name != "item" or "segment" not in there]
    scores = frame.select(*keys, pl.Series("score", ratings.values))
    means = [pl.col("score").mean()]
    if "judge" in frame.columns:
        scores = scores.with_columns(pl.Series("z", z_scores(ratings, baseline)).fill_nan(None))
        means.append(pl.col("z").mean())
    return scores.group_by(keys, maintain_order=True).agg(*means, pl.len().alias("n"))
