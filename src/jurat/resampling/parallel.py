"""Random work in chunks that any executor may run, with the same outcome on each.

How many rows a chunk has depends on the shape of the data alone, and each chunk draws from its own
child of the seed: the number of jobs, their order and the machine change nothing. Weighted sums are
made without rounding, so that no order of adding, hence no BLAS, can change them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jurat.resampling.arguments import Array

CELLS = 2**19  # weights drawn at once: 4 MB as float64, about 20 with what numpy needs on the way

# `work(generator, rows, *arrays)` gives an array of so many rows.
Work = Callable[..., NDArray[Any]]


def run(
    work: Work, arrays: tuple[Any, ...], *, rows: int, at_once: int, seed: int, jobs: int
) -> NDArray[Any]:
    """All rows of the work, `at_once` in a chunk, over jobs of whichever executor joblib has."""
    sizes = [min(at_once, rows - start) for start in range(0, rows, at_once)]
    seeds = np.random.SeedSequence(seed).spawn(len(sizes))
    tasks = [(work, child, size, *arrays) for child, size in zip(seeds, sizes, strict=True)]
    # Threads of a process share the setting: what sets it first, here, must be last to reset it.
    with _blas().limit(limits=1, user_api="blas"):
        if jobs == 1 or len(tasks) == 1:
            return np.concatenate([_chunk(*task) for task in tasks])
        from joblib import Parallel, delayed

        return np.concatenate(Parallel(n_jobs=jobs)(delayed(_chunk)(*task) for task in tasks))


def _chunk(work: Work, seed: np.random.SeedSequence, rows: int, *arrays: Any) -> NDArray[Any]:
    # What arrives from another process may be unaligned, which slows products down and, where they
    # are not exact, changes their last digits.
    arrived = [np.require(array, requirements=["C", "A"]) for array in arrays]
    # SFC64's raw bits take half the time of PCG64's.
    with _blas().limit(limits=1, user_api="blas"):
        return work(np.random.Generator(np.random.SFC64(seed)), rows, *arrived)


@cache
def _blas() -> Any:
    """What limits BLAS's threads: a second one spins and halves the speed on a busy machine."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


MANTISSA = 53
SMALLEST = -1074  # the exponent below which there is only zero
ENOUGH = 60  # bits kept of a column's largest number: all of a float64, and some for the smaller


def exact_parts(rows: Array, weight: float) -> Array:
    """Parts side by side that add up to the rows, and whose products with weights are exact.

    Each part is a whole multiple of a power of two, at most 2^b of them. A sum under whole weights
    that add up to no more than `weight` then stays below 2^53 multiples, which float64 holds
    exactly, in whatever order they are added. Whole numbers need one part; others two, at the
    price of twice the product (Ozaki et al. 2012, error-free transformation of matrix products).
    """
    bits = max(1, MANTISSA - int(np.ceil(np.log2(weight))))
    parts: list[Array] = []
    rest = rows
    while not parts or (rest.any() and len(parts) * bits < ENOUGH):
        exponent = np.frexp(np.abs(rest).max(axis=0))[1] - bits
        unit = np.ldexp(1.0, np.maximum(exponent, SMALLEST))
        part = rest / unit
        np.rint(part, out=part)
        part *= unit
        rest = rest - part
        parts.append(part)
    return parts[0] if len(parts) == 1 else np.hstack(parts)


def join_parts(sums: Array, columns: int) -> Array:
    """The sums of the rows from the sums of their parts, over the last axis."""
    whole: Array = sums.reshape(*sums.shape[:-1], -1, columns).sum(axis=-2)
    return whole
