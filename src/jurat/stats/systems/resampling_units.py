"""What is resampled for an interval: documents (or sentences), and judges where there are any."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.resampling.cluster_sums import Clusters
from jurat.resampling.engine import Score, evaluate
from jurat.stats.cluster_inference import (
    FEWEST_JUDGES,
    THESE_JUDGES,
    nested,
    reach,
    two_way,
    wilson_interval,
)
from jurat.stats.estimates import Estimates, bootstrap_estimates
from jurat.stats.linear_model import Variance
from jurat.stats.ratings import Array, Codes, numbered
from jurat.stats.settings import Settings

# Cells of documents × judges that are resampled one by one.
MOST_CELLS = 30_000
# Documents or sentences that are resampled one by one. More are put into so many random groups of
# equal size: the variance of a mean is the same, its estimate varies by 1 / √(2 · 2,000) = 1.6 %,
# less than by the 1,000 resamples.
MOST_GROUPS = 2_000
FEWEST = 200
# Clusters that are left out one by one for a variance; more are put into so many random groups.
MOST_LEFT_OUT = 500
# Clusters below which an interval is not to be trusted.
FEW = 5
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
    these_judges: bool = False
    """Whether nothing is said of other judges: there is one, or several were averaged before."""

    @classmethod
    def of(
        cls,
        first: Codes,
        what: str,
        judge: Codes | None = None,
        *,
        columns: int = 1,
        averaged: bool = False,
    ) -> ResamplingUnits:
        """Units of documents or sentences (`first`, called `what`), crossed with judges if given.

        `columns` is the number of statistics a cell will hold: the more, the fewer cells.
        `averaged` says that scores of several judges were averaged, who therefore are not given.
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
            words = _words(what, count, groups)
            only = averaged or judges == 1
            return cls(cell=cell, clusters=(known,), words=words, these_judges=only)
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

    def intervals(
        self, rows: Array, score: Score, settings: Settings, *, share: bool = False
    ) -> Estimates:
        """The score of the cells' totals (`rows`: cells × k), with intervals if asked for.

        Variances come from leaving out each document, each judge and each cell of both in turn,
        and are put together as in `cluster_inference`; of shares the interval is Wilson's. The
        score has to change smoothly: for ranks there is `bootstrap`.
        """
        if not self.cells:
            return Estimates.undefined(evaluate(score, np.zeros((1, rows.shape[1])))[0].size)
        total = rows.sum(axis=0)
        value = np.atleast_1d(np.asarray(evaluate(score, total[None])[0], dtype=np.float64))
        if not settings.intervals:
            return Estimates.without_intervals(value)
        tried = self._variances(rows, total, score)
        half = np.array([reach(one, settings.confidence) for one in tried])
        low, high = value - half, value + half
        if share:
            low, high = wilson_interval(
                value, half, len(np.unique(self.clusters[0])), settings.confidence
            )
        words = f"{settings.confidence:.0%} interval with t, leaving out each"
        return Estimates(values=value, low=low, high=high, method=words)

    def _variances(self, rows: Array, total: Array, score: Score) -> list[list[Variance]]:
        """The variances of each value, those of which the largest counts."""
        document, *judges = self.clusters
        left_out = partial(_left_out, rows, total, np.bincount(self.cell), score=score)
        of_documents = left_out(document)
        if not judges or len(np.unique(judges[0])) < FEWEST_JUDGES:
            return [[one] for one in of_documents]
        of_judges = left_out(judges[0])
        if nested(document, judges[0]):
            return [[one] for one in of_judges]
        of_cells = left_out(np.arange(len(rows)))
        return [two_way(*each) for each in zip(of_documents, of_judges, of_cells, strict=True)]

    def method(self, made: Estimates) -> str:
        """How the intervals were made, and what was resampled or left out."""
        if not made.method:
            return ""
        if np.isnan(made.low).all():
            return f"no intervals: too few {self.words} to draw from"
        if made.method.endswith("leaving out each"):
            return f"{made.method} of the {self.words}{self._for_these_judges()}"
        return f"{made.method}: {self.words}{self._warning()}"

    def _for_these_judges(self) -> str:
        few = any(len(np.unique(kind)) < FEWEST_JUDGES for kind in self.clusters[1:])
        return f", {THESE_JUDGES}" if few or self.these_judges else ""

    def _warning(self) -> str:
        fewest = min(len(np.unique(kind)) for kind in self.clusters)
        return f"; {fewest} of a kind are few, it may be too narrow" if fewest < FEW else ""


def _left_out(
    rows: Array, total: Array, sizes: Codes, codes: Codes, *, score: Score
) -> list[Variance]:
    """The jackknife's variance of each value, from leaving out each cluster of rows in turn.

    For clusters of unequal size (Busing, Meijer & van der Leeden 1999): with m of n judgments in
    a cluster and h = n / m, pseudo-values h θ − (h − 1) θ(i), whose squared distances from the
    jackknife's estimate are weighted by 1 / (h − 1). Degrees of freedom are those of the effective
    number of clusters, n² / Σm². Where clusters are many, random groups of them are left out.
    """
    known, found = numbered(codes, int(codes.max()) + 1)
    groups = min(MOST_LEFT_OUT, len(known))
    group = in_groups(found, len(known), groups)
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(groups))
    sums = np.add.reduceat(rows[order], starts, axis=0)
    values = np.asarray(evaluate(score, total - sums), dtype=np.float64).reshape(groups, -1)
    if groups < 2:
        return [Variance(0.0, 0.0)] * values.shape[1]
    whole = np.asarray(evaluate(score, total[None])[0], dtype=np.float64).reshape(-1)
    share = np.bincount(group, weights=sizes) / sizes.sum()
    odds = share / (1 - share)
    # h θ − (h − 1) θ(i) − (jackknife's estimate), written without the size of θ itself
    change = whole - values
    centre = ((1 - share)[:, None] * change).sum(axis=0)
    apart = change / odds[:, None] - centre
    squares = (odds[:, None] * apart**2).mean(axis=0)
    freedom = 1 / (share**2).sum() - 1
    return [Variance(float(v), freedom) for v in squares]


def _with_empty_columns(totals: Array, *, score: Score, used: NDArray[np.bool_]) -> ArrayLike:
    everything = np.zeros((len(totals), len(used)))
    everything[:, used] = totals
    return score(everything)


def in_groups(codes: Codes, count: int, most: int) -> Codes:
    """The codes, or where there are too many the random groups of equal size they are put into."""
    if count <= most:
        return codes
    # always the same groups: the seed of the settings is for the resamples alone
    shuffled = np.random.default_rng(0).permutation(count) % most
    return np.asarray(shuffled[codes], dtype=np.int64)


def _words(what: str, count: int, groups: int) -> str:
    return f"{what}s" if count <= groups else f"{count:,} {what}s in {groups:,} random groups"
