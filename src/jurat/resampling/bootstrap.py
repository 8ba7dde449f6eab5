"""The bootstrap and the jackknife: how much a statistic would vary over other clusters.

Undefined values are NaN and left out; an end of an interval is NaN where there is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.errors import input_error
from jurat.resampling.cluster_sums import Clusters, OneWay, TwoWay, cluster_sums, one_way_sums
from jurat.resampling.engine import Array, Score, at_least, checked_jobs, evaluate, one_of
from jurat.resampling.student_t import t_quantile

NORMAL = NormalDist()


class Interval(NamedTuple):
    """The lower and the upper end, of the shape of what was estimated."""

    low: Array
    high: Array


@dataclass(frozen=True, kw_only=True)
class Bootstrap:
    """An estimate, its replicates, and what follows from them.

    `estimate`, `standard_error`, `undefined` and both ends of `interval` have the shape of the
    score of one resample: none for a single value, (m,) for m values. Replicates are NaN where the
    statistic is undefined; these are left out of all else and counted in `undefined`. `reasons`
    says for each value why it has no interval: its ends are then NaN, and `interval` is None where
    no value has one.
    """

    estimate: Array
    replicates: Array = field(repr=False)
    interval: Interval | None
    standard_error: Array
    undefined: NDArray[np.int64]
    n_clusters: tuple[int, ...]
    confidence: float
    method: str
    seed: int
    reasons: tuple[str, ...]

    @property
    def reason(self) -> str:
        """Why there is no interval, or not for every value; else empty."""
        return "; ".join(dict.fromkeys(filter(None, self.reasons)))


def bootstrap(
    statistics: ArrayLike,
    score: Score,
    *,
    clusters: Clusters = None,
    copies: ArrayLike | None = None,
    replicates: int = 1000,
    seed: int,
    confidence: float = 0.95,
    method: str = "percentile",
    jobs: int = 1,
) -> Bootstrap:
    """Resample clusters with replacement, and score the totals of each resample.

    Args:
        statistics: sufficient statistics, units × k; what a score needs are their totals.
        score: from totals (resamples × k) to values (resamples, or resamples × m).
        clusters: an id for each unit, naming what is drawn; or a tuple of two such arrays
            (documents and judges), both of which are drawn: a unit counts as often as the product
            of how often its two clusters are drawn (Owen 2007, the pigeonhole bootstrap).
        copies: instead of clusters, how many equal clusters each row stands for; what a caller
            knows to be equal need not be written out.
        replicates: how many resamples.
        seed: the same seed gives the same replicates, bit for bit, whatever runs them.
        confidence: of the interval.
        method: percentile, expanded, basic, bca or normal.
        jobs: processes, or workers of the backend that `joblib.parallel_config` names; -1 for all.
    """
    one_of(METHODS, method, field="method")
    replicates = at_least(2, replicates, field="replicates")
    seed = at_least(0, seed, field="seed")
    if not 0 < confidence < 1:
        raise input_error(
            "confidence must lie between 0 and 1", field="confidence", value=confidence
        )
    sample = cluster_sums(statistics, clusters, copies)
    if method == "bca" and isinstance(sample, TwoWay):
        raise input_error("method bca needs clusters of one kind", field="method", value=method)
    values = evaluate(score, sample.resample(replicates, seed=seed, jobs=checked_jobs(jobs)))
    estimate = np.asarray(evaluate(score, sample.total[None])[0])
    sampled = Replicates(
        replicates=values.reshape(replicates, -1),
        estimate=estimate.reshape(-1),
        left_out=lambda: _left_out(sample, score),
        clusters=min(sample.sizes),
    )
    interval, reasons = _interval(sample, sampled, method, confidence)
    # One cluster gives the same resample each time: an error of 0 would claim certainty.
    error = np.where(min(sample.sizes) > 1, standard_error(sampled.replicates), np.nan)
    return Bootstrap(
        estimate=estimate,
        replicates=values,
        interval=interval and Interval(*(end.reshape(estimate.shape) for end in interval)),
        standard_error=error.reshape(estimate.shape),
        undefined=np.asarray(np.isnan(values).sum(axis=0)),
        n_clusters=sample.sizes,
        confidence=confidence,
        method=_method(sample, method, confidence, replicates),
        seed=seed,
        reasons=reasons,
    )


def _interval(
    sample: OneWay | TwoWay, sampled: Replicates, method: str, confidence: float
) -> tuple[Interval | None, tuple[str, ...]]:
    """The interval of each value, and the reason where there is none."""
    if min(sample.sizes) == 1:
        return None, ("a single cluster says nothing about others",) * len(sampled.estimate)
    low, high = METHODS[method](sampled, confidence)
    reasons = _reasons(sampled, low + high)
    none = np.array([reason != "" for reason in reasons])
    if none.all():
        return None, reasons
    return Interval(np.where(none, np.nan, low), np.where(none, np.nan, high)), reasons


def _reasons(sampled: Replicates, ends: Array) -> tuple[str, ...]:
    resamples = len(sampled.replicates)
    undefined = np.isnan(sampled.replicates).sum(axis=0)

    def reason(estimate: float, missing: int, end: float) -> str:
        if np.isnan(estimate):
            return "undefined for the data as they are"
        if 2 * missing > resamples:
            return f"undefined in {missing} of {resamples} resamples"
        return "all resamples lie on one side of the estimate" if np.isnan(end) else ""

    return tuple(map(reason, sampled.estimate, undefined, ends))


def _left_out(sample: OneWay | TwoWay, score: Score) -> Array:
    assert isinstance(sample, OneWay)
    values = leave_one_out(sample, score)
    return values.reshape(len(values), -1)


def _method(sample: OneWay | TwoWay, method: str, confidence: float, replicates: int) -> str:
    name = {"bca": "BCa", "expanded": "expanded percentile"}.get(method, method)
    sizes = " × ".join(map(str, sample.sizes))
    how = ", both drawn (pigeonhole)" if isinstance(sample, TwoWay) else ""
    return (
        f"{name} interval, {100 * confidence:g} %, from {replicates} bootstrap resamples "
        f"of {sizes} clusters{how}"
    )


@dataclass(frozen=True)
class Replicates:
    """Replicates × values, the estimates, and how to get them with each cluster left out."""

    replicates: Array
    estimate: Array
    left_out: Callable[[], Array]
    clusters: int
    """How many are drawn; of two kinds the fewer."""


def percentile(sampled: Replicates, confidence: float) -> Interval:
    """The middle part of the replicates."""
    tail = np.full(len(sampled.estimate), (1 - confidence) / 2)
    return Interval(quantile(sampled.replicates, tail), quantile(sampled.replicates, 1 - tail))


def expanded(sampled: Replicates, confidence: float) -> Interval:
    """Percentiles farther out, for few clusters (Hesterberg 2015).

    Resamples of n clusters vary too little by √((n − 1)/n), and know no t: the tail is
    Φ(−t √(n/(n − 1))) with the quantile t of n − 1 degrees of freedom.
    """
    n = sampled.clusters
    reach = float(t_quantile(n - 1, (1 + confidence) / 2)) * (n / (n - 1)) ** 0.5
    return percentile(sampled, math.erf(reach / math.sqrt(2)))


def basic(sampled: Replicates, confidence: float) -> Interval:
    """The percentile interval turned round the estimate."""
    low, high = percentile(sampled, confidence)
    return Interval(2 * sampled.estimate - high, 2 * sampled.estimate - low)


def normal(sampled: Replicates, confidence: float) -> Interval:
    """The estimate and so many standard errors to either side."""
    reach = NORMAL.inv_cdf((1 + confidence) / 2) * standard_error(sampled.replicates)
    return Interval(sampled.estimate - reach, sampled.estimate + reach)


def bca(sampled: Replicates, confidence: float) -> Interval:
    """Percentiles corrected for bias and acceleration (Efron 1987)."""
    replicates, estimate = sampled.replicates, sampled.estimate
    # Replicates that equal the estimate count half below it and half above.
    below = (replicates < estimate).sum(axis=0) + (replicates <= estimate).sum(axis=0)
    share = below / (2 * np.maximum(1, np.isfinite(replicates).sum(axis=0)))
    bias, rate = _each(_inverse, share), acceleration(sampled.left_out())

    def end(tail: float) -> Array:
        shift = bias + NORMAL.inv_cdf(tail)
        return quantile(replicates, _each(NORMAL.cdf, bias + shift / (1 - rate * shift)))

    return Interval(end((1 - confidence) / 2), end((1 + confidence) / 2))


METHODS: Mapping[str, Callable[[Replicates, float], Interval]] = {
    "percentile": percentile,
    "expanded": expanded,
    "basic": basic,
    "bca": bca,
    "normal": normal,
}


def quantile(replicates: Array, level: Array) -> Array:
    """The quantile of each column at its own level, between the two nearest values."""
    ordered = np.sort(replicates, axis=0)  # NaN last
    last = np.maximum(np.isfinite(replicates).sum(axis=0) - 1, 0)
    # Of each column only what is defined counts: it is sorted to the front.
    place = np.where(np.isfinite(level), level, 0) * last
    below, above = np.floor(place).astype(np.intp), np.ceil(place).astype(np.intp)
    low, high = (np.take_along_axis(ordered, at[None], axis=0)[0] for at in (below, above))
    return np.where(np.isfinite(level), low + (high - low) * (place - below), np.nan)


def standard_error(replicates: Array) -> Array:
    """The standard deviation of each column; NaN for fewer than two values."""
    distance, _, n = centred(replicates)
    error: Array = np.sqrt((distance**2).sum(axis=0) / np.where(n > 1, n - 1, np.nan))
    return error


def acceleration(left_out: Array) -> Array:
    """How fast the standard error changes with the value, by the jackknife."""
    distance = -centred(left_out)[0]
    squares, cubes = (distance**2).sum(axis=0), (distance**3).sum(axis=0)
    rate: Array = cubes / np.where(squares > 0, 6 * squares**1.5, np.inf)
    return rate


def centred(values: Array) -> tuple[Array, Array, NDArray[np.int64]]:
    """Distances from each column's mean (0 where undefined), the means, and of how many."""
    there = np.isfinite(values)
    n = there.sum(axis=0)
    mean = np.where(there, values, 0).sum(axis=0) / np.maximum(n, 1)
    return np.where(there, values - mean, 0), mean, n


def _each(function: Callable[[float], float], values: Array) -> Array:
    return np.array([function(value) for value in values.tolist()])


def _inverse(share: float) -> float:
    return NORMAL.inv_cdf(share) if 0 < share < 1 else np.nan


@dataclass(frozen=True, kw_only=True)
class Jackknife:
    """A statistic with each cluster left out, and what follows from it.

    `estimate`, `standard_error` and `bias` have the shape of the score of one resample: none for a
    single value, (m,) for m values. `values` has a row for each cluster, in the order of whole
    numbers as ids, or else of the ids' appearance; NaN where there is no value without it.
    """

    estimate: Array
    values: Array = field(repr=False)
    standard_error: Array
    bias: Array
    n_clusters: int


def jackknife(
    statistics: ArrayLike, score: Score, *, clusters: ArrayLike | None = None
) -> Jackknife:
    """Leave each cluster out in turn (Quenouille 1956, Tukey 1958).

    With θ(i) the value without cluster i and θ(·) the mean of those n that are defined,
    SE² = (n − 1)/n Σ(θ(i) − θ(·))² and bias = (n − 1)(θ(·) − θ).
    """
    sample = one_way_sums(statistics, clusters)
    values = leave_one_out(sample, score)
    estimate = evaluate(score, sample.total[None])[0]
    distance, mean, count = centred(values)
    # A single value has no deviation.
    n = np.where(count > 1, count, np.nan)
    return Jackknife(
        estimate=np.asarray(estimate),
        values=values,
        standard_error=np.asarray(np.sqrt((n - 1) / n * (distance**2).sum(axis=0))),
        bias=np.asarray((n - 1) * (mean - estimate)),
        n_clusters=len(values),
    )


def leave_one_out(sample: OneWay, score: Score) -> Array:
    """The score without each cluster, computed once for clusters that are the same."""
    kinds = sample.kinds
    if kinds is None:
        return evaluate(score, sample.total - sample.rows)
    return evaluate(score, sample.total - kinds.rows)[kinds.of_cluster]
