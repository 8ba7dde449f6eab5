"""The places that systems take on a sentence, from a judge's scores, ranking or preferences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from jurat.results import Key
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes
from jurat.stats.systems.averages import ranked
from jurat.stats.systems.choices import SystemSettings
from jurat.stats.systems.comparisons import Comparisons, Pairs, preferences
from jurat.stats.systems.drawing import Drawing
from jurat.stats.systems.panel import Panel, panels


@dataclass(frozen=True, kw_only=True, eq=False)
class Places:
    """Ranks (1 is best, NaN where not judged) by sitting and system, and what each is of."""

    by: Mapping[str, Key]
    tags: Mapping[str, Key]
    systems: tuple[str, ...]
    ranks: Array = field(repr=False)
    sentence: Codes = field(repr=False)
    document: Codes = field(repr=False)
    judge: Codes | None = field(repr=False)
    drawn: str
    words: str

    @cached_property
    def drawing(self) -> Drawing:
        """What is drawn again for intervals of means of sittings."""
        return Drawing.of(self.document, self.drawn, self.judge)

    @cached_property
    def repeated(self) -> Places | None:
        """The first sittings of judges who compared the same systems of a sentence.

        A sentence counts as several where they compared different ones: places among other
        systems are other places.
        """
        if self.judge is None:
            return None
        key = self.sentence * (int(self.judge.max(initial=0)) + 1) + self.judge
        first = np.sort(np.unique(key, return_index=True)[1])
        alike = self.some(first)
        compared = kinds_of_rows(~np.isnan(alike.ranks))
        key = alike.sentence * (int(compared.max()) + 1) + compared
        same = np.unique(key, return_inverse=True)[1]
        several = np.bincount(same)[same] > 1
        return (
            replace(alike, sentence=same).some(np.flatnonzero(several)) if several.any() else None
        )

    def some(self, kept: Codes) -> Places:
        """Some of the sittings, their sentences numbered anew."""
        sentence = np.unique(self.sentence[kept], return_inverse=True)[1]
        return Places(
            by=self.by,
            tags=self.tags,
            systems=self.systems,
            ranks=self.ranks[kept],
            sentence=sentence,
            document=self.document[kept],
            judge=None if self.judge is None else self.judge[kept],
            drawn=self.drawn,
            words=self.words,
        )

    @cached_property
    def sentence_drawing(self) -> Drawing:
        """What is drawn again for intervals of statistics of sentences."""
        document = np.zeros(int(self.sentence.max()) + 1, dtype=np.int64)
        document[self.sentence] = self.document
        return Drawing.of(document, self.drawn)

    def credit(self, ties: str) -> Array:
        """How much of the best place each system has in each sitting; ties as chosen."""
        best = self.best
        number = best.sum(axis=1, keepdims=True)
        if ties == "first":
            return np.asarray(best & (np.cumsum(best, axis=1) == 1)).astype(np.float64)
        if ties == "none":
            return np.where(number == 1, best, 0.0)
        return best / number if ties == "share" else best.astype(np.float64)

    @cached_property
    def best(self) -> NDArray[np.bool_]:
        """Whether each system has the best place in each sitting."""
        return np.asarray(self.ranks == 1)


def kinds_of_rows(rows: NDArray[np.bool_]) -> Codes:
    """A number for each row, the same of equal rows, found by their sums of random weights."""
    weights = np.random.default_rng(0).integers(2**62, size=rows.shape[1])
    return np.unique(np.where(rows, weights, 0).sum(axis=1), return_inverse=True)[1]


def placed(evaluation: Evaluation, settings: SystemSettings) -> list[Places]:
    """The places of every question and split."""
    of_scores = [_scored(panel, settings) for panel in panels(evaluation, settings)]
    compared = preferences(evaluation, settings)
    of_pairs = [_preferred(c, c.pairs, settings) for c in compared if c.pairs]
    return [*of_scores, *of_pairs]


def _scored(panel: Panel, settings: SystemSettings) -> Places:
    sittings = panel.sittings
    ranks = ranked(panel.sign * sittings.means)
    return Places(
        by=panel.by,
        tags=panel.tags,
        systems=panel.systems,
        ranks=dense(ranks) if settings.ranks == "dense" else ranks,
        sentence=sittings.sentence,
        document=sittings.document,
        judge=sittings.judge,
        drawn=panel.drawn,
        words=f"places by score {sittings.words}",
    )


def _preferred(compared: Comparisons, pairs: Pairs, settings: SystemSettings) -> Places:
    """Places by the number of systems that were preferred to it in the same sitting."""
    size = len(compared.systems)
    known, first = np.unique(pairs.sitting, return_index=True)
    shape = (len(known), size)
    there = np.zeros(shape, dtype=bool)
    for side in (pairs.first, pairs.second):
        there[pairs.sitting, side] = True
    worse = np.where(pairs.result > 0, pairs.second, pairs.first)
    decided = pairs.result != 0
    lost = np.bincount((pairs.sitting * size + worse)[decided], minlength=len(known) * size)
    ranks = ranked(np.where(there, -lost.reshape(shape), np.nan))
    return Places(
        by=compared.by,
        tags=compared.tags,
        systems=compared.systems,
        ranks=dense(ranks) if settings.ranks == "dense" else ranks,
        sentence=pairs.sentence[first],
        document=pairs.document[first],
        judge=None if pairs.judge is None else pairs.judge[first],
        drawn=compared.drawing.words.split(" and ")[0].removesuffix("s"),
        words="places by preference",
    )


def dense(ranks: Array) -> Array:
    """The same order without gaps after ties: 1, 1, 2."""
    order = np.argsort(ranks, axis=1)
    inline = np.take_along_axis(ranks, order, axis=1)
    with np.errstate(invalid="ignore"):
        steps = np.diff(inline, axis=1, prepend=inline[:, :1]) > 0
    places = np.empty(ranks.shape)
    np.put_along_axis(places, order, 1.0 + np.cumsum(steps, axis=1), axis=1)
    return np.where(np.isnan(ranks), np.nan, places)
