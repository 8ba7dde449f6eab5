"""Values of every judge with their intervals: what was judged is drawn again, for all at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from jurat.resampling.arguments import evaluate
from jurat.stats.judges.adding import added
from jurat.stats.ratings import Array, Ratings
from jurat.stats.spread import Spread, spread
from jurat.stats.statistic import Settings

Score = Callable[[Array], Array]
"""From totals (any number of rows × k) to values (rows × m)."""

MOST_GROUPS, FEWEST_GROUPS = 2000, 200
"""More items than this are drawn in groups: the intervals are as wide to within a few percent."""
CELLS = 2**22
"""Groups × judges × columns held at once."""


class Spreads(NamedTuple):
    """Values of every judge (judges × values), the ends of their intervals, and how these came."""

    values: Array
    low: Array
    high: Array
    method: str

    def column(self, at: int) -> Spread:
        """One of the values, of every judge."""
        values, low, high = (a[:, at] for a in (self.values, self.low, self.high))
        return Spread(values=values, low=low, high=high, method=self.method)


def spread_by_judge(rows: Array, ratings: Ratings, score: Score, settings: Settings) -> Spreads:
    """The score of each judge's totals, with an interval over the items.

    The first column counts what the value is of; who has fewer than two has no interval.
    """
    codes, judges = ratings.judge_codes, len(ratings.judges)
    totals = np.column_stack([added(codes, column, judges) for column in rows.T])
    values = np.asarray(evaluate(score, totals))
    nothing = np.full(values.shape, np.nan)
    if not settings.bootstrap or len(ratings.items) < 2:
        return Spreads(values, nothing, nothing, "")

    def of_all(drawn: Array) -> Array:
        return score(drawn.reshape(-1, rows.shape[1])).reshape(len(drawn), -1)

    found = spread(_table(rows, ratings), of_all, settings=settings)
    few = totals[:, 0] < 2
    low, high = (
        np.where(few[:, None], np.nan, end.reshape(values.shape)) for end in (found.low, found.high)
    )
    return Spreads(values, low, high, _told(settings, len(ratings.items), rows.shape[1] * judges))


def _table(rows: Array, ratings: Ratings) -> Array:
    """The rows added up by item, or group of items, and judge: groups × (judges · columns)."""
    judges, columns = len(ratings.judges), rows.shape[1]
    groups = _groups(len(ratings.items), judges * columns)
    cells = (ratings.item_codes % groups) * judges + ratings.judge_codes
    parts = [added(cells, column, groups * judges) for column in rows.T]
    return np.stack(parts, axis=-1).reshape(groups, judges * columns)


def _groups(items: int, width: int) -> int:
    return min(items, max(FEWEST_GROUPS, min(MOST_GROUPS, CELLS // width)))


def _told(settings: Settings, items: int, width: int) -> str:
    groups = _groups(items, width)
    drawn = f"{items:,} items" + (f" in {groups:,} groups" if groups < items else "")
    share = f"{100 * settings.confidence:g} %"
    return f"percentile interval, {share}, from {settings.bootstrap} bootstrap resamples of {drawn}"
