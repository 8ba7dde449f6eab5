"""What is drawn again for an interval: documents (or sentences), and judges where there are any."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.resampling.arguments import Score, evaluate
from jurat.resampling.clusters import Clusters
from jurat.stats.ratings import Array, Codes
from jurat.stats.spread import Spread, spread
from jurat.stats.systems.choices import SystemSettings

MOST_CELLS = 30_000
"""Cells of documents × judges that are drawn one by one."""
MOST_GROUPS = 2_000
"""Documents or sentences that are drawn one by one. More are drawn in so many random groups of
equal size: the variance of a mean is the same, its estimate varies by 1 / √(2 · 2,000) = 1.6 %,
less than by the 1,000 resamples."""
FEWEST = 200
FEW = 5
"""Clusters below which an interval is not to be trusted."""
MARKS = 2**25
NUMBERS = 2**25
"""Numbers in a table of statistics; 256 MB."""


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """Units gathered into the cells that are drawn, and what these are called."""

    cell: Codes = field(repr=False)
    """Of each unit, the cell that it is in."""
    clusters: tuple[Codes, ...] = field(repr=False)
    """Of each cell, the clusters that are drawn: one, or one of each kind."""
    words: str

    @classmethod
    def of(
        cls, first: Codes, what: str, judge: Codes | None = None, *, columns: int = 1
    ) -> Drawing:
        """Units in documents or sentences, and of judges; `columns` of statistics a cell."""
        most = min(MOST_CELLS, NUMBERS // columns)
        count = int(first.max(initial=-1)) + 1
        judges = 0 if judge is None else int(judge.max(initial=-1)) + 1
        if judge is not None and count == 1 and judges > 1:
            return cls.of(judge, "judge", columns=columns)
        if judge is None or judges < 2 or judges * min(FEWEST, count) > most:
            groups = max(2, min(MOST_GROUPS, most))
            block = in_groups(first, count, groups)
            known, cell = numbered(block, min(count, groups))
            return cls(cell=cell, clusters=(known,), words=_words(what, count, groups))
        groups = max(FEWEST, min(MOST_GROUPS, most // judges))
        block = in_groups(first, count, groups)
        known, cell = numbered(block * judges + judge, min(count, groups) * judges)
        words = f"{_words(what, count, groups)} and judges"
        return cls(cell=cell, clusters=tuple(np.divmod(known, judges)), words=words)

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.clusters[0])

    def sums(self, column: Codes, width: int, weights: Array | None = None) -> Array:
        """Weights of the units added up by cell and column (cells × width); else their number."""
        at = self.cell * width + column
        sums = np.bincount(at, weights=weights, minlength=self.cells * width)
        return sums.reshape(-1, width).astype(np.float64)

    def added(self, rows: Array) -> Array:
        """Rows of the units added up by cell."""
        if len(rows) == self.cells and (self.cell == np.arange(self.cells)).all():
            return rows
        order = np.argsort(self.cell, kind="stable")
        starts = np.searchsorted(self.cell[order], np.arange(self.cells))
        return np.asarray(np.add.reduceat(rows[order], starts, axis=0), dtype=np.float64)

    def spread(self, rows: Array, score: Score, settings: SystemSettings) -> Spread:
        """Values of the cells' totals, with intervals."""
        if not self.cells:
            return undefined(evaluate(score, np.zeros((1, rows.shape[1])))[0].size)
        clusters: Clusters = self.clusters[0]
        if len(self.clusters) == 2:
            clusters = (self.clusters[0], self.clusters[1])
        used = np.asarray(rows.any(axis=0))
        used[:1] = True
        whole = partial(_whole, score=score, used=used)
        return spread(rows[:, used], whole, settings=settings, clusters=clusters)

    def method(self, made: Spread) -> str:
        """How the intervals were made, and what was drawn."""
        if not made.method:
            return ""
        if np.isnan(made.low).all():
            return f"no intervals: too few {self.words} to draw from"
        return f"{made.method}: {self.words}{self._warning()}"

    def _warning(self) -> str:
        fewest = min(len(np.unique(kind)) for kind in self.clusters)
        return f"; {fewest} of a kind are few, it may be too narrow" if fewest < FEW else ""


def undefined(size: int) -> Spread:
    """Values that cannot be told."""
    nothing = np.full(size, np.nan)
    return Spread(values=nothing, low=nothing, high=nothing)


def _whole(totals: Array, *, score: Score, used: NDArray[np.bool_]) -> ArrayLike:
    """The score of totals of which only the columns that are not zero everywhere were drawn."""
    everything = np.zeros((len(totals), len(used)))
    everything[:, used] = totals
    return score(everything)


def numbered(codes: Codes, size: int) -> tuple[Codes, Codes]:
    """Which of the numbers below `size` occur, in order, and which of those each code is.

    The same as `numpy.unique` with its inverse, without sorting where there is room for a mark a
    number.
    """
    if size > MARKS:
        known, found = np.unique(codes, return_inverse=True)
        return known.astype(np.int64), found.astype(np.int64)
    there = np.zeros(size, dtype=bool)
    there[codes] = True
    return np.flatnonzero(there), (np.cumsum(there, dtype=np.int64) - 1)[codes]


def in_groups(codes: Codes, count: int, most: int) -> Codes:
    """The codes, or where there are too many the random groups of equal size they are put into."""
    if count <= most:
        return codes
    shuffled = np.random.default_rng(0).permutation(count) % most
    return np.asarray(shuffled[codes], dtype=np.int64)


def _words(what: str, count: int, groups: int) -> str:
    return f"{what}s" if count <= groups else f"{count:,} {what}s in {groups:,} random groups"
