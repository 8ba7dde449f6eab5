"""The order in which answers were given."""

from __future__ import annotations

import numpy as np
import polars as pl

from jurat.stats.ratings import EARLIER, Codes, Ratings


def is_timed(ratings: Ratings) -> bool:
    """Whether the table tells the order of judging."""
    return any(ratings.has(name) for name in EARLIER)


def in_time(ratings: Ratings) -> Codes:
    """The places of the answers in the order of their giving; else of the file."""
    order = [name for name in EARLIER if ratings.has(name)]
    if not order:
        return np.arange(len(ratings))
    places = ratings.frame.select(pl.arg_sort_by(order, maintain_order=True)).to_series()
    return places.to_numpy().astype(np.int64)


def by_judge_in_time(ratings: Ratings) -> Codes:
    """The places of each judge's answers after each other, in the order of their giving."""
    order = in_time(ratings)
    return order[np.argsort(ratings.judge_codes[order], kind="stable")]
