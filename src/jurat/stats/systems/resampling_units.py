"""What is resampled for an interval: documents (or sentences), and judges where there are any."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.resampling.cluster_sums import Clusters
from jurat.resampling.engine import Score, evaluate
from jurat.stats.estimates import Estimates, bootstrap_estimates
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import Settings

# Cells of documents × judges that are resampled one by one.
MOST_CELLS = 30_000
# Documents or sentences that are resampled one by one. More are put into so many random groups of
# equal size: the variance of a mean is the same, its estimate varies by 1 / √(2 · 2,000) = 1.6 %,
# less than by the 1,000 resamples.
MOST_GROUPS = 2_000
FEWEST = 200
# Clusters below which an interval is not to be trusted.
FEW = 5
# Codes for which a table of marks fits into memory (32 MB), so that nothing need be sorted.
MARKS = 2**25
# Numbers in a table of statistics; 256 MB.
NUMBERS = 2**25


@dataclass(frozen=True, kw_only=True)
class ResamplingUnits:
    """Judgments (or sentences) summed into cells, and the clusters in which cells are resampled."""

    cell: Codes = field(repr=False)
    """The cell of each judgment."""
    clusters: tuple[Codes, ...] = field(repr=False)
    """The document of each cell; with judges also the judge, both of which are resampled."""
    words: str
    """What the clusters are, for the method: "documents and judges"."""

    @classmethod
    def of(
        cls, first: Codes, what: str, judge: Codes | None = None, *, columns: int = 1
    ) -> ResamplingUnits:
        """Units of documents or sentences (`first`, called `what`), crossed with judges if given.

        `columns` is the number of statistics a cell will hold: the more, the fewer cells.
        """
        most = min(MOST_CELLS, NUMBERS // columns)
        count = int(first.max(initial=-1)) + 1
        judges = 0 if judge is None else int(judge.max(initial=-1)) + 1
        # a single document can be drawn in one way only; judges are left to resample
        if judge is not None and count == 1 and judges > 1:
            return cls.of(judge, "judge", columns=columns)
        # crossing needs so many groups that judges × groups would not fit
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
        """Weights of the judgments summed by cell and column (cells × width); else their number."""
        at = self.cell * width + column
        sums = np.bincount(at, weights=weights, minlength=self.cells * width)
        return sums.reshape(-1, width).astype(np.float64)

    def sum_rows(self, rows: Array) -> Array:
        """A row of statistics for each judgment, summed by cell."""
        # where each judgment is a cell of its own there is nothing to add up
        if len(rows) == self.cells and (self.cell == np.arange(self.cells)).all():
            return rows
        order = np.argsort(self.cell, kind="stable")
        starts = np.searchsorted(self.cell[order], np.arange(self.cells))
        return np.asarray(np.add.reduceat(rows[order], starts, axis=0), dtype=np.float64)

    def bootstrap(self, rows: Array, score: Score, settings: Settings) -> Estimates:
        """The score of the cells' totals (`rows`: cells × k), with intervals if asked for."""
        if not self.cells:
            return Estimates.undefined(evaluate(score, np.zeros((1, rows.shape[1])))[0].size)
        clusters: Clusters = self.clusters[0]
        if len(self.clusters) == 2:
            clusters = (self.clusters[0], self.clusters[1])
        # columns that are 0 everywhere cost as much to resample as others: most pairs of many
        # systems were never compared
        used = np.asarray(rows.any(axis=0))
        # a table of zeros keeps a column, without which nothing could be drawn
        used[:1] = True
        whole = partial(_with_empty_columns, score=score, used=used)
        return bootstrap_estimates(rows[:, used], whole, settings=settings, clusters=clusters)

    def method(self, made: Estimates) -> str:
        """How the intervals were made, and what was resampled."""
        if not made.method:
            return ""
        if np.isnan(made.low).all():
            return f"no intervals: too few {self.words} to draw from"
        return f"{made.method}: {self.words}{self._warning()}"

    def _warning(self) -> str:
        fewest = min(len(np.unique(kind)) for kind in self.clusters)
        return f"; {fewest} of a kind are few, it may be too narrow" if fewest < FEW else ""


def _with_empty_columns(totals: Array, *, score: Score, used: NDArray[np.bool_]) -> ArrayLike:
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
    # always the same groups: the seed of the settings is for the resamples alone
    shuffled = np.random.default_rng(0).permutation(count) % most
    return np.asarray(shuffled[codes], dtype=np.int64)


def _words(what: str, count: int, groups: int) -> str:
    return f"{what}s" if count <= groups else f"{count:,} {what}s in {groups:,} random groups"
