"""Kappas of all pairs of judges at once, where nearly everybody judged nearly everything.

A hundred judges of ten thousand items are fifty million pairs of judgments. Here they are never
listed: each judge is compared with all the others, some items at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from jurat.stats.kappa import DISTANCES
from jurat.stats.ratings import Array, Codes, Ratings

BLOCK = 2**17
"""Answers compared at once: a megabyte of them, so that they stay near the processor."""
MANY = 2**20
"""Pairs of judgments from which this is worth its while."""
LISTED, COMPARED = 2_000, 30
"""Rough costs of a pair in a list, and of one here beside the points of the scale."""
LARGEST = 2**26
"""Cells of the table judges × points × judges."""

Distance = Callable[[Array], Array]


class Kappas(NamedTuple):
    """Pairs of judges (codes) and their kappas by weights; NaN where one is undefined."""

    a: Codes
    b: Codes
    values: dict[str, Array]


def worthwhile(ratings: Ratings, rows: Codes) -> bool:
    """Whether products take less time and room than a list of all pairs of judgments."""
    sizes = np.bincount(ratings.item_codes[rows])
    judges, points = len(ratings.judges), len(ratings.places)
    pairs = int((sizes * (sizes - 1)).sum()) // 2
    here = int((sizes > 1).sum()) * judges**2 * (COMPARED + points)
    return pairs > MANY and here < LISTED * pairs and judges**2 * points < LARGEST


def crossed_kappas(ratings: Ratings, rows: Codes, weights: Sequence[str]) -> Kappas:
    """The same as `pair_kappas` for the answers in these rows, one a judge and item.

    What is expected comes from how often a gave each point to items that b judged.
    """
    distances = [DISTANCES[name] for name in weights]
    apart = ratings.places[:, None] - ratings.places[None]
    # One thread, as in jurat.resampling.chunks: on a busy machine a second one only spins.
    with threadpool_limits(limits=1, user_api="blas"):
        given, observed = _added_up(ratings, rows, distances)
        expected = [_expected(given, distance(apart)) for distance in distances]
    shared = given.sum(axis=1)
    a, b = np.nonzero(np.triu(shared, 1))
    n = shared[a, b]
    kappas = [_kappa(o[a, b] / n, e[a, b] / n**2) for o, e in zip(observed, expected, strict=True)]
    return Kappas(a, b, dict(zip(weights, kappas, strict=True)))


def _added_up(
    ratings: Ratings, rows: Codes, distances: Sequence[Distance]
) -> tuple[Array, list[Array]]:
    """How often a gave each point to b's items (judges × points × judges), and Σ d(x, y)."""
    judges, points = len(ratings.judges), len(ratings.places)
    given = np.zeros((judges, points, judges))
    observed = [np.zeros((judges, judges)) for _ in distances]
    for answers in _blocks(ratings, rows):
        there = answers >= 0
        given += _given(answers, there, points)
        values = ratings.places[answers]
        for judge in range(judges - 1):
            # where one of the two is missing, they are not apart
            apart = (values[judge] - values[judge + 1 :]) * (there[judge] & there[judge + 1 :])
            for total, distance in zip(observed, distances, strict=True):
                total[judge, judge + 1 :] += distance(apart).sum(axis=1)
    return given, observed


def _given(answers: NDArray[np.int16], there: NDArray[np.bool_], points: int) -> Array:
    judges = len(answers)
    if there.all():
        cells = answers + points * np.arange(judges)[:, None]
        counts = np.bincount(cells.ravel(), minlength=judges * points)
        return np.repeat(counts.reshape(judges, points, 1), judges, axis=2).astype(np.float64)
    indicators = (answers[:, None] == np.arange(points)[:, None]).reshape(judges * points, -1)
    product = indicators.astype(np.float32) @ there.T.astype(np.float32)
    given: Array = product.reshape(judges, points, judges).astype(np.float64)
    return given


def _blocks(ratings: Ratings, rows: Codes) -> Iterator[NDArray[np.int16]]:
    """The answers to some items at a time: judges × items, −1 where there is none."""
    items, judges = ratings.item_codes[rows], ratings.judge_codes[rows]
    several = np.bincount(items)[items] > 1
    number = np.cumsum(np.bincount(items[several]) > 0) - 1
    table = np.full((len(ratings.judges), int(number[-1]) + 1), -1, dtype=np.int16)
    table[judges[several], number[items[several]]] = ratings.codes[rows][several]
    step = max(1, BLOCK // len(ratings.judges))
    for start in range(0, table.shape[1], step):
        yield table[:, start : start + step]


def _expected(given: Array, distance: Array) -> Array:
    """Σ over points p, q of (a gave p) · d(p, q) · (b gave q), among their shared items."""
    far = np.matmul(distance.T, given)  # a, q, b
    found: Array = (far * given.transpose(2, 1, 0)).sum(axis=1)
    return found


def _kappa(observed: Array, expected: Array) -> Array:
    there = expected > 1e-12
    ratio = np.divide(observed, expected, out=np.full(len(observed), np.nan), where=there)
    return np.asarray(1 - ratio)
