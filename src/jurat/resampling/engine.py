"""What bootstrap, jackknife and permutation share: checked arguments, scores, and random work.

How many rows a chunk of random work has depends on the shape of the data alone, and each chunk
draws from its own child of the seed: the number of jobs, their order and the machine change
nothing. Weighted sums are made without rounding, so that no order of adding, hence no BLAS, can
change them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isnan
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.errors import input_error, unknown_name
from jurat.resampling.blas_threads import one_blas_thread
from jurat.resampling.executor import compute_remotely, is_remote

Array = NDArray[np.float64]
Codes = NDArray[np.intp]
# From totals (resamples × k) to values (resamples, or resamples × m).
Score = Callable[[Array], ArrayLike]

# Numbers given to a score function at once, so that its own arrays stay small.
BATCH = 2**20
CELLS = 2**19  # weights drawn at once: 4 MB as float64, about 20 with what numpy needs on the way

# `work(generator, rows, *arrays)` gives an array of so many rows.
Work = Callable[..., NDArray[Any]]


def statistics_rows(statistics: ArrayLike, *, field: str = "statistics") -> Array:
    """The statistics as finite numbers, a row a unit; one dimension is read as one column.

    Raises InputError where they are no numbers, not finite, or of another shape.
    """
    try:
        rows = np.asarray(statistics, dtype=np.float64)
    except (TypeError, ValueError):
        raise input_error(f"{field} must be numbers", field=field) from None
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not rows.size:
        shape = " × ".join(map(str, rows.shape))
        raise input_error(
            f"{field} must be units × columns, not {shape or 'a number'}", field=field
        )
    if not np.isfinite(rows).all():
        raise input_error(
            f"{field} must be finite: leave out units that have no value", field=field
        )
    return rows


def cluster_codes(ids: ArrayLike, units: int, *, field: str = "clusters") -> Codes:
    """Ids of any kind as numbers 0, 1, …; other ids than whole numbers in order of appearance."""
    array = np.asarray(ids)
    if array.shape != (units,):
        raise input_error(f"{field} must be one id for each of the {units} units", field=field)
    if array.dtype.kind in "iu":
        return np.unique(array, return_inverse=True)[1]
    # Sorting a million strings takes twice as long as looking them up.
    known: dict[object, int] = {}
    codes = np.fromiter((known.setdefault(i, len(known)) for i in array.tolist()), np.intp, units)
    if any(name is None or (isinstance(name, float) and isnan(name)) for name in known):
        raise input_error(f"{field} must have an id for every unit", field=field)
    return codes


def at_least(least: int, value: int, *, field: str) -> int:
    """The value as a whole number; raises InputError where it is none or less than `least`."""
    try:
        number = index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise input_error(f"{field} must be a whole number from {least}", field=field, value=value)
    return number


def checked_jobs(value: int) -> int:
    """A number of jobs: -1 stands for as many as there are processors or workers."""
    return -1 if value == -1 else at_least(1, value, field="jobs")


def one_of(allowed: Iterable[str], word: str, *, field: str) -> str:
    """The word; raises InputError where it is not among those allowed."""
    if word not in (allowed := tuple(allowed)):
        raise unknown_name(field, word, allowed, field=field)
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
        raise input_error(message, field="score")
    return np.where(np.isfinite(values), values, np.nan)


def run(
    work: Work, arrays: tuple[Any, ...], *, rows: int, at_once: int, seed: int, jobs: int
) -> NDArray[Any]:
    """All rows of the work, `at_once` in a chunk: by the executor in use, or in so many jobs."""
    sizes = [min(at_once, rows - start) for start in range(0, rows, at_once)]
    seeds = np.random.SeedSequence(seed).spawn(len(sizes))
    tasks = [(work, child, size) for child, size in zip(seeds, sizes, strict=True)]
    with one_blas_thread():
        if len(tasks) > 1 and is_remote():
            return np.concatenate(compute_remotely(_chunk, tasks, arrays))
        if jobs == 1 or len(tasks) == 1:
            return np.concatenate([_chunk(*task, *arrays) for task in tasks])
        from joblib import Parallel, delayed

        calls = (delayed(_chunk)(*task, *arrays) for task in tasks)
        return np.concatenate(Parallel(n_jobs=jobs)(calls))


def _chunk(work: Work, seed: np.random.SeedSequence, rows: int, *arrays: Any) -> NDArray[Any]:
    # What arrives from another process may be unaligned, which slows products down and, where they
    # are not exact, changes their last digits.
    arrived = [np.require(array, requirements=["C", "A"]) for array in arrays]
    # SFC64's raw bits take half the time of PCG64's.
    with one_blas_thread():
        return work(np.random.Generator(np.random.SFC64(seed)), rows, *arrived)
