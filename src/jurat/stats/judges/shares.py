"""A share of each judge's judgments, held against the share of all judges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from jurat.stats.judges import rules
from jurat.stats.judges.adding import added
from jurat.stats.judges.by_judge import spread_by_judge
from jurat.stats.judges.diagnosing import Diagnosing
from jurat.stats.judges.signal import Group, Reading
from jurat.stats.ratings import Array, Ratings
from jurat.stats.spread import Spread

Mask = NDArray[np.bool_]


def reading_of_shares(
    ratings: Ratings,
    hits: Mask,
    trials: Mask,
    settings: Diagnosing,
    *,
    reason: str,
    side: str = "",
    turned: bool = False,
) -> Reading:
    """The share of hits among each judge's trials, and who has more than chance would give him.

    The chance is the share of all judges together. `turned` gives the share of the others instead
    (passed instead of failed), while those with too many hits still stand out.
    """
    spreads = spread_by_judge(
        np.column_stack([trials, hits]).astype(np.float64), ratings, _share, settings
    )
    judges = len(ratings.judges)
    tried = added(ratings.judge_codes, trials, judges)
    hit = added(ratings.judge_codes, hits, judges)
    rate = hit.sum() / tried.sum() if tried.sum() else np.nan
    verdict = rules.unlikely(rules.binomial_tail(hit, tried, float(rate)))
    return Reading(
        group=Group(ratings.question, ratings.tags),
        judges=ratings.judges,
        spread=_turned(spreads.column(0)) if turned else spreads.column(0),
        n=tried.astype(np.int64),
        verdict=verdict,
        reason=reason,
        side=tuple(side if found == 1 else "" for found in verdict.found),
    )


def _share(totals: Array) -> Array:
    return totals[:, 1:] / totals[:, :1]


def _turned(spread: Spread) -> Spread:
    """The share of the others."""
    return replace(spread, values=1 - spread.values, low=1 - spread.high, high=1 - spread.low)
