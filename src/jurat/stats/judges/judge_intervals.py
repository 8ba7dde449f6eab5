"""Values of every judge with bootstrap intervals over the items, for all judges at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.resampling.arguments import evaluate
from jurat.stats.estimates import Estimates, bootstrap_estimates
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.statistic import Settings


def sum_by_code(codes: Codes, weights: Array | Codes | NDArray[np.bool_], size: int = 0) -> Array:
    """The sum of the weights of each code from 0; of codes without any, up to `size`, 0."""
    return np.asarray(np.bincount(codes, weights=weights, minlength=size), dtype=np.float64)


def divide_or_nan(parts: Array, wholes: Array | Codes) -> Array:
    """One by the other, NaN where there is nothing to divide by."""
    wholes = np.asarray(wholes, dtype=np.float64)
    nothing = np.full(np.shape(parts), np.nan)
    return np.asarray(np.divide(parts, wholes, out=nothing, where=wholes > 0))


def share_of_first(totals: Array) -> Array:
    """Each further column of totals divided by the first, which counts."""
    return totals[:, 1:] / totals[:, :1]


# From totals (any number of rows × k) to values (rows × m).
Score = Callable[[Array], Array]

# More items than this are resampled in groups: the intervals are as wide to within a few percent.
MOST_GROUPS, FEWEST_GROUPS = 2000, 200
# Groups × judges × columns held at once.
CELLS = 2**22


class JudgeIntervals(NamedTuple):
    """Values of every judge (judges × values), the ends of their intervals, and how these came."""

    values: Array
    low: Array
    high: Array
    method: str

    def column(self, at: int) -> Estimates:
        """One of the values, of every judge."""
        values, low, high = (a[:, at] for a in (self.values, self.low, self.high))
        return Estimates(values=values, low=low, high=high, method=self.method)


def judge_intervals(
    rows: Array, ratings: Ratings, score: Score, settings: Settings
) -> JudgeIntervals:
    """The score of each judge's totals of `rows` (a row for each rating), with intervals.

    The first column counts what the value is of; a judge with fewer than two has no interval.
    """
    codes, judges = ratings.judge_codes, len(ratings.judges)
    totals = np.column_stack([sum_by_code(codes, column, judges) for column in rows.T])
    values = np.asarray(evaluate(score, totals))
    nothing = np.full(values.shape, np.nan)
    if not settings.bootstrap or len(ratings.items) < 2:
        return JudgeIntervals(values, nothing, nothing, "")

    # one resample of the items serves all judges, whose totals lie side by side in a row
    def of_all(drawn: Array) -> Array:
        return score(drawn.reshape(-1, rows.shape[1])).reshape(len(drawn), -1)

    found = bootstrap_estimates(_table(rows, ratings), of_all, settings=settings)
    few = totals[:, 0] < 2
    # resamples of one value are all that value: the interval would have no width
    low, high = (
        np.where(few[:, None], np.nan, end.reshape(values.shape)) for end in (found.low, found.high)
    )
    return JudgeIntervals(
        values, low, high, _told(settings, len(ratings.items), rows.shape[1] * judges)
    )


def _table(rows: Array, ratings: Ratings) -> Array:
    """The rows added up by item, or group of items, and judge: groups × (judges · columns)."""
    judges, columns = len(ratings.judges), rows.shape[1]
    groups = _groups(len(ratings.items), judges * columns)
    # modulo puts neighbouring items into different groups
    cells = (ratings.item_codes % groups) * judges + ratings.judge_codes
    parts = [sum_by_code(cells, column, groups * judges) for column in rows.T]
    return np.stack(parts, axis=-1).reshape(groups, judges * columns)


def _groups(items: int, width: int) -> int:
    return min(items, max(FEWEST_GROUPS, min(MOST_GROUPS, CELLS // width)))


def _told(settings: Settings, items: int, width: int) -> str:
    groups = _groups(items, width)
    drawn = f"{items:,} items" + (f" in {groups:,} groups" if groups < items else "")
    share = f"{100 * settings.confidence:g} %"
    return f"percentile interval, {share}, from {settings.bootstrap} bootstrap resamples of {drawn}"
