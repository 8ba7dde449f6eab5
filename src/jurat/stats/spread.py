"""Values with their bootstrap intervals, as estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.resampling import bootstrap
from jurat.resampling.arguments import Score, evaluate
from jurat.resampling.clusters import Clusters, gather
from jurat.results import Estimate, Key
from jurat.stats.statistic import Settings


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Values, the ends of their intervals (NaN where there is none), and how these came about."""

    values: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    method: str = ""

    def estimate(
        self,
        at: int = 0,
        *,
        n: int,
        by: Mapping[str, Key],
        tags: Mapping[str, Key] | None = None,
        reason: str = "",
        side: str = "",
    ) -> Estimate:
        """One of the values as an estimate; `reason` says why where it is undefined."""
        value, low, high = (float(a[at]) for a in (self.values, self.low, self.high))
        return Estimate(
            value=None if np.isnan(value) else value,
            n=n,
            by=by,
            tags=tags or {},
            low=None if np.isnan(low) else low,
            high=None if np.isnan(high) else high,
            reason=reason if np.isnan(value) else "",
            side=side,
        )


def spread(
    statistics: ArrayLike,
    score: Score,
    *,
    settings: Settings,
    clusters: Clusters = None,
    copies: ArrayLike | None = None,
) -> Spread:
    """Score the totals, and resample clusters for the intervals if the settings ask for any.

    See `jurat.resampling.bootstrap` for what the arguments are.
    """
    if not settings.bootstrap:
        total = gather(statistics, clusters, copies).total[None]
        values = np.atleast_1d(np.asarray(evaluate(score, total)[0], dtype=np.float64))
        nothing = np.full(values.shape, np.nan)
        return Spread(values=values, low=nothing, high=nothing)
    sampled = bootstrap(
        statistics,
        score,
        clusters=clusters,
        copies=copies,
        replicates=settings.bootstrap,
        seed=settings.seed,
        confidence=settings.confidence,
        jobs=settings.jobs,
    )
    values = np.atleast_1d(np.asarray(sampled.estimate, dtype=np.float64))
    ends = sampled.interval or (np.full(values.shape, np.nan),) * 2
    low, high = (np.atleast_1d(np.asarray(end, dtype=np.float64)) for end in ends)
    return Spread(values=values, low=low, high=high, method=sampled.method)


def told(*parts: str) -> str:
    """The parts of a method that say something, as one line."""
    return "; ".join(part for part in parts if part)


def first_method(spreads: Sequence[Spread]) -> str:
    """How intervals were made, where several values were made alike."""
    return next((s.method for s in spreads if s.method), "")
