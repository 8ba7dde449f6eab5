"""Agreement beyond chance, and Cohen's kappa of every pair of judges, plain or weighted.

`chance_corrected` is what all kappas have in common. The statistics stand elsewhere: those of all
judges in `agreement.fleiss_kappa`, `gwet_ac` and `conger_kappa`, which need no pairs of judges,
those of pairs in `agreement.cohen_kappa`, those of comparisons in `preferences.kappa`, and those of
judges who saw different references in `bias.pair_kappas`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.errors import unknown_name
from jurat.stats.correlation import mid_ranks_by_group, mid_ranks_from_counts
from jurat.stats.estimates import method_line
from jurat.stats.phrases import FALLS_SHORT
from jurat.stats.ratings import Array, Codes, Ratings, scaled

# Codes of pairs of judgments, of which there may be tens of millions.
SmallCodes = NDArray[np.int32]

DISTANCES: dict[str, Callable[[Array], Array]] = {
    "none": lambda apart: (apart != 0).astype(np.float64),
    "linear": np.abs,
    "quadratic": np.square,
    "one-off": lambda apart: np.maximum(np.abs(apart) - 1, 0),
}
# What a difference counts; `one-off` is linear on max(|d| − 1, 0), SKLL's allow_off_by_one.
WEIGHTS = tuple(DISTANCES)

# Cells of a table, pairs × points, up to which answers are counted; else they are sorted.
CELLS = 2**25
MOST_POINTS = 512
# Points of a scale up to which kappa without a document is exact.
MOST_EXACT = 128
# Shared items or documents below which a coefficient of two judges is too biased for an interval,
# and below which intervals of mean correlations and mean kappas over pairs hold too seldom.
FEW_SHARED = 5
ENOUGH_SHARED = 10
ENOUGH_FOR_KAPPA = 20
# How near to 1 an expected agreement is 1, and what rounding leaves of nothing, as a share.
ALL_BY_CHANCE = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgePairs:
    """Every two judges who judged the same items, and what both answered to each of these.

    `a`, `b` and `n` have an element a pair: the two judges (codes, a < b) and their shared items.
    `pair`, `item`, `first` and `second` have one a shared item: whose it is, what it is, and which
    of the points judge a and judge b gave.
    """

    judges: list[str] = field(repr=False)
    places: Array = field(repr=False)
    nominal: bool
    a: Codes = field(repr=False)
    b: Codes = field(repr=False)
    n: Codes = field(repr=False)
    pair: SmallCodes = field(repr=False)
    item: SmallCodes = field(repr=False)
    first: SmallCodes = field(repr=False)
    second: SmallCodes = field(repr=False)

    def __len__(self) -> int:
        return len(self.n)

    @classmethod
    def of(cls, ratings: Ratings, *, keep: NDArray[np.bool_] | None = None) -> JudgePairs:
        """The pairs among these answers, or those in `keep`: one answer a judge and item."""
        rows = np.arange(len(ratings)) if keep is None else np.flatnonzero(keep)
        judges = len(ratings.judges)
        # By item, and by judge within it, so that the first judge of every pair has the lower code.
        order = np.argsort(ratings.item_codes[rows] * judges + ratings.judge_codes[rows])
        rows = rows[order]
        first, second = pairs_within(ratings.item_codes[rows])
        judge, code = (array[rows] for array in (ratings.judge_codes, ratings.codes))
        found, pair, n = _numbered(judge[first] * judges + judge[second], judges**2)
        a, b = np.divmod(found, max(judges, 1))
        small = code.astype(np.int32)
        item = ratings.item_codes[rows].astype(np.int32)[first]
        return cls(
            judges=ratings.judges,
            places=ratings.places,
            nominal=ratings.nominal,
            a=a,
            b=b,
            n=n,
            pair=pair,
            item=item,
            first=small[first],
            second=small[second],
        )

    def where(self, rows: NDArray[np.bool_]) -> JudgePairs:
        """The pairs with the shared items in the mask alone; pairs without any are left out."""
        found, pair, n = _numbered(self.pair[rows].astype(np.int64), len(self))
        return replace(
            self,
            a=self.a[found],
            b=self.b[found],
            n=n,
            pair=pair,
            item=self.item[rows],
            first=self.first[rows],
            second=self.second[rows],
        )

    def with_pseudo_items(self, weights: str = "none") -> JudgePairs:
        """Each pair with four items more, numbered on: (a, a), (b, b), (a, b) and (b, a).

        a and b are those of `commonest_and_other`, of all pairs; two answers must occur.
        """
        given = np.bincount(np.concatenate([self.first, self.second]), minlength=len(self.places))
        a, b = commonest_and_other(given, self.places, weights)
        added, number = np.repeat(np.arange(4, dtype=np.int32), len(self)), 4
        new = added + self.item.max(initial=-1) + 1
        return replace(
            self,
            n=self.n + number,
            pair=np.concatenate([self.pair, np.tile(np.arange(len(self), dtype=np.int32), number)]),
            item=np.concatenate([self.item, new.astype(np.int32)]),
            first=np.concatenate([self.first, np.array([a, b, a, b], np.int32)[added]]),
            second=np.concatenate([self.second, np.array([a, b, b, a], np.int32)[added]]),
        )

    def other_shares(self) -> Array:
        """The share of answers outside the commonest one of each pair; ½ where not counted."""
        if len(self) * len(self.places) > CELLS:
            return np.full(len(self), 0.5)
        counts = _counts(self, self.first) + _counts(self, self.second)
        return np.asarray(1 - counts.max(axis=1) / counts.sum(axis=1))

    def unequal(self) -> Array:
        """The number of shared items of each pair to which both gave different answers."""
        apart = (self.first != self.second).astype(np.float64)
        return np.asarray(np.bincount(self.pair, apart, len(self)), dtype=np.float64)


def commonest_and_other(given: ArrayLike, places: Array, weights: str) -> tuple[int, int]:
    """The commonest answer, and that which adds most to the distance of all others from it.

    `given` says how often each was given, two of them at least. Without weights, and where no
    answer has a distance, the other one is the next in number.
    """
    number = np.array(given, dtype=np.float64)
    first = int(number.argmax())
    if weights != "none":
        apart = number * DISTANCES[weights](places - places[first])
        if apart.any():
            return first, int(apart.argmax())
    number[first] = -1
    return first, int(number.argmax())


class FewShared(NamedTuple):
    """What to beware of in a mean over pairs that share few units, and whether that is too few."""

    note: str = ""
    too_few: bool = False
    """No interval should be given."""

    @classmethod
    def of(cls, cells: PairUnits, pairs: int, words: str, *, enough: int) -> FewShared:
        """Of pairs that share these cells; `words` says what a unit is, `enough` how many will do.

        Kappas of few units are too low, and leaving one out takes off that bias only where the
        pairs share the others. Of 40 documents, each with two judges of twelve, intervals of means
        held in 37 to 83 % of 200 simulated campaigns; where pairs share 5 to 7 units of many more,
        in 85 to 94 %, and where they share 15, kappas in 90 to 92 %.
        """
        shared = np.bincount(cells.pair, minlength=pairs)
        usual = float(np.median(shared)) if pairs else np.inf
        apart = len(set(cells.unit.tolist())) > usual
        if usual >= (enough if apart else FEW_SHARED):
            return cls()
        fewer = FEW_SHARED if usual < FEW_SHARED else enough
        told = f"half of the pairs of judges share fewer than {fewer} {words}"
        if apart and usual < FEW_SHARED:
            return cls(f"no interval: {told}; alpha and Conger's kappa need fewer", too_few=True)
        return cls(method_line(told, FALLS_SHORT))


def few_in_pair(cells: PairUnits, pairs: int) -> NDArray[np.bool_]:
    """Which pairs share so few units that their intervals hold too seldom."""
    return np.asarray(np.bincount(cells.pair, minlength=pairs) < FEW_SHARED)


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


@dataclass(frozen=True, eq=False)
class PairUnits:
    """What two judges share of each unit, an item or a document: `pair` and `unit` of each cell."""

    pair: Codes
    unit: Codes
    of_row: Codes | None
    """The cell of each shared item; None: each is a cell of its own."""
    units: int

    @classmethod
    def of(cls, pairs: JudgePairs, of_item: Codes, units: int) -> PairUnits:
        """The cells of some pairs, given the unit of each item."""
        unit = of_item[pairs.item]
        if units == len(of_item):
            return cls(pairs.pair.astype(np.int64), unit, None, units)
        cells, of_row = np.unique(pairs.pair.astype(np.int64) * units + unit, return_inverse=True)
        return cls(*np.divmod(cells, units), of_row, units)

    @cached_property
    def grouped(self) -> tuple[Codes, Codes]:
        """The shared items in the order of cells, and where each cell begins and the last ends.

        Sorting millions takes as long as a kappa: it is done once for all weights.
        """
        assert self.of_row is not None
        starts = np.append(0, np.cumsum(np.bincount(self.of_row, minlength=len(self.pair))))
        return np.argsort(self.of_row, kind="stable"), starts

    @property
    def sizes(self) -> Array:
        """How many items the pair of each cell shares there."""
        return self.sums(np.ones(len(self.unit) if self.of_row is None else len(self.of_row)))

    @property
    def unit_sizes(self) -> Array:
        """How many shared items of all pairs each unit has that has any."""
        sizes: Array = np.bincount(self.unit, self.sizes).astype(np.float64)
        return sizes[sizes > 0]

    def sums(self, values: Array) -> Array:
        """Values of shared items summed by cell."""
        if self.of_row is None:
            return values
        return np.asarray(np.bincount(self.of_row, values, len(self.pair)), dtype=np.float64)

    def means_without(self, values: Array, left_out: Array) -> Array:
        """The mean over pairs without each unit, from each pair's value and that of each cell."""
        before, after = values[self.pair], left_out
        known = ~np.isnan(values)
        change = np.nan_to_num(after) - np.nan_to_num(before)
        fewer = (~np.isnan(after)).astype(np.float64) - ~np.isnan(before)
        total = values[known].sum() + np.bincount(self.unit, change, self.units)
        number = known.sum() + np.bincount(self.unit, fewer, self.units)
        with np.errstate(all="ignore"):
            return np.where(number > 0, total / number, np.nan)


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


def pair_errors(pairs: JudgePairs, influences: Array) -> Array:
    """The standard error of each pair's value: √(Σ influence²) / n."""
    squares = np.bincount(pairs.pair, weights=influences**2, minlength=len(pairs))
    return np.asarray(np.sqrt(squares) / pairs.n)


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


def pairs_within(groups: Codes) -> tuple[SmallCodes, SmallCodes]:
    """The positions of every two elements of the same group; the groups must be sorted."""
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    sizes = np.diff(starts, append=len(groups))
    following = np.repeat(starts + sizes, sizes) - np.arange(len(groups)) - 1
    first = np.repeat(np.arange(len(groups), dtype=np.int32), following)
    before = np.repeat((np.cumsum(following) - following).astype(np.int32), following)
    return first, np.arange(len(first), dtype=np.int32) - before + first + 1


def rank_in_pair(pairs: JudgePairs, codes: SmallCodes) -> Array:
    """The mid-rank of each of a judge's answers among all of theirs in the same pair."""
    if len(pairs) * len(pairs.places) > CELLS:
        return mid_ranks_by_group(codes.astype(np.float64), pairs.pair)
    ranks = mid_ranks_from_counts(_counts(pairs, codes))
    return np.asarray(ranks.reshape(-1)[_cells(pairs, codes)])


def _numbered(keys: Codes, most: int) -> tuple[Codes, SmallCodes, Codes]:
    """Keys below `most` that occur, which of these each is, and how often each occurs."""
    # Counting needs a cell for every possible key; sorting only for those that occur.
    if most > max(len(keys), 2**20):
        found, inverse, n = np.unique(keys, return_inverse=True, return_counts=True)
        return found, inverse.astype(np.int32), n
    counts = np.bincount(keys, minlength=most)
    found = np.flatnonzero(counts)
    number = np.zeros(len(counts), dtype=np.int32)
    number[found] = np.arange(len(found))
    return found, number[keys], counts[found]


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
            expected = (_counts(pairs, pairs.first) * to_second).sum(axis=1) / pairs.n
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
        return np.asarray(table.reshape(-1)[_cells(pairs, own)])


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


def _cells(pairs: JudgePairs, codes: SmallCodes) -> Codes:
    return pairs.pair * np.int64(len(pairs.places)) + codes


def _counts(pairs: JudgePairs, codes: SmallCodes) -> Codes:
    """How often a judge of each pair gave each point: pairs × points."""
    points = len(pairs.places)
    counts = np.bincount(_cells(pairs, codes), minlength=len(pairs) * points)
    return counts.reshape(-1, points)


def _table(pairs: JudgePairs, others: SmallCodes, weights: str) -> Array:
    """The mean distance of each point to all that the other judge gave: pairs × points."""
    return np.asarray((_counts(pairs, others) @ _apart(pairs, weights)) / pairs.n[:, None])


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
