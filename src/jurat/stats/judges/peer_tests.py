"""Tests of each judge against the others, whose p-values hold where all judges are equal.

A judge's answers are compared with the others' answers to the same items. What differs by chance is
whole documents, however few a judge has, or items where documents are unknown.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.resampling.student_t import t_cdf, t_quantile
from jurat.stats.estimates import Estimates
from jurat.stats.independent_units import Units, units_of_table
from jurat.stats.ratings import Array, Codes, Ratings, divide_or_nan, summed
from jurat.stats.settings import Settings

Mask = NDArray[np.bool_]

# Documents of a typical judge below which tests have hardly any power.
DOCUMENTS = 6
TWO_SIDED, LOW, HIGH = 0, -1, 1


class PeerTest(NamedTuple):
    """Of every judge: the difference from the others, its standard error, freedom and p.

    NaN where a judge cannot be compared; a test of shares has only p.
    """

    difference: Array
    error: Array
    freedom: Array
    p: Array

    def intervals(self, settings: Settings, unit: str) -> Estimates | None:
        """The differences ± t · standard error; None where no intervals are asked for."""
        if not settings.intervals:
            return None
        # two units of unequal size have less than one degree of freedom, whose t is endless
        quantile = t_quantile(np.maximum(self.freedom, 1.0), (1 + settings.confidence) / 2)
        # without any variation there is nothing to judge by
        told = (self.freedom > 1e-9) & (self.error > 0)
        far = np.where(told, self.error * quantile, np.nan)
        values, share = self.difference, f"{100 * settings.confidence:g} %"
        low, high, how = values - far, values + far, f"{share} t interval, {unit} vary"
        return Estimates(values=values, low=low, high=high, method=how)

    @classmethod
    def of_p(cls, p: Array) -> PeerTest:
        """A test that has no standard error."""
        nothing = np.full(len(p), np.nan)
        return cls(nothing, nothing, nothing, p)


def units_of_judges(ratings: Ratings, unit: str) -> Units:
    """What varies: documents where several are known, else items; or as `--unit` asks."""
    return ratings.once(units_of_table, unit)


def unit_codes(ratings: Ratings, unit: str) -> Codes:
    """The unit of each answer."""
    return units_of_judges(ratings, unit).of_item[ratings.item_codes]


def unit_name(ratings: Ratings, unit: str) -> str:
    """What `unit_codes` takes as what varies."""
    return units_of_judges(ratings, unit).words


def few_documents(ratings: Ratings, unit: str) -> int:
    """How many documents a typical judge has where these are fewer than six; else 0."""
    units = units_of_judges(ratings, unit)
    if units.are_items or not len(ratings):
        return 0
    pairs = np.unique(ratings.judge_codes * units.number + unit_codes(ratings, unit))
    each = int(np.median(np.bincount(pairs // units.number)))
    return each if each < DOCUMENTS else 0


def unit_note(ratings: Ratings, unit: str) -> str:
    """What the choice of units assumes, or that they are few; empty where neither is so."""
    few = few_documents(ratings, unit)
    if not few:
        return units_of_judges(ratings, unit).note
    many = "1 document" if few == 1 else f"{few} documents"
    return f"{many} a judge say little about others"


def excess_over_others(values: Array, ratings: Ratings) -> Array:
    """Each value less the mean of the other judges' values of the same item; NaN without any."""
    items = ratings.item_codes
    total, count = summed(items, values)[items], np.bincount(items)[items]
    return values - divide_or_nan(total - values, count - 1)


def distance_excess(apart: Array, ratings: Ratings) -> Array:
    """The mean distance to the others of an item less that of the others among themselves.

    `apart` is the sum of distances of each answer to the others. NaN with fewer than three answers:
    the distance of two says nothing about which of them is off.
    """
    items = ratings.item_codes
    n = np.bincount(items)[items].astype(np.float64)
    # each distance of two was added to both of them
    of_others = summed(items, apart)[items] / 2 - apart
    return divide_or_nan(apart, n - 1) - divide_or_nan(of_others, (n - 1) * (n - 2) / 2)


def peer_test(
    excess: Array, ratings: Ratings, *, unit: str = "", side: int = TWO_SIDED
) -> PeerTest:
    """The t test of each judge's mean excess over the others, with units as what varies.

    With w a unit's share of the judge's answers and x its mean excess, the variance of the mean m
    is Σ w² (x − m)² / (1 − w), with 1 / Σ w² − 1 degrees of freedom. A judge who shared items with
    one other judge only is not tested: it could be either of the two.
    """
    known = ~np.isnan(excess)
    judges = len(ratings.judges)
    found = unit_test(
        excess[known], ratings.judge_codes[known], unit_codes(ratings, unit)[known], judges, side
    )
    return found._replace(p=np.where(_has_two_peers(ratings), found.p, np.nan))


def unit_test(values: Array, judge: Codes, unit: Codes, judges: int, side: int) -> PeerTest:
    """The t test of each judge's mean of values, of which those of one unit belong together."""
    size = int(unit.max(initial=0)) + 1
    cells, which = np.unique(judge * size + unit, return_inverse=True)
    owner = cells // size
    n, total = np.bincount(which).astype(np.float64), summed(which, values)
    mean = divide_or_nan(summed(owner, total, judges), summed(owner, n, judges))
    share = n / summed(owner, n, judges)[owner]
    away = (total / n - mean[owner]) ** 2
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = summed(owner, share**2 * away / (1 - share), judges)
        freedom = 1 / summed(owner, share**2, judges) - 1
    units = np.bincount(owner, minlength=judges)
    p = _p_of_t(mean, variance, freedom, units, side)
    return PeerTest(mean, np.sqrt(variance), freedom, p)


def _p_of_t(mean: Array, variance: Array, freedom: Array, units: Codes, side: int) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        t = mean / np.sqrt(variance)
        below, above = t_cdf(freedom, t), t_cdf(freedom, -t)
    p = {LOW: below, HIGH: above, TWO_SIDED: 2 * np.minimum(below, above)}[side]
    # the same difference in every unit has no error: then the signs say how likely that is
    steady = variance <= 1e-20 * mean**2
    towards = mean != 0 if side == TWO_SIDED else mean * side > 0
    signs = np.where(towards, (2 if side == TWO_SIDED else 1) * 0.5**units, 1.0)
    return np.where(freedom > 1 - 1e-9, np.where(steady, signs, p), np.nan)


def exchange_test(excess: Array, ratings: Ratings, *, unit: str = "") -> PeerTest:
    """Is a judge's mean excess higher than if judges had exchanged their answers at random?

    Answers to a unit change places among its judges. The variance and skewness of a judge's sum
    under all exchanges follow from those of the units; p comes from Pearson's type III curve with
    these moments (Mielke & Berry 2007), since excesses of distances are skewed.
    """
    known = ~np.isnan(excess)
    judge, judges = ratings.judge_codes[known], len(ratings.judges)
    codes = unit_codes(ratings, unit)[known]
    size = int(codes.max(initial=0)) + 1
    cells, which = np.unique(judge * size + codes, return_inverse=True)
    owner, of = cells // size, cells % size
    n, total = np.bincount(which).astype(np.float64), summed(which, excess[known])
    # a unit of which judges judged different numbers of items: as if for one item of each
    each, answered = total / np.sqrt(n), np.bincount(of, minlength=size)
    moments = [divide_or_nan(summed(of, each**power, size), answered)[of] for power in (2, 3)]
    variance = summed(owner, moments[0] * n, judges)
    third = summed(owner, moments[1] * n**1.5, judges)
    count, units = summed(owner, n, judges), np.bincount(owner, minlength=judges)
    sums = summed(owner, total, judges)
    deviation = np.sqrt(variance)
    p = _pearson_tail(divide_or_nan(sums, deviation), divide_or_nan(third, deviation**3))
    # the curve is smooth, but few units can be exchanged in few ways
    p = np.maximum(p, np.exp(-summed(owner, np.log(answered[of]), judges)))
    told = _has_two_peers(ratings) & (units > 1)
    mean, error = divide_or_nan(sums, count), divide_or_nan(deviation, count)
    return PeerTest(
        *(np.where(told, part, np.nan) for part in (mean, error, np.full(judges, np.inf), p))
    )


def _pearson_tail(z: Array, skewness: Array) -> Array:
    """P(Z > z) of a standardised gamma variable with that skewness; normal where it has none."""
    from scipy.special import gammainc, gammaincc, ndtr

    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        half = 2 / np.abs(skewness)
        above = gammaincc(half**2, np.maximum(half**2 + half * z, 0))
        below = gammainc(half**2, np.maximum(half**2 - half * z, 0))
    found = np.where(skewness > 0, above, below)
    return np.asarray(np.where(np.abs(skewness) > 1e-3, found, ndtr(-z)))


def _has_two_peers(ratings: Ratings) -> Mask:
    """Which judges shared items with at least two others."""
    items, judge = ratings.item_codes, ratings.judge_codes
    count = np.bincount(items)[items]
    judges = len(ratings.judges)
    found = np.bincount(judge[count > 2], minlength=judges) > 0
    pairs = count == 2
    partner = (summed(items, judge)[items] - judge)[pairs].astype(np.int64)
    first, last = np.full(judges, judges), np.full(judges, -1)
    np.minimum.at(first, judge[pairs], partner)
    np.maximum.at(last, judge[pairs], partner)
    return np.asarray(found | (first < last))


def slope_test(x: Array, excess: Array, ratings: Ratings, *, unit: str = "") -> PeerTest:
    """The t test of the slope of each judge's excess over x, with units as what varies."""
    known = ~np.isnan(excess)
    judge, codes = ratings.judge_codes[known], unit_codes(ratings, unit)[known]
    judges, x, y = len(ratings.judges), x[known], excess[known]
    n = np.bincount(judge, minlength=judges).astype(np.float64)
    x = x - divide_or_nan(summed(judge, x, judges), n)[judge]
    y = y - divide_or_nan(summed(judge, y, judges), n)[judge]
    square = summed(judge, x * x, judges)
    slope = divide_or_nan(summed(judge, x * y, judges), square)
    size = int(codes.max(initial=0)) + 1
    cells, which = np.unique(judge * size + codes, return_inverse=True)
    owner = cells // size
    rest = summed(which, x * (y - slope[judge] * x))
    # how much of the slope and of the mean the unit decides: its leverage
    share = divide_or_nan(summed(which, x * x), square[owner])
    leverage = share + np.bincount(which) / n[owner]
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(leverage < 1, rest**2 / (1 - leverage), np.nan)
        variance = summed(owner, part, judges) / square**2
        freedom = 1 / summed(owner, share**2, judges) - 1
    units = np.bincount(owner, minlength=judges)
    p = np.where(units > 2, _p_of_t(slope, variance, freedom, units, TWO_SIDED), np.nan)
    return PeerTest(slope, np.sqrt(variance), freedom, p)


def share_test(hits: Mask, trials: Mask, ratings: Ratings, *, unit: str = "") -> PeerTest:
    """Fisher's exact test: do they have more hits than the others on the same items?

    Where nobody else tried the same items, the others' trials of all items are taken. Trials of a
    document are alike: where a judge has several of one, p is at least that of the t test over
    documents.
    """
    judge, items, judges = ratings.judge_codes, ratings.item_codes, len(ratings.judges)
    own = [summed(judge, part, judges) for part in (hits, trials)]
    beyond = [
        np.where(trials, summed(items, part)[items] - part, 0.0) for part in (hits & trials, trials)
    ]
    shared = [summed(judge, part, judges) for part in beyond]
    others = [
        np.where(shared[1] > 0, part, mine.sum() - mine)
        for part, mine in zip(shared, own, strict=True)
    ]
    numbers = zip(*own, *others, strict=True)
    p = np.array([_fisher_tail(*map(int, four)) for four in numbers])
    expected = divide_or_nan(*others)[judge]
    of_item = divide_or_nan(*(part[trials] for part in beyond))
    excess: Array = hits[trials] - np.where(np.isnan(of_item), expected[trials], of_item)
    return PeerTest.of_p(_over_units(p, excess, trials, ratings, unit))


def _over_units(p: Array, excess: Array, known: Mask, ratings: Ratings, unit: str) -> Array:
    """The p of judges with several answers of a unit, raised to that of the t test over units.

    `excess` is of the answers that are `known`. A judge all of whose answers are of one unit has
    none: the unit may be why they differ.
    """
    judge, codes = ratings.judge_codes[known], unit_codes(ratings, unit)[known]
    judges = len(ratings.judges)
    pairs = np.unique(judge * (int(codes.max(initial=0)) + 1) + codes)
    units = np.bincount(pairs // (int(codes.max(initial=0)) + 1), minlength=judges)
    several = np.bincount(judge, minlength=judges) > units
    if not several.any():
        return p
    over = unit_test(excess, judge, codes, judges, HIGH).p
    return np.where(several, np.where(units > 1, np.maximum(p, over), np.nan), p)


def _fisher_tail(hits: int, trials: int, other_hits: int, other_trials: int) -> float:
    """P(X ≥ hits) of a hypergeometric X: as many hits fell to these trials by chance."""
    from scipy.special import gammaln

    if not trials or not other_trials:
        return np.nan

    def choose(n: int, k: Array) -> Array:
        return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))

    all_hits = hits + other_hits
    k = np.arange(hits, min(trials, all_hits) + 1, dtype=np.float64)
    k = k[all_hits - k <= other_trials]
    logs = choose(trials, k) + choose(other_trials, all_hits - k)
    return float(min(1.0, np.exp(logs - choose(trials + other_trials, np.array([all_hits]))).sum()))


def rank_test(values: Array, known: Mask, ratings: Ratings, *, unit: str = "") -> PeerTest:
    """Wilcoxon's rank-sum test: are a judge's values higher than those of all others?

    Normal, with the variance corrected for ties and a continuity correction of ½; of answers of one
    document as in `share_test`.
    """
    from scipy.special import ndtr

    from jurat.stats.correlation import mid_ranks

    judges = len(ratings.judges)
    if known.sum() < 2:
        return PeerTest.of_p(np.full(judges, np.nan))
    # the ranks among all are the same whoever is compared with the rest
    judge, ranks = ratings.judge_codes[known], mid_ranks(values[known])
    n = np.bincount(judge, minlength=judges).astype(np.float64)
    others = len(ranks) - n
    above = summed(judge, ranks, judges) - n * (len(ranks) + 1) / 2
    deviation = np.sqrt(n * others / len(ranks) * ranks.var(ddof=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        p = ndtr((0.5 - above) / deviation)
        mean_of_others = (ranks.sum() - summed(judge, ranks, judges)) / others
    p = np.where(deviation > 0, p, np.nan)
    return PeerTest.of_p(_over_units(p, ranks - mean_of_others[judge], known, ratings, unit))


def pair_distance_test(apart: Array, ratings: Ratings, *, unit: str = "") -> PeerTest:
    """Where items have two answers each: are a judge's pairs farther apart than other pairs?

    The difference of two means of distances, with the variance of units pooled over all judges. A
    judge's few pairs of a unit vary more than its mean, and are skewed: p is at least that of as
    many pairs drawn from all, by Pearson's type III curve.
    """
    items, judge, judges = ratings.item_codes, ratings.judge_codes, len(ratings.judges)
    pairs = np.bincount(items)[items] == 2
    nothing = np.full(judges, np.nan)
    if not pairs.any():
        return PeerTest.of_p(nothing)
    codes = unit_codes(ratings, unit)[pairs]
    own = unit_test(apart[pairs], judge[pairs], codes, judges, HIGH)
    every = unit_test(apart[pairs], np.zeros_like(codes), codes, 1, HIGH)
    n, total = np.bincount(judge[pairs], minlength=judges), pairs.sum() / 2
    mean_of_others = divide_or_nan(total * every.difference - n * own.difference, total - n)
    with np.errstate(invalid="ignore", divide="ignore"):
        # the variance of a mean is that of a unit times Σ w², which is 1 / (freedom + 1)
        of_own = (every.freedom + 1) / (own.freedom + 1)
        variance = every.error**2 * (of_own + total / (total - n))
        difference = own.difference - mean_of_others
        p = t_cdf(every.freedom, -difference / np.sqrt(variance))
        centred = apart[pairs] - apart[pairs].mean()
        spread = np.sqrt((centred**2).mean())
        z = difference / (spread * np.sqrt(1 / n + 1 / (total - n)))
        p = np.maximum(p, _pearson_tail(z, (centred**3).mean() / spread**3 / np.sqrt(n)))
    told = _has_two_peers(ratings) & (n < total) & (variance > 0)
    return PeerTest(
        *(
            np.where(told, part, np.nan)
            for part in (difference, np.sqrt(variance), np.full(judges, every.freedom), p)
        )
    )
