"""Permutation of judges' groups: what would be if it did not matter who saw which reference."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jurat.resampling.chunks import CELLS, run
from jurat.resampling.permutations import Relabelled
from jurat.stats.ratings import Array, Codes

Generator = np.random.Generator
Score = Callable[..., Array]
"""`score(labels, *arrays)` gives a value, or several, for each row of labels."""

PERMUTATIONS = 9_999
MOST = 2**29
"""Labels of pairs or judges in all permutations together; of very many there are fewer."""
FEWEST = 199


def relabel(
    score: Score,
    arrays: tuple[Array | Codes, ...],
    *,
    labels: Codes,
    person: Codes,
    units: int,
    permutations: int = PERMUTATIONS,
    seed: int,
    jobs: int = 1,
) -> Relabelled:
    """Give the judges' labels to other judges, and score each time.

    Where a judge has several labels, he keeps them and they go to other parts of his own work.
    `units` is how many numbers a score looks at: it bounds how many permutations there are.
    """
    strata = person if len(np.unique(person)) < len(person) else np.zeros_like(person)
    permutations = max(FEWEST, min(permutations, MOST // max(units, 1)))
    values = run(
        _Shuffling(score),
        (labels, strata, *arrays),
        rows=permutations,
        at_once=max(1, CELLS // max(units, 1)),
        seed=seed,
        jobs=jobs,
    )
    return Relabelled(
        estimate=score(labels[None], *arrays)[0],
        replicates=values,
        groups=tuple(np.unique(labels).tolist()),
        undefined=np.asarray(np.isnan(values).sum(axis=0)),
        n_units=len(labels),
        method=f"{permutations:,} random relabellings of {len(labels)} judges",
        seed=seed,
    )


class _Shuffling:
    """Shuffled labels, scored; a class, so that other processes can be given it."""

    def __init__(self, score: Score) -> None:
        self.score = score

    def __call__(
        self, rng: Generator, rows: int, labels: Codes, strata: Codes, *arrays: Array
    ) -> Array:
        return self.score(shuffled(rng, rows, labels, strata), *arrays)


def shuffled(rng: Generator, rows: int, labels: Codes, strata: Codes) -> Codes:
    """Labels (rows × judges) that changed places within their stratum."""
    where = np.argsort(strata + rng.random((rows, len(labels))), axis=1)
    found = np.empty((rows, len(labels)), dtype=np.int64)
    np.put_along_axis(found, where, labels[np.argsort(strata, kind="stable")][None], axis=1)
    return found
