"""Agreement beyond chance, and Cohen's kappa of every pair of judges, plain or weighted.

`chance_corrected` is what all kappas have in common. The statistics stand elsewhere: those of all
judges in `agreement.fleiss_kappa`, `gwet_ac` and `conger_kappa`, which need no pairs of judges,
those of pairs in `agreement.cohen_kappa`, those of comparisons in `preferences.kappa`, and those of
judges who saw different references in `bias.pair_kappas`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jurat.errors import unknown_name
from jurat.stats.answer_distances import DISTANCES, WEIGHTS
from jurat.stats.judge_pairs import (
    CELLS,
    JudgePairs,
    PairUnits,
    SmallCodes,
    cells_of,
    counts_by_pair,
)
from jurat.stats.ratings import Array, Codes, scaled

# Points of a scale up to which answers are counted in a table of pairs × points; else sorted.
MOST_POINTS = 512
# Points of a scale up to which kappa without a document is exact.
MOST_EXACT = 128
# How near to 1 an expected agreement is 1, and what rounding leaves of nothing, as a share.
ALL_BY_CHANCE = 1e-12


def pair_kappas(pairs: JudgePairs, weights: str) -> Array:
    """Cohen's (1968) kappa of each pair, 1 − observed / expected distance.

    Distances are those of the scale's values. It is NaN where no distance is to be expected: where
    both judges gave one and the same answer to all, or, for `one-off`, only neighbouring ones.
    """
    return _Distances.of(pairs, weights).kappas


def kappas_and_influences(pairs: JudgePairs, weights: str) -> tuple[Array, Array]:
    """The kappa of each pair, and how much each shared item moves it, times the pair's items.

    The mean of the squares of influences over a pair, divided by n, is the variance of Fleiss,
    Cohen and Everitt (1969); summed by item over several pairs, they give that of any mean of
    kappas.
    """
    distances = _Distances.of(pairs, weights)
    return distances.kappas, distances.influences()


def kappas_without(pairs: JudgePairs, weights: str, cells: PairUnits) -> tuple[Array, Array]:
    """The kappa of each pair, and that of the pair without each of its cells.

    The expected distance without a cell takes off the distances of its answers to all of the other
    judge's, and adds again those among the cell's own, which were taken off twice. Where a scale
    has too many points for that, kappa is taken as linear.
    """
    distances = _Distances.of(pairs, weights)
    n, pair = pairs.n.astype(np.float64), cells.pair
    size = cells.sums(np.ones(len(pairs.pair)))
    left = n[pair] - size
    if cells.of_row is not None and len(pairs.places) > MOST_EXACT:
        with np.errstate(all="ignore"):
            moved = cells.sums(distances.influences()) / left
        return distances.kappas, np.where(left > 0, distances.kappas[pair] - moved, np.nan)
    apart = _answers_apart(pairs, weights, counted=distances.counted)
    one, zero = np.ones(len(n)), np.zeros(len(n))
    far = distances._to_others(pairs.first, pairs.second, one, zero)
    far += distances._to_others(pairs.second, pairs.first, one, zero)
    own = apart if cells.of_row is None else _distances_within(pairs, weights, cells)
    with np.errstate(all="ignore"):
        observed = (distances.observed * n)[pair] - cells.sums(apart)
        whole = (distances.expected * n**2)[pair]
        expected = whole - cells.sums(far * n[pairs.pair]) + own
        # what rounding leaves of the difference of equal numbers is no distance
        expected = np.where(expected > ALL_BY_CHANCE * whole, expected, 0.0)
        found = kappa_from_distances(observed / left, expected / left**2)
    return distances.kappas, np.where(left > 0, found, np.nan)


def _distances_within(pairs: JudgePairs, weights: str, cells: PairUnits) -> Array:
    """Σ of the distances of every answer of the one judge to every one of the other, by cell."""
    points, found = len(pairs.places), np.zeros(len(cells.pair))
    apart, of_row = _apart(pairs, weights), cells.of_row
    assert of_row is not None
    order, starts = cells.grouped
    step = max(1, CELLS // 8 // max(points, 1))
    for begin in range(0, len(found), step):
        end = min(begin + step, len(found))
        rows = order[starts[begin] : starts[end]]
        place = (of_row[rows] - begin) * points
        first, second = (
            np.bincount(place + codes[rows], minlength=(end - begin) * points)
            .reshape(-1, points)
            .astype(np.float64)
            for codes in (pairs.first, pairs.second)
        )
        found[begin:end] = ((first @ apart) * second).sum(axis=1)
    return found


def chance_corrected(observed: ArrayLike, expected: ArrayLike) -> Array:
    """Agreement beyond chance, (Po − Pe) / (1 − Pe), from shares of agreement.

    NaN where chance would agree every time (Pe = 1), so that there is nothing beyond it.
    """
    po, pe = (np.asarray(share, dtype=np.float64) for share in (observed, expected))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.abs(1 - pe) > ALL_BY_CHANCE, (po - pe) / (1 - pe), np.nan)


def kappa_from_distances(observed: Array, expected: Array) -> Array:
    """Kappa from disagreement, 1 − observed / expected distance; NaN where none is expected."""
    return 1 - _ratio(observed, expected)


def table_kappa(table: ArrayLike, distance: ArrayLike) -> float:
    """Cohen's (1968) kappa of a contingency table with given disagreement weights; NaN if none.

    Rows are the answers of the one judge, columns those of the other.
    """
    counts, weights = (np.asarray(a, dtype=np.float64) for a in (table, distance))
    chance = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    totals = (np.array((weights * cells).sum()) for cells in (counts, chance))
    return float(kappa_from_distances(*totals))


class SampledMean(NamedTuple):
    """The mean of means of sampled pairs, and the percentile interval of these means."""

    value: float
    low: float
    high: float


def sampled_mean(
    values: Array, *, seed: int, confidence: float = 0.95, pairs: int = 20, times: int = 100
) -> SampledMean:
    """Fomicheva and Specia's way: the mean of so many random pairs, so many times.

    Pairs are drawn without replacement, or with it where there are fewer; undefined ones are not.
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return SampledMean(*[float("nan")] * 3)
    rng = np.random.default_rng(seed)
    # Of fewer pairs than are drawn, none could be drawn without replacement.
    again = len(defined) < pairs
    means = [rng.choice(defined, pairs, replace=again).mean() for _ in range(times)]
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return SampledMean(float(np.mean(means)), float(low), float(high))


def _ratio(above: Array, below: Array) -> Array:
    """The quotient; NaN where the divisor is 0 or what rounding leaves of 0."""
    quotient = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=quotient, where=below > 1e-14)
    return quotient


def _mean_by_pair(pairs: JudgePairs, values: Array) -> Array:
    return np.bincount(pairs.pair, weights=values, minlength=len(pairs)) / pairs.n


class _Distances(NamedTuple):
    """Observed and expected distance of each pair, and where its influences come from."""

    pairs: JudgePairs
    weights: str
    observed: Array
    expected: Array
    counted: bool

    @classmethod
    def of(cls, pairs: JudgePairs, weights: str) -> _Distances:
        allowed = WEIGHTS[:1] if pairs.nominal else WEIGHTS
        if weights not in allowed:
            raise unknown_name("weights", weights, allowed, field="weights")
        points = len(pairs.places)
        # Answers are counted in a table of pairs × points, as long as it fits into memory.
        counted = points <= MOST_POINTS and len(pairs) * points <= CELLS
        observed = _mean_by_pair(pairs, _answers_apart(pairs, weights, counted=counted))
        if counted:
            to_second = _table(pairs, pairs.second, weights)
            expected = (counts_by_pair(pairs, pairs.first) * to_second).sum(axis=1) / pairs.n
        else:
            expected = _mean_by_pair(pairs, _by_sorting(pairs, pairs.first, pairs.second, weights))
        return cls(pairs, weights, observed, expected, counted)

    @property
    def kappas(self) -> Array:
        return kappa_from_distances(self.observed, self.expected)

    def influences(self) -> Array:
        """−(d − Do)/De + Do/De² · (distance to all of b's + to all of a's answers − 2 De)."""
        pairs, slope = self.pairs, _ratio(_ratio(self.observed, self.expected), self.expected)
        level = slope * self.expected / 2
        # An item moves both the observed distance and, by the margins, the expected one.
        moved = self._to_others(pairs.first, pairs.second, slope, level)
        moved += self._to_others(pairs.second, pairs.first, slope, level)
        one = np.ones(len(self.expected))
        apart = _answers_apart(pairs, self.weights, counted=self.counted)
        moved -= apart * _ratio(one, self.expected)[pairs.pair]
        return moved

    def _to_others(self, own: SmallCodes, others: SmallCodes, slope: Array, level: Array) -> Array:
        """An answer's mean distance to all of the other judge, times the slope, less the level."""
        pairs = self.pairs
        if not self.counted:
            far = _by_sorting(pairs, own, others, self.weights)
            return np.asarray(far * slope[pairs.pair] - level[pairs.pair])
        table = _table(pairs, others, self.weights) * slope[:, None] - level[:, None]
        return np.asarray(table.reshape(-1)[cells_of(pairs, own)])


def _answers_apart(pairs: JudgePairs, weights: str, *, counted: bool) -> Array:
    """How far the two answers to each shared item lie apart."""
    if counted:
        # Looked up in a small table, since distances of millions are slow to compute.
        both = pairs.first * np.int32(len(pairs.places)) + pairs.second
        return np.asarray(_apart(pairs, weights).reshape(-1)[both])
    places = _places(pairs, weights)
    return DISTANCES[weights](places[pairs.first] - places[pairs.second])


def _places(pairs: JudgePairs, weights: str) -> Array:
    return scaled(pairs.places) if weights == "quadratic" else pairs.places


def _apart(pairs: JudgePairs, weights: str) -> Array:
    places = _places(pairs, weights)
    return DISTANCES[weights](places[:, None] - places)


def _table(pairs: JudgePairs, others: SmallCodes, weights: str) -> Array:
    """The mean distance of each point to all that the other judge gave: pairs × points."""
    return np.asarray((counts_by_pair(pairs, others) @ _apart(pairs, weights)) / pairs.n[:, None])


def _by_sorting(pairs: JudgePairs, own: SmallCodes, others: SmallCodes, weights: str) -> Array:
    """The same for scales with so many points that a table of them is too large."""
    n = pairs.n[pairs.pair]
    places = _places(pairs, weights)
    mine, theirs = places[own], places[others]
    if weights == "quadratic":
        mean, square = (_mean_by_pair(pairs, power)[pairs.pair] for power in (theirs, theirs**2))
        return mine**2 - 2 * mine * mean + square
    if weights == "none":
        below, above = (_below(pairs.pair, mine, theirs, side)[0] for side in ("left", "right"))
        return 1 - (above - below) / n
    # One-off is linear beyond one point: neighbours are moved by one before they are compared.
    reach = 1.0 if weights == "one-off" else 0.0
    far = _excess(pairs.pair, mine, theirs + reach) + _excess(pairs.pair, -mine, reach - theirs)
    return far / n


def _excess(pair: SmallCodes, mine: Array, theirs: Array) -> Array:
    """Σ max(mine − theirs, 0) over all of theirs in the same pair."""
    count, total = _below(pair, mine, theirs, "left")
    return np.asarray(mine * count - total)


def _below(pair: SmallCodes, mine: Array, theirs: Array, side: str) -> tuple[Array, Array]:
    """How many of theirs in the same pair lie below (`right`: or are equal), and their sum."""
    # Where values are equal, what is looked for sorts before or after what it is compared with.
    ties = np.array([1, 0] if side == "right" else [0, 1]).repeat(len(pair))
    values, both = np.concatenate([mine, theirs]), np.concatenate([pair, pair])
    order = np.lexsort((ties, values, both))
    is_theirs = order >= len(pair)
    count = _running(is_theirs.astype(np.float64), order, both)[: len(pair)]
    total = _running(np.where(is_theirs, values[order], 0.0), order, both)[: len(pair)]
    return count, total


def _running(summed: Array, order: Codes, pair: SmallCodes) -> Array:
    """Running sums within each pair, put back from the sorted order."""
    running = np.cumsum(summed)
    sizes = np.bincount(pair)
    before = np.concatenate([[0.0], running])[np.cumsum(sizes) - sizes]
    placed = np.empty(len(order))
    placed[order] = running
    return np.asarray(placed - before[pair])
