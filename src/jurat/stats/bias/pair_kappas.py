"""Cohen's kappa of every two judges, and its mean over kinds of pairs of judges.

A hundred judges of ten thousand items are fifty million pairs of judgments. Where nearly everybody
judged nearly everything these are not listed: each judge is compared with all others at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.errors import unknown_name
from jurat.resampling.blas_threads import one_blas_thread
from jurat.stats.answer_distances import DISTANCES, WEIGHTS
from jurat.stats.bias.groups import JudgeGroups, Mask
from jurat.stats.estimates import Estimates, t_means
from jurat.stats.judge_pairs import JudgePairs
from jurat.stats.kappa import kappa_from_distances, pair_kappas, sampled_mean
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.statistic import Settings

# Answers compared at once: a megabyte, so that they stay in the processor's cache.
BLOCK = 2**17
# Pairs of judgments from which the dense computation pays.
MANY = 2**20
# Rough costs of a listed pair, and of a pair in the dense computation beside the scale's points.
LISTED, COMPARED = 2_000, 30
# Cells of the table judges × points × judges.
LARGEST = 2**26

Distance = Callable[[Array], Array]


class PairKappas(NamedTuple):
    """Pairs of judges (codes) and their kappas by weights; NaN where one is undefined."""

    a: Codes
    b: Codes
    values: dict[str, Array]


def dense_is_faster(ratings: Ratings, rows: Codes) -> bool:
    """Whether `dense_kappas` takes less time and memory than a list of all pairs of judgments."""
    sizes = np.bincount(ratings.item_codes[rows])
    judges, points = len(ratings.judges), len(ratings.places)
    # Both costs in the same rough unit: of a list of pairs, and of products of tables.
    pairs = int((sizes * (sizes - 1)).sum()) // 2
    here = int((sizes > 1).sum()) * judges**2 * (COMPARED + points)
    return pairs > MANY and here < LISTED * pairs and judges**2 * points < LARGEST


def dense_kappas(ratings: Ratings, rows: Codes, weights: Sequence[str]) -> PairKappas:
    """The kappas of every two judges, from the answers in these rows, one a judge and item.

    The same numbers as `jurat.stats.kappa.pair_kappas` gives. What is expected comes from how often
    judge a gave each point to items that b judged.
    """
    distances = [DISTANCES[name] for name in weights]
    apart = ratings.places[:, None] - ratings.places[None]
    with one_blas_thread():
        given, observed = _added_up(ratings, rows, distances)
        expected = [_expected(given, distance(apart)) for distance in distances]
    # Items that a and b share: each gave one point to each of them.
    shared = given.sum(axis=1)
    a, b = np.nonzero(np.triu(shared, 1))
    n = shared[a, b]
    kappas = [
        kappa_from_distances(o[a, b] / n, e[a, b] / n**2)
        for o, e in zip(observed, expected, strict=True)
    ]
    return PairKappas(a, b, dict(zip(weights, kappas, strict=True)))


def _added_up(
    ratings: Ratings, rows: Codes, distances: Sequence[Distance]
) -> tuple[Array, list[Array]]:
    """How often a gave each point to b's items (judges × points × judges), and Σ d by weight."""
    judges, points = len(ratings.judges), len(ratings.places)
    given = np.zeros((judges, points, judges))
    observed = [np.zeros((judges, judges)) for _ in distances]
    for answers in _blocks(ratings, rows):
        there = answers >= 0
        given += _given(answers, there, points)
        values = ratings.places[answers]
        for judge in range(judges - 1):
            # Where one of the two is missing, the distance is 0.
            apart = (values[judge] - values[judge + 1 :]) * (there[judge] & there[judge + 1 :])
            for total, distance in zip(observed, distances, strict=True):
                total[judge, judge + 1 :] += distance(apart).sum(axis=1)
    return given, observed


def _given(answers: NDArray[np.int16], there: NDArray[np.bool_], points: int) -> Array:
    judges = len(answers)
    if there.all():
        # Where nobody is missing, b's items are all items: one row of counts serves every b.
        cells = answers + points * np.arange(judges)[:, None]
        counts = np.bincount(cells.ravel(), minlength=judges * points)
        return np.repeat(counts.reshape(judges, points, 1), judges, axis=2).astype(np.float64)
    # Products of zeros and ones, exact in single precision up to 2^24 items.
    indicators = (answers[:, None] == np.arange(points)[:, None]).reshape(judges * points, -1)
    product = indicators.astype(np.float32) @ there.T.astype(np.float32)
    given: Array = product.reshape(judges, points, judges).astype(np.float64)
    return given


def _blocks(ratings: Ratings, rows: Codes) -> Iterator[NDArray[np.int16]]:
    """The answers to some items at a time: judges × items, −1 where there is none."""
    items, judges = ratings.item_codes[rows], ratings.judge_codes[rows]
    # An item that one judge answered is in no pair.
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


METHODS = ("exact", "sampled")


def kappas_of_pairs(ratings: Ratings, keep: Mask | None = None) -> PairKappas:
    """The kappas of every two judges by all weights, over the rows kept; of words `none` only."""
    weights = WEIGHTS[:1] if ratings.nominal else WEIGHTS
    rows = np.arange(len(ratings)) if keep is None else np.flatnonzero(keep)
    if not len(rows):
        nobody = np.zeros(0, dtype=np.int64)
        return PairKappas(nobody, nobody, {name: np.zeros(0) for name in weights})
    if dense_is_faster(ratings, rows):
        return dense_kappas(ratings, rows, weights)
    pairs = JudgePairs.of(ratings, keep=keep)
    return PairKappas(pairs.a, pairs.b, {name: pair_kappas(pairs, name) for name in weights})


class KindKappas(NamedTuple):
    """The defined kappas of one kind of pairs by one way of weighting."""

    weights: str
    pairs: str
    a: Codes
    b: Codes
    kappas: Array
    undefined: int

    @property
    def mean(self) -> float:
        """Their mean; NaN where there are none."""
        return float(self.kappas.mean()) if len(self.kappas) else float("nan")

    @property
    def reason(self) -> str:
        """Why there is no mean."""
        if len(self.kappas):
            return ""
        if self.undefined:
            return "kappa is undefined for every pair: no distance is to be expected"
        return _NONE.get(self.pairs, "no two judges share an item")

    def pseudo_values(self, person: Codes) -> Array:
        """Jackknife pseudo-values of the mean, one a person; NaN for those without such a pair.

        m·θ − (m − 1)·θ(i), with θ(i) the mean over the pairs without i, shifted so that their mean
        is θ (Arvesen 1969). Pairs that share a judge are not independent; pseudo-values belong to
        one judge each, so that a bootstrap can resample judges.
        """
        size = int(person.max(initial=-1)) + 1
        if not len(self.kappas):
            return np.full(size, np.nan)
        sums, counts = np.zeros(size), np.zeros(size)
        for codes in (person[self.a], person[self.b]):
            sums += np.bincount(codes, weights=self.kappas, minlength=size)
            counts += np.bincount(codes, minlength=size)
        # Leaving a judge out removes their pairs; each pair was added to both of its judges.
        there, n = counts > 0, len(self.kappas)
        left = n - counts
        without = np.full(size, np.nan)
        np.divide(self.kappas.sum() - sums, left, out=without, where=there & (left > 0))
        pseudo = there.sum() * self.mean - (there.sum() - 1) * without
        # A judge who is in every pair leaves nothing behind: then no interval can be made.
        if np.isnan(pseudo[there]).any():
            return np.full(size, np.nan)
        # Their mean differs from θ by its bias; shifted, an interval lies around the value.
        return np.asarray(pseudo + self.mean - pseudo[there].mean())


_NONE = {
    "within": "no two judges of the same group share an item",
    "across": "no two judges of different groups share an item",
    "source": "no two judges who saw the source share an item",
}


def kappas_by_kind(groups: JudgeGroups, kappas: PairKappas) -> list[KindKappas]:
    """Every kind of pairs by every way of weighting."""
    kinds = groups.kinds(kappas.a, kappas.b)
    found = []
    for weights, values in kappas.values.items():
        for pairs, mask in kinds.items():
            kept = mask & ~np.isnan(values)
            a, b, own = kappas.a[kept], kappas.b[kept], values[kept]
            found.append(KindKappas(weights, pairs, a, b, own, int(mask.sum() - kept.sum())))
    return found


def mean_kappas(found: list[KindKappas], person: Codes, settings: Settings) -> Estimates:
    """The mean of each kind, with an interval over judges, or of sampled pairs as in the paper.

    Raises InputError for an unknown method.
    """
    method = settings.method or METHODS[0]
    if method not in METHODS:
        raise unknown_name("method", method, METHODS, field="--method")
    return _sampled(found, settings) if method == "sampled" else _exact(found, person, settings)


def _exact(found: list[KindKappas], person: Codes, settings: Settings) -> Estimates:
    values = np.array([kind.mean for kind in found])
    if not settings.intervals or not len(person):
        return Estimates.without_intervals(values)
    pseudo = np.column_stack([kind.pseudo_values(person) for kind in found])
    drawn = t_means(pseudo, settings=settings, of="judges")
    method = f"{drawn.method} (jackknife pseudo-values)"
    # Pseudo-values can lie beyond ±1, but no kappa does.
    low, high = (np.clip(end, -1, 1) for end in (drawn.low, drawn.high))
    return Estimates(values=values, low=low, high=high, method=method, notes=drawn.notes)


def _sampled(found: list[KindKappas], settings: Settings) -> Estimates:
    drawn = [
        sampled_mean(kind.kappas, seed=settings.seed, confidence=settings.confidence)
        for kind in found
    ]
    values, low, high = np.array(drawn).T
    method = "mean of 100 means of 20 pairs drawn at random"
    if not settings.intervals:
        return Estimates.without_intervals(values, method)
    method += f", percentile interval, {100 * settings.confidence:g} %"
    return Estimates(values=values, low=low, high=high, method=method)
