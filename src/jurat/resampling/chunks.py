"""Random work in chunks that any executor may run, with the same outcome on each.

How many rows a chunk has depends on the shape of the data alone, and each chunk draws from its own
child of the seed: the number of jobs, their order and the machine change nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

CELLS = 2**19  # weights drawn at once: 4 MB as float64, about 20 with what numpy needs on the way

Work = Callable[..., NDArray[Any]]
"""`work(generator, rows, *arrays)` gives an array of so many rows."""


def run(
    work: Work, arrays: tuple[Any, ...], *, rows: int, at_once: int, seed: int, jobs: int
) -> NDArray[Any]:
    """All rows of the work, `at_once` in a chunk, over jobs of whichever executor joblib has."""
    sizes = [min(at_once, rows - start) for start in range(0, rows, at_once)]
    seeds = np.random.SeedSequence(seed).spawn(len(sizes))
    tasks = [(work, child, size, *arrays) for child, size in zip(seeds, sizes, strict=True)]
    # Threads of one process share a setting: who sets it first, here, must be the last to reset it.
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
    """The hand on BLAS's threads: a second one spins and halves the speed on a busy machine."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
