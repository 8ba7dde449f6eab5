"""What people said of two translations of the same segment, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from jurat.stats.agreement.tallies import summed
from jurat.stats.ratings import Array, Codes

Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Decisions:
    """A row a decision: the better of two systems of a segment, in the eyes of one judge.

    `first` is the smaller of both systems' codes; `outcome` is 1 where it is the better one, -1
    where it is the worse, 0 where the judge calls it a tie.
    """

    segment: Codes = field(repr=False)
    first: Codes = field(repr=False)
    second: Codes = field(repr=False)
    judge: Codes = field(repr=False)
    outcome: Array = field(repr=False)

    def __len__(self) -> int:
        return len(self.outcome)

    def where(self, chosen: Flags) -> Decisions:
        """Some of the decisions."""
        return Decisions(
            segment=self.segment[chosen],
            first=self.first[chosen],
            second=self.second[chosen],
            judge=self.judge[chosen],
            outcome=self.outcome[chosen],
        )

    @cached_property
    def pairs(self) -> Pairs:
        """Every two systems of a segment, with what its judges said together."""
        width = int(self.second.max(initial=0)) + 1
        codes = (self.segment * width + self.first) * width + self.second
        _, at, pair = np.unique(codes, return_index=True, return_inverse=True)
        won, lost, tied = (
            summed(pair, (self.outcome == outcome).astype(np.float64), len(at))
            for outcome in (1, -1, 0)
        )
        return Pairs(
            segment=self.segment[at],
            first=self.first[at],
            second=self.second[at],
            won=won,
            lost=lost,
            tied=tied,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Pairs:
    """Every two systems of a segment: judges for the first, for the second, and for neither."""

    segment: Codes = field(repr=False)
    first: Codes = field(repr=False)
    second: Codes = field(repr=False)
    won: Array = field(repr=False)
    lost: Array = field(repr=False)
    tied: Array = field(repr=False)

    def __len__(self) -> int:
        return len(self.segment)

    @property
    def told_apart(self) -> Flags:
        """Whether more than half of the judges say that the two differ, whichever is better."""
        return np.asarray(self.won + self.lost > self.tied)

    def agreeing(self, margin: Array) -> Flags:
        """Whether more than half of the judges prefer the one that the metric prefers."""
        return np.asarray(self._behind(margin) > 0)

    def contradicting(self, margin: Array) -> Flags:
        """Whether more than half of the judges prefer the one that the metric does not."""
        return np.asarray(self._behind(-margin) > 0)

    def _behind(self, margin: Array) -> Array:
        """Judges who prefer what the metric prefers, less all the others."""
        with_metric = np.where(margin > 0, self.won, np.where(margin < 0, self.lost, 0.0))
        return np.asarray(2 * with_metric - self.won - self.lost - self.tied)


def decided(segment: Codes, system: Codes, judge: Codes, value: Array) -> Decisions:
    """Every two of a judge's ratings of the same segment, the higher one the better.

    Rows of the same judge and segment are put together; then each is compared with the next, the
    next but one, and so on, all judges and segments at once.
    """
    order = np.lexsort((system, judge, segment))
    segment, system, judge = (part[order] for part in (segment, system, judge))
    value = value[order]
    firsts, seconds = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    apart, rows = 1, np.arange(len(value))
    while len(rows := rows[rows + apart < len(value)]):
        rows = rows[(segment[rows] == segment[rows + apart]) & (judge[rows] == judge[rows + apart])]
        firsts.append(rows)
        seconds.append(rows + apart)
        apart += 1
    one, other = np.concatenate(firsts), np.concatenate(seconds)
    return Decisions(
        segment=segment[one],
        first=system[one],
        second=system[other],
        judge=judge[one],
        outcome=np.sign(value[one] - value[other]),
    )
