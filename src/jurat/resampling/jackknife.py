"""The jackknife: a statistic with each cluster left out."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from jurat.resampling.arguments import Array, Score, evaluate
from jurat.resampling.clusters import OneWay, one_way_sums
from jurat.resampling.intervals import centred


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
