"""Ties of a metric that make it say most often what people say: every threshold is tried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from jurat.stats.metaeval.decisions import Flags
from jurat.stats.metaeval.grouping import Grouped
from jurat.stats.ratings import Array, Codes

LONG = 512
"""Members of a group beyond which counting its pairs first is quicker than sorting them all."""
CELLS = 2**16
"""In which differences are counted."""
AT_ONCE = 2**17
"""Pairs that are looked at together, so that they stay in the processor's cache."""
ROUNDING = 1e-12


class Compared(NamedTuple):
    """Pairs of translations: their group, which one people prefer (sign), and the metric's."""

    group: Codes
    human: Array
    apart: Array

    def right(self, epsilon: float) -> Flags:
        """Whether the metric says of each what people say, where ε is taken for a tie."""
        size = np.abs(self.apart)
        alike = (self.human * self.apart > 0) & (size > epsilon)
        return np.where(self.human == 0, size <= epsilon, alike)


class Calibrated(NamedTuple):
    """The highest accuracy, and the least ε that reaches it."""

    accuracy: float
    epsilon: float


def pairs_of(groups: Grouped) -> Compared:
    """Every two members of each group that have both scores."""
    number, size = groups.human.shape
    if number == 1:
        human, apart = (_every_two(side[0])[None] for side in groups)
    else:
        first, second = np.triu_indices(size, 1)
        human, apart = (side[:, first] - side[:, second] for side in groups)
    group = np.repeat(np.arange(number), human.shape[1])
    compared = Compared(group, np.sign(human).ravel(), apart.ravel())
    told_of = ~np.isnan(compared.human)
    if told_of.all():
        return compared
    return Compared(group[told_of], compared.human[told_of], compared.apart[told_of])


def _every_two(scores: Array) -> Array:
    """Differences of every two, without the indices of all of them: these may be millions."""
    number = len(scores)
    found = np.empty(number * (number - 1) // 2)
    at = 0
    for place in range(number - 1):
        found[at : at + number - 1 - place] = scores[place] - scores[place + 1 :]
        at += number - 1 - place
    return found


def weights_of(group: Codes) -> Array:
    """What a pair counts: alike within a group, and all groups alike."""
    return np.asarray(_group_weights(np.bincount(group))[group])


def _group_weights(number: Codes) -> Array:
    return np.asarray(1 / (np.maximum(number, 1) * max(1, np.count_nonzero(number))))


def calibrate(pairs: Compared) -> Calibrated:
    """Try every ε: sort the pairs by their difference, and add up what tying them changes.

    Tied, a pair that people tie becomes right, one that is ordered alike becomes wrong, and one
    that is ordered the other way round stays wrong. Only where a pair becomes right can an ε be
    the best.
    """
    size = np.abs(pairs.apart)
    tied, alike = pairs.human == 0, pairs.human * pairs.apart > 0
    number = np.bincount(pairs.group)
    number = number[number > 0]
    weights = None if (number == number[0]).all() else weights_of(pairs.group)
    gains, losses = (
        Sorted.of(size[chosen], None if weights is None else weights[chosen])
        for chosen in (tied, alike)
    )
    net = gains.up_to(gains.sizes) - losses.up_to(gains.sizes)
    best, epsilon = _best(gains.sizes, net, float(gains.up_to(np.zeros(1))[0]), losses.total)
    return Calibrated((losses.total + best) / (len(size) if weights is None else 1.0), epsilon)


def _best(sizes: Array, net: Array, start: float, scale: float) -> tuple[float, float]:
    """The greatest gain over that without ε, and the least ε that reaches it but for rounding."""
    best = max(start, float(net.max(initial=-np.inf)))
    same = best - ROUNDING * max(1.0, scale)
    if start >= same:
        return start, 0.0
    return best, float(sizes[np.argmax(net >= same)])


class Sorted(NamedTuple):
    """Differences of some pairs in order, and the sum of their weights up to each."""

    sizes: Array
    sums: Array | None
    """None where every pair counts 1."""

    @classmethod
    def of(cls, sizes: Array, weights: Array | None) -> Sorted:
        """In order."""
        if weights is None:
            return cls(np.sort(sizes), None)
        order = np.argsort(sizes)
        return cls(sizes[order], np.append(0.0, np.cumsum(weights[order])))

    @property
    def total(self) -> float:
        """The weight of all of them."""
        return float(len(self.sizes) if self.sums is None else self.sums[-1])

    def up_to(self, limits: Array) -> Array:
        """The weight of the pairs that differ by no more than each limit."""
        number = np.searchsorted(self.sizes, limits, side="right")
        return number.astype(np.float64) if self.sums is None else np.asarray(self.sums[number])


def calibrate_groups(groups: Grouped) -> Calibrated:
    """The same of groups, also of so many pairs that they could neither be held nor sorted.

    Those are counted in cells by their difference, which bounds what an ε in each cell can reach;
    only the pairs of cells that may hold the best one are looked at again, and sorted.
    """
    if groups.human.shape[1] > LONG:
        return _Streamed(groups).best()
    return calibrate(pairs_of(groups))


class _Streamed:
    """Groups whose pairs are gone through block by block."""

    def __init__(self, groups: Grouped) -> None:
        self.groups = groups
        self.weights = _group_weights(pairs_in(groups))
        self.top = float(np.nanmax(groups.metric) - np.nanmin(groups.metric)) or 1.0

    def best(self) -> Calibrated:
        """The highest accuracy."""
        gains, losses, start = np.zeros(CELLS + 1), np.zeros(CELLS + 1), 0.0
        for weight, gained, lost in self._moving():
            start += weight * np.count_nonzero(gained == 0)
            gains += weight * np.bincount(self._cell(gained), minlength=CELLS + 1)
            losses += weight * np.bincount(self._cell(lost), minlength=CELLS + 1)
        after = np.cumsum(gains - losses)
        before = after - gains + losses
        floor = max(start, float(after.max())) - ROUNDING
        promising = (gains > 0) & (before + gains >= floor)
        best, epsilon = _best(*self._inside(promising, before), start, 1.0)
        return Calibrated(float(losses.sum() + best), epsilon)

    def _inside(self, promising: Flags, before: Array) -> tuple[Array, Array]:
        """The sizes at which pairs become right in promising cells, and what is gained by each."""
        sizes: tuple[list[Array], list[Array]] = ([], [])
        weights: tuple[list[Array], list[Array]] = ([], [])
        for weight, *moving in self._moving():
            for at, own in enumerate(moving):
                kept = own[promising[self._cell(own)]]
                sizes[at].append(kept)
                weights[at].append(np.full(len(kept), weight))
        gains, losses = (
            Sorted.of(np.concatenate(own), np.concatenate(counted))
            for own, counted in zip(sizes, weights, strict=True)
        )
        cells = self._cell(gains.sizes)
        # within its cell, and what all cells below it gained or lost as a whole
        return gains.sizes, before[cells] + self._within(gains, cells) - self._within(
            losses, cells, gains.sizes
        )

    def _within(self, own: Sorted, cells: Codes, limits: Array | None = None) -> Array:
        """The weight between the lower edge of each cell and the limits."""
        assert own.sums is not None
        first = np.searchsorted(self._cell(own.sizes), cells, side="left")
        return own.up_to(own.sizes if limits is None else limits) - own.sums[first]

    def _cell(self, size: Array) -> Codes:
        """Cells are finer where differences are small, since most are."""
        return (np.sqrt(size * (1 / self.top)) * CELLS).astype(np.int64)

    def _moving(self) -> Iterator[tuple[float, Array, Array]]:
        """The weight of a block's pairs, the sizes of those that people tie, and of those alike."""
        for group, (human, metric) in enumerate(zip(*self.groups, strict=True)):
            there = ~np.isnan(human)
            sides, number = (human[there], metric[there]), int(there.sum())
            step = max(1, AT_ONCE // max(1, number))
            for start in range(0, number - 1, step):
                rows = slice(start, min(start + step, number - 1))
                apart, other = (side[rows, None] - side[None, start + 1 :] for side in sides)
                # nobody is compared with himself, nor twice with another
                left = apart[:, : len(apart)]
                left[np.tril_indices(len(left), -1, left.shape[1])] = np.nan
                yield (
                    float(self.weights[group]),
                    np.abs(other[apart == 0]),
                    np.abs(other[apart * other > 0]),
                )


def pairs_in(groups: Grouped) -> Codes:
    """How many pairs each group has."""
    number = (~np.isnan(groups.human)).sum(axis=1)
    return np.asarray(number * (number - 1) // 2)
