"""Shares and means over segments, for each judge and for the mean of the judges (Sun's tables)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurat.resampling import permute_signs
from jurat.results import Estimate, Figure, Key
from jurat.stats import figures
from jurat.stats.estimates import Estimates, bootstrap_estimates, undefined_estimates
from jurat.stats.metaeval.matched_scores import MatchedScores
from jurat.stats.ratings import Array, Codes, summed
from jurat.stats.settings import MetricSettings

PERMUTATIONS = 10_000
AVERAGED = "without judge: the mean of the judges, n counts these"
POOLED = "no judge judged two systems of a segment: the judges' means are compared"


class RowKeys(NamedTuple):
    """Which segment and judge each row is of."""

    segment: Codes
    judge: Codes


class JudgeSums(NamedTuple):
    """Sums of one metric for each segment and judge, segments × judges.

    A judge's value is Σ numerator / Σ denominator. `signed` is what changes its sign where a
    metric's order of a segment is reversed.
    """

    numerator: Array
    denominator: Array
    signed: Array

    @classmethod
    def of(
        cls, data: MatchedScores, rows: RowKeys, numerator: Array, denominator: Array, signed: Array
    ) -> JudgeSums:
        """Sums of what was found in each row."""
        judges = max(1, len(data.human.judges))
        cells, shape = rows.segment * judges + rows.judge, (data.segments, judges)
        size = shape[0] * shape[1]
        parts = (numerator, denominator, signed)
        return cls(*(summed(cells, part, size).reshape(shape) for part in parts))

    @property
    def values(self) -> Array:
        """The value of each judge, then their mean."""
        both = np.hstack([self.numerator, self.denominator])
        return np.asarray(_values(both.sum(axis=0)[None])[0])

    def spread(self, settings: MetricSettings) -> Estimates:
        """The same with intervals over segments."""
        if not self.numerator.size:
            return undefined_estimates(self.numerator.shape[1] + 1)
        both = np.hstack([self.numerator, self.denominator])
        return bootstrap_estimates(both, _values, settings=settings)

    def p_values(self, settings: MetricSettings) -> tuple[Array, str]:
        """Two-sided p of each judge's value and of the mean, and the method in words.

        Under the null hypothesis a metric's order of a segment is as good as its reverse.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            # Each judge weighs alike in the mean, however many pairs they decided.
            weighted = np.nan_to_num(self.signed / self.denominator.sum(axis=0))
        columns = np.hstack([self.signed, weighted.sum(axis=1, keepdims=True)])
        if not columns.any():
            return np.full(columns.shape[1], np.nan), ""
        test = permute_signs(
            columns, permutations=PERMUTATIONS, seed=settings.seed, jobs=settings.jobs
        )
        # A judge whose segments are all undecided has no p, though permutations would give 1.
        p = np.where(columns.any(axis=0), test.p_value, np.nan)
        return p, test.method.replace("clusters", "segments")


def _values(totals: Array) -> Array:
    numerator, denominator = np.hsplit(totals, 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        each = np.where(denominator > 0, numerator / denominator, np.nan)
        # Judges without a value are left out of the mean, in every resample anew.
        there = ~np.isnan(each)
        mean = np.where(there, each, 0.0).sum(axis=1) / there.sum(axis=1)
    return np.column_stack([each, mean])


def judge_keys(data: MatchedScores, metric: int) -> list[dict[str, Key]]:
    """What estimates are of: each judge that is named, then all of them."""
    by = data.key(metric)
    return [*({**by, "judge": judge} for judge in data.human.judges), by]


def value_estimates(
    data: MatchedScores, metric: int, sums: JudgeSums, found: Estimates, *, reason: str
) -> Iterator[Estimate]:
    """Each judge's value, and the mean of the judges; where nobody is named, that alone."""
    each = sums.denominator.sum(axis=0).astype(np.int64)
    judges = len(data.human.judges)
    numbers = [*each[:judges], (each > 0).sum() if judges else each.sum()]
    places = [*range(judges), len(each)]
    for at, by, n in zip(places, judge_keys(data, metric), numbers, strict=True):
        yield found.estimate(at, n=int(n), by=by, tags=data.tags, reason=reason)


def p_estimates(
    data: MatchedScores, metric: int, sums: JudgeSums, p: Array, *, reason: str
) -> Iterator[Estimate]:
    """The p-value of each judge's value and of the mean; n counts segments."""
    keys, used = judge_keys(data, metric), sums.denominator > 0
    numbers = [*used.sum(axis=0)[: len(keys) - 1], used.any(axis=1).sum()]
    for by, value, n in zip(keys, p[-len(keys) :], numbers, strict=True):
        why = reason if np.isnan(value) else ""
        yield Estimate(None if why else float(value), int(n), by, data.tags, reason=why)


def describe_mean(parts: Sequence[MatchedScores]) -> str:
    """What the method says of judges."""
    if any(data.human.pooled for data in parts):
        return POOLED
    return AVERAGED if any(data.human.judges for data in parts) else ""


def draw(estimates: Sequence[Estimate], title: str, value: str) -> Figure:
    """A point a metric for each judge, and one for the mean."""
    named = [e._replace(by={**e.by, "judge": e.by.get("judge", "mean")}) for e in estimates]
    return figures.points_with_intervals(
        title, figures.labelled(named), over="metric", value=value, colour="judge", facet="of"
    )
