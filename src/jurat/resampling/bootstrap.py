"""The bootstrap: how much a statistic would vary over other clusters of the same kind."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.errors import input_error
from jurat.resampling.arguments import Array, Score, at_least, checked_jobs, evaluate, one_of
from jurat.resampling.clusters import Clusters, OneWay, TwoWay, cluster_sums
from jurat.resampling.intervals import METHODS, Interval, Replicates, standard_error
from jurat.resampling.jackknife import leave_one_out


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
        method: percentile, basic, bca or normal.
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
    name = {"bca": "BCa"}.get(method, method)
    sizes = " × ".join(map(str, sample.sizes))
    how = ", both drawn (pigeonhole)" if isinstance(sample, TwoWay) else ""
    return (
        f"{name} interval, {100 * confidence:g} %, from {replicates} bootstrap resamples "
        f"of {sizes} clusters{how}"
    )
