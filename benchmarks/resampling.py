"""Resampling beside scipy.stats, and how its time and memory grow.

Run it with `python benchmarks/resampling.py`. The ratios are medians of runs that take turns, so
that a busy machine slows both; scipy computes the same resamples of the same data.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import partial
from itertools import combinations
from statistics import median
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from jurat.resampling import bootstrap, permute_signs

Array = NDArray[np.float64]
Ids = NDArray[np.int64]
Run = Callable[[], object]
TURNS = 5
RNG = np.random.default_rng(1)


def mean(totals: Array) -> Array:
    """A mean from a sum and a count."""
    return totals[:, 0] / totals[:, 1]


def correlation(totals: Array) -> Array:
    """Pearson's r from n, Σx, Σy, Σx², Σxy, Σy²."""
    n, x, y, xx, xy, yy = totals.T
    return np.asarray((n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y)))


def products(x: Array, y: Array) -> Array:
    """What a correlation needs to know of each unit."""
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])


def seconds(run: Run) -> float:
    """How long it takes."""
    start = perf_counter()
    run()
    return perf_counter() - start


def means(n: int) -> tuple[Run, Run]:
    """Percentile interval of a mean, 1,000 resamples."""
    x = RNG.normal(size=n)
    rows = np.column_stack([x, np.ones(n)])
    return (
        lambda: bootstrap(rows, mean, seed=1),
        lambda: stats.bootstrap((x,), np.mean, n_resamples=1000, method="percentile", batch=100),
    )


def ratings(n: int) -> tuple[Run, Run]:
    """The same of ratings on seven points."""
    x = RNG.integers(1, 8, n).astype(float)
    rows = np.column_stack([x, np.ones(n)])
    return (
        lambda: bootstrap(rows, mean, seed=1),
        lambda: stats.bootstrap((x,), np.mean, n_resamples=1000, method="percentile", batch=100),
    )


def correlations(n: int) -> tuple[Run, Run]:
    """BCa interval of a correlation, 1,000 resamples."""
    x, y = RNG.normal(size=(2, n))
    rows = products(x, y)

    def pearson(x: Array, y: Array, axis: int) -> Array:
        return np.asarray(stats.pearsonr(x, y, axis=axis).statistic)

    return (
        lambda: bootstrap(rows, correlation, seed=1, method="bca"),
        lambda: stats.bootstrap((x, y), pearson, paired=True, n_resamples=1000, batch=100),
    )


def pairs(n: int, systems: int = 10) -> tuple[Run, Run]:
    """Sign flips for all pairs of ten systems, 1,000 permutations."""
    scores = RNG.normal(size=(systems, n))
    differences = np.column_stack([a - b for a, b in combinations(scores, 2)])

    def difference(a: Array, b: Array, axis: int) -> Array:
        return np.asarray((a - b).mean(axis=axis))

    def peer() -> None:
        for pair in combinations(scores, 2):
            stats.permutation_test(
                pair, difference, permutation_type="samples", n_resamples=1000, batch=100
            )

    return lambda: permute_signs(differences, seed=1, permutations=1000), peer


def beside_scipy() -> None:
    """Print medians and their ratio."""
    print("| what | n | jurat, ms | scipy, ms | ratio |\n|---|---|---|---|---|")
    cases = [(means, 100), (means, 10_000), (ratings, 10_000), (ratings, 100_000)]
    cases += [(correlations, 1000), (pairs, 200), (pairs, 1000)]
    for case, n in cases:
        ours, theirs = case(n)
        ours()
        turns = [(seconds(ours), seconds(theirs)) for _ in range(TURNS)]
        mine, peers = (1000 * median(column) for column in zip(*turns, strict=True))
        what = (case.__doc__ or "").rstrip(".")
        print(f"| {what} | {n:,} | {mine:.1f} | {peers:,.0f} | {peers / mine:,.0f}× |")


def kinds_of_data(n: int) -> dict[str, Callable[[int, int], object]]:
    """Calls with so many replicates and jobs, by what they show."""
    two = RNG.integers(1, 8, (n, 2)).astype(float)
    few = np.column_stack([two.sum(axis=1), (two**2).sum(axis=1), np.full(n, 2.0)])
    x, y = RNG.normal(size=(2, n))
    many = products(x, y)
    documents, judges = RNG.integers(0, n // 20, n), RNG.integers(0, 100, n)

    def run(rows: Array, clusters: tuple[Ids, Ids] | None = None) -> Callable[[int, int], object]:
        score = correlation if rows is many else lambda totals: totals[:, 0] / totals[:, 2]
        return lambda replicates, jobs: bootstrap(
            rows, score, clusters=clusters, seed=1, replicates=replicates, jobs=jobs
        )

    return {
        "two ratings on seven points": run(few),
        "all different, six columns": run(many),
        "documents and judges": run(few, (documents, judges)),
    }


def peak(call: Run) -> float:
    """Megabytes in use at the worst moment, beside the data."""
    tracemalloc.start()
    call()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


def growth() -> None:
    """Print seconds for 1,000 resamples with one job and two, and the peak of memory."""
    print("\n| 1,000 resamples of | n | one job, s | two jobs, s | memory, MB |")
    print("|---|---|---|---|---|")
    for n in (10_000, 100_000, 1_000_000):
        for what, call in kinds_of_data(n).items():
            # The second run of two jobs finds its processes started.
            one, _, two = (seconds(partial(call, 1000, jobs)) for jobs in (1, 2, 2))
            memory = peak(partial(call, 64, 1))
            print(f"| {what} | {n:,} | {one:.2f} | {two:.2f} | {memory:.0f} |", flush=True)


if __name__ == "__main__":
    beside_scipy()
    growth()
