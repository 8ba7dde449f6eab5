"""How often each point was given to each item, and what pairs of judgments follow from it.

Only points that an item was given are held, so that a scale may have any number of them, and an
item any number of judgments: nothing here lists pairs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from jurat.stats.answer_distances import commonest_and_other
from jurat.stats.ratings import Array, Codes, Ratings, summed
from jurat.tables.fingerprint import split_mix

UNPAIRED = "no item was judged by two judges"
WORDS = "the answers are words, which have neither order nor distance"
# 2.2 − 1.2 is one point, although not in a computer.
ROUNDING = 1e-9
# Distances in a table; a scale from 0 to 100 has more, and they say little.
MOST_STEPS = 10


@dataclass(frozen=True, kw_only=True, eq=False)
class AnswerCounts:
    """An element a point that an item was given (`item`, `code`, `count`), sorted by both.

    An item may stand for several that were given the same answers, its `copies`.
    """

    places: Array = field(repr=False)
    nominal: bool
    items: int
    item: Codes = field(repr=False)
    code: Codes = field(repr=False)
    count: Array = field(repr=False)
    copies: Codes = field(repr=False)
    kind: Codes | None = field(default=None, repr=False)
    """Of `distinct` counts: which of their items stands for each item; None: each for itself."""

    @classmethod
    def of(cls, ratings: Ratings) -> AnswerCounts:
        """The counts of all answers, an item's repeats included: give `firsts` to have none."""
        return ratings.once(_counted_answers)

    @classmethod
    def from_codes(
        cls, items: Codes, codes: Codes, places: Array, *, nominal: bool = False, least: int = 0
    ) -> AnswerCounts:
        """The counts of answers given as codes of items and of points; `least` items or more."""
        points, number = max(len(places), 1), max(least, int(items.max(initial=-1)) + 1)
        # Only cells that occur are held: a scale from 0 to 100 gives a hundred for each item.
        cells, count = _counted(items * points + codes, number * points)
        item, code = np.divmod(cells, points)
        return cls(
            places=places,
            nominal=nominal,
            items=number,
            item=item,
            code=code,
            count=count.astype(np.float64),
            copies=np.ones(number, dtype=np.int64),
        )

    @cached_property
    def distinct(self) -> AnswerCounts:
        """One item of each kind, with as many copies as were given just the same answers.

        Items of a kind are found by a sum of pseudo-random numbers of their answers; should two
        different ones ever have the same sum, each item is a kind of its own.
        """
        starts = np.searchsorted(self.item, np.arange(self.items))
        # Numpy's generators would do as well, but take 12 ms to import.
        random = split_mix(np.arange(self.points, dtype=np.uint64))
        sums = np.add.reduceat(random[self.code] * self.count.astype(np.uint64), starts)
        _, first, kind, copies = np.unique(
            sums, return_index=True, return_inverse=True, return_counts=True
        )
        cells = np.diff(starts, append=len(self.item))
        shift = (starts[first][kind] - starts)[self.item]
        like = np.minimum(np.arange(len(self.item)) + shift, len(self.item) - 1)
        same = (self.code[like] == self.code) & (self.count[like] == self.count)
        if not (same.all() and (cells[first][kind] == cells).all()):
            return self
        chosen = np.isin(self.item, first)
        return AnswerCounts(
            places=self.places,
            nominal=self.nominal,
            items=len(first),
            item=np.unique(self.item[chosen], return_inverse=True)[1],
            code=self.code[chosen],
            count=self.count[chosen],
            copies=copies[np.argsort(first)],
            kind=np.argsort(np.argsort(first))[kind],
        )

    @property
    def kinds(self) -> Codes:
        """Which of these items stands for each item that was judged."""
        return np.arange(self.items) if self.kind is None else self.kind

    def with_pseudo_items(self, weights: str = "none") -> AnswerCounts:
        """With four more items: two answers, each unanimous, and two split of them.

        The answers are those of `commonest_and_other`; two must occur. What Agresti and Coull
        (1998) add to a share, for agreement: an item has as many judgments as items with two or
        more have in the mean.
        """
        judges = max(2, round(float(self.size[self.paired > 0].mean())))
        total = self.per_point(self.count * self.paired[self.item])
        first, second = sorted(commonest_and_other(total, self.places, weights))
        half = judges // 2
        given = [(judges, 0), (0, judges), (judges - half, half), (half, judges - half)]
        cells = [
            (at, code, n)
            for at, pair in enumerate(given)
            for code, n in zip((first, second), pair, strict=True)
            if n
        ]
        item, code, count = (np.array(part) for part in zip(*cells, strict=True))
        return AnswerCounts(
            places=self.places,
            nominal=self.nominal,
            items=self.items + len(given),
            item=np.concatenate([self.item, self.items + item]),
            code=np.concatenate([self.code, code]),
            count=np.concatenate([self.count, count.astype(np.float64)]),
            copies=np.concatenate([self.copies, np.ones(len(given), dtype=np.int64)]),
            kind=np.concatenate([self.kinds, self.items + np.arange(len(given))]),
        )

    @property
    def points(self) -> int:
        """How many points of the scale were used."""
        return len(self.places)

    def per_item(self, values: Array) -> Array:
        """The sum over each item of a value for each of its points."""
        return summed(self.item, values, self.items)

    def per_point(self, values: Array) -> Array:
        """The sum over each point of a value for each item that was given it."""
        return summed(self.code, values * self.copies[self.item], self.points)

    @cached_property
    def size(self) -> Array:
        """Judgments of each item."""
        return self.per_item(self.count)

    @cached_property
    def paired(self) -> Array:
        """1 for an item with two judgments or more, else 0."""
        return (self.size > 1).astype(np.float64)

    @cached_property
    def pairs(self) -> Array:
        """Pairs of judgments of each item."""
        return np.asarray(self.size * (self.size - 1) / 2)

    @cached_property
    def equal(self) -> Array:
        """Pairs of equal judgments of each item."""
        return self.per_item(self.count * (self.count - 1) / 2)

    def within(self, n: float) -> Array:
        """Pairs of judgments of each item that differ by at most n."""
        # The cells are sorted by item and point, so that a search finds the end of a range.
        keys = self.item * self.points + self.code
        last = np.searchsorted(self.places, self.places + n + ROUNDING, side="right") - 1
        ends = np.searchsorted(keys, self.item * self.points + last[self.code], side="right")
        running = np.concatenate([[0.0], np.cumsum(self.count)])
        above = running[ends] - running[1:]
        return self.per_item(self.count * above) + self.equal

    def apart(self, values: Array) -> Array:
        """Σ|x − y| over the pairs of each item, each point having a value, rising with it."""
        x = values[self.code]
        below, summed = (self._running(part) for part in (self.count, self.count * x))
        return self.per_item(self.count * (x * below - summed))

    def squared(self, values: Array) -> Array:
        """Σ(x − y)² over the pairs of each item."""
        # Around the middle, since a difference of large squares has few digits left.
        x = (values - values[len(values) // 2])[self.code]
        total, squares = (self.per_item(self.count * x**power) for power in (1, 2))
        return np.maximum(self.size * squares - total**2, 0.0)

    def _running(self, values: Array) -> Array:
        """The sum over the lower points of the same item."""
        before = np.cumsum(values) - values
        first = np.searchsorted(self.item, self.item)
        return np.asarray(before - before[first])

    def mean_per_pair(self, sums: Array) -> Array:
        """Sums over pairs as means over pairs; 0 for items without any."""
        return np.divide(sums, self.pairs, out=np.zeros(self.items), where=self.pairs > 0)

    def per_judgment(self, sums: Array) -> Array:
        """Sums over pairs, each counted both ways, over the number of others of a judgment."""
        # Krippendorff counts a judgment once, however many others it is compared with.
        others = self.size - 1
        return np.divide(2 * sums, others, out=np.zeros(self.items), where=others > 0)


def _counted(keys: Codes, most: int) -> tuple[Codes, Codes]:
    """The keys below `most` that occur, and how often: counted, or sorted where that is more."""
    # Counting takes time for every possible cell, sorting only for the answers there are.
    if most > 16 * len(keys):
        found, n = np.unique(keys, return_counts=True)
        return found, n
    counts = np.bincount(keys, minlength=most)
    cells = np.flatnonzero(counts)
    return cells, counts[cells]


def _counted_answers(ratings: Ratings) -> AnswerCounts:
    codes = (ratings.item_codes, ratings.codes, ratings.places)
    return AnswerCounts.from_codes(*codes, nominal=ratings.nominal)


def reason_undefined(counts: AnswerCounts, otherwise: str) -> str:
    """Why there is no agreement to be told: no pairs of judgments, or what else it may be."""
    return otherwise if counts.paired.any() else UNPAIRED


def distances(places: Array, *, nominal: bool) -> range:
    """0, 1, 2… up to the length of a scale with these points; of words only whether they differ."""
    if nominal or not len(places):
        return range(1)
    return range(min(int(np.ceil(np.ptp(places) - ROUNDING)), MOST_STEPS) + 1)
