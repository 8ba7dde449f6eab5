"""Where judgments' differences come from: segments, translations, judges, and the rest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jurat.stats.ratings import Array, Codes


class Variances(NamedTuple):
    """Variances of one judgment around its system's mean, in squared points."""

    segment: float
    """Of segments, the same for every system: some are hard to translate."""
    translation: float
    """Of a system's translations beyond that."""
    judge: float
    """Of judges' severities."""
    rest: float
    """Of a judge's slips, and of what he alone sees in a translation."""


class Crossed(NamedTuple):
    """Judgments as arrays: value, system, segment and judge of each."""

    values: Array
    system: Codes
    segment: Codes
    judge: Codes


def variances(data: Crossed) -> Variances:
    """Unbiased estimates from mean squared differences within kinds of pairs, cut off at 0.

    Half the mean squared difference of two judgments of the same system is
    judge + rest, if the translation is the same and the judge is not;
    segment + translation + rest, if the judge is the same and the segment is not;
    segment + translation + judge + rest, if neither is the same.
    Two systems' translations of one segment, each around its system's mean and by different judges,
    differ by translation + judge + rest. With complete data these are the estimates of the analysis
    of variance; nothing has to be complete here, and the cost is that of adding up.
    Where no pair tells two variances apart, the sum of both goes to the later one.
    """
    data = _once(data)
    alike = _within(data, data.system)
    of_item = _within(data, _both(data.system, data.segment))
    of_judge = _within(data, _both(data.system, data.judge))
    others = alike - of_item - of_judge
    total = others.half_mean if others.pairs else alike.half_mean
    judge = max(total - of_judge.half_mean, 0.0) if of_judge.pairs and others.pairs else 0.0
    rest = max(of_item.half_mean - judge, 0.0) if of_item.pairs else max(total - judge, 0.0)
    item = max(total - judge - rest, 0.0)
    segment = min(max(total - _across(data), 0.0), item)
    return Variances(segment, item - segment, judge, rest)


class _Pairs(NamedTuple):
    """Pairs of judgments: how many, and the sum of their squared differences."""

    pairs: float
    squares: float

    def __sub__(self, other: object) -> _Pairs:
        assert isinstance(other, _Pairs)
        return _Pairs(self.pairs - other.pairs, self.squares - other.squares)

    @property
    def half_mean(self) -> float:
        return self.squares / self.pairs / 2 if self.pairs else 0.0


def _within(data: Crossed, groups: Codes) -> _Pairs:
    """All pairs within groups: Σ (a − b)² = n Σ a² − (Σ a)²."""
    n = np.bincount(groups).astype(np.float64)
    values = data.values - data.values.mean()  # keeps the digits of what is subtracted below
    sums, squares = (np.bincount(groups, weights=w) for w in (values, values * values))
    return _Pairs(float((n * (n - 1) / 2).sum()), float((n * squares - sums * sums).sum()))


def _across(data: Crossed) -> float:
    """Half the mean squared difference of two systems' translations of a segment, other judges.

    Where there are no such pairs, segments cannot be told from translations: infinite.
    """
    means = np.bincount(data.system, weights=data.values) / np.bincount(data.system)
    around = data._replace(values=data.values - means[data.system])
    same_item = _within(around, _both(data.system, data.segment))
    same_judge = _within(around, _both(data.judge, data.segment))
    pairs = _within(around, data.segment) - same_item - same_judge
    return pairs.half_mean if pairs.pairs else float("inf")


def _once(data: Crossed) -> Crossed:
    """The first judgment of each judge and translation: two of one judge's are no two opinions."""
    keys = _both(_both(data.system, data.segment), data.judge)
    first = np.sort(np.unique(keys, return_index=True)[1])
    values, system, segment, judge = data
    return Crossed(values[first], system[first], segment[first], judge[first])


def _both(first: Codes, second: Codes) -> Codes:
    """A code for each pair of codes that occurs."""
    joined = first * (int(second.max(initial=0)) + 1) + second
    return np.asarray(np.unique(joined, return_inverse=True)[1], dtype=np.int64)
