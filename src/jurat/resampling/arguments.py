"""What callers give, checked: statistics, cluster ids, counts, and the score function's answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isnan
from operator import index

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.faults import complain, unknown

Array = NDArray[np.float64]
Codes = NDArray[np.intp]
Score = Callable[[Array], ArrayLike]
"""From totals (resamples × k) to values (resamples, or resamples × m)."""

BATCH = 2**20  # numbers given to a score function at once, so that its own arrays stay small


def rows_of(statistics: ArrayLike, *, field: str = "statistics") -> Array:
    """The statistics as finite numbers, a row a unit; one dimension is read as one column."""
    try:
        rows = np.asarray(statistics, dtype=np.float64)
    except (TypeError, ValueError):
        raise complain(f"{field} must be numbers", field=field) from None
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not rows.size:
        shape = " × ".join(map(str, rows.shape))
        raise complain(f"{field} must be units × columns, not {shape or 'a number'}", field=field)
    if not np.isfinite(rows).all():
        raise complain(f"{field} must be finite: leave out units that have no value", field=field)
    return rows


def codes_of(ids: ArrayLike, units: int, *, field: str = "clusters") -> Codes:
    """Ids of any kind as numbers 0, 1, …; other ids than whole numbers in order of appearance."""
    array = np.asarray(ids)
    if array.shape != (units,):
        raise complain(f"{field} must be one id for each of the {units} units", field=field)
    if array.dtype.kind in "iu":
        return np.unique(array, return_inverse=True)[1]
    # Sorting a million strings takes twice as long as looking them up.
    known: dict[object, int] = {}
    codes = np.fromiter((known.setdefault(i, len(known)) for i in array.tolist()), np.intp, units)
    if any(name is None or (isinstance(name, float) and isnan(name)) for name in known):
        raise complain(f"{field} must have an id for every unit", field=field)
    return codes


def at_least(least: int, value: int, *, field: str) -> int:
    """A whole number that is not too small."""
    try:
        number = index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise complain(f"{field} must be a whole number from {least}", field=field, value=value)
    return number


def jobs_of(value: int) -> int:
    """A number of jobs: -1 stands for as many as there are processors or workers."""
    return -1 if value == -1 else at_least(1, value, field="jobs")


def one_of(allowed: Iterable[str], word: str, *, field: str) -> str:
    """A word among those allowed."""
    if word not in (allowed := tuple(allowed)):
        raise unknown(field, word, allowed, field=field)
    return word


def evaluate(score: Score, totals: Array) -> Array:
    """The score of every row of totals; undefined values come out as NaN and not as warnings."""
    step = max(1, BATCH // totals[0].size)
    with np.errstate(all="ignore"):
        parts = [_values(score, totals[i : i + step]) for i in range(0, len(totals), step)]
    return np.concatenate(parts)


def _values(score: Score, totals: Array) -> Array:
    values = np.asarray(score(totals), dtype=np.float64)
    if values.ndim not in (1, 2) or len(values) != len(totals):
        given, wanted = values.shape, len(totals)
        message = f"score must give {wanted} values, or {wanted} rows of them, and gave {given}"
        raise complain(message, field="score")
    return np.where(np.isfinite(values), values, np.nan)
