"""Shares and means over segments, for each judge and for judges in the mean (Sun's tables)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurat.resampling import permute_signs
from jurat.results import Estimate, Key
from jurat.stats.agreement.tallies import summed
from jurat.stats.metaeval.matched import Matched
from jurat.stats.metaeval.settings import MetricSettings
from jurat.stats.ratings import Array, Codes
from jurat.stats.spread import Spread, spread

PERMUTATIONS = 10_000


class Rows(NamedTuple):
    """Which segment and judge each row is of."""

    segment: Codes
    judge: Codes


class Tally(NamedTuple):
    """Sums of each segment and judge, segments × judges.

    A judge's value is Σ above / Σ below. `turning` is what changes its sign where a metric's order
    of a segment is turned round.
    """

    above: Array
    below: Array
    turning: Array

    @classmethod
    def of(cls, one: Matched, rows: Rows, *, above: Array, below: Array, turning: Array) -> Tally:
        """Sums of what was found in each row."""
        judges = max(1, len(one.people.judges))
        cells, shape = rows.segment * judges + rows.judge, (one.segments, judges)
        size = shape[0] * shape[1]
        return cls(*(summed(cells, p, size).reshape(shape) for p in (above, below, turning)))

    @property
    def values(self) -> Array:
        """The value of each judge, then their mean."""
        both = np.hstack([self.above, self.below])
        return np.asarray(_values(both.sum(axis=0)[None])[0])

    def spread(self, settings: MetricSettings) -> Spread:
        """The same with intervals over segments."""
        if not self.above.size:
            nothing = np.full(self.above.shape[1] + 1, np.nan)
            return Spread(values=nothing, low=nothing, high=nothing)
        return spread(np.hstack([self.above, self.below]), _values, settings=settings)

    def p_values(self, settings: MetricSettings) -> tuple[Array, str]:
        """How likely so much is, either way, where a metric's order is as good as its reverse."""
        with np.errstate(invalid="ignore", divide="ignore"):
            weighed = np.nan_to_num(self.turning / self.below.sum(axis=0))
        columns = np.hstack([self.turning, weighed.sum(axis=1, keepdims=True)])
        if not columns.any():
            return np.full(columns.shape[1], np.nan), ""
        test = permute_signs(
            columns, permutations=PERMUTATIONS, seed=settings.seed, jobs=settings.jobs
        )
        told = columns.any(axis=0)
        return np.where(told, test.p_value, np.nan), test.method.replace("clusters", "segments")


def _values(totals: Array) -> Array:
    above, below = np.hsplit(totals, 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        each = np.where(below > 0, above / below, np.nan)
        there = ~np.isnan(each)
        mean = np.where(there, each, 0.0).sum(axis=1) / there.sum(axis=1)
    return np.column_stack([each, mean])


def estimates(
    one: Matched, metric: str, tally: Tally, found: Spread, *, reason: str
) -> Iterator[Estimate]:
    """Each judge's value, and the mean of the judges; where nobody is named, that alone."""
    below = tally.below.sum(axis=0)
    by: dict[str, Key] = {**one.by, "metric": metric}
    for at, judge in enumerate(one.people.judges):
        own = {**by, "judge": judge}
        yield found.estimate(at, n=int(below[at]), by=own, tags=one.tags, reason=reason)
    named = bool(one.people.judges)
    n = int((below > 0).sum()) if named else int(below.sum())
    yield found.estimate(len(below), n=n, by=by, tags=one.tags, reason=reason)


AVERAGED = "without judge: the mean of the judges, n counts these"
POOLED = "no judge judged two systems of a segment: the judges' means are compared"


def averaged(parts: Sequence[Matched]) -> str:
    """What the method says of judges."""
    if any(one.people.pooled for one in parts):
        return POOLED
    return AVERAGED if any(one.people.judges for one in parts) else ""
