"""Systems' mean scores with intervals: of judgments, or of segment means as WMT has it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from jurat.results import Estimate
from jurat.stats.ratings import Array, Codes
from jurat.stats.spread import Spread, told
from jurat.stats.systems.choices import SEGMENT_MEANS, SystemSettings
from jurat.stats.systems.panel import Panel


@dataclass(frozen=True, kw_only=True)
class Averages:
    """The means of some values of each system, their ranks, and further shares of the same n."""

    panel: Panel
    spread: Spread
    numbers: Codes
    """What each mean is an average of."""
    method: str

    def estimates(self, part: int, reason: str) -> Iterator[Estimate]:
        """Means (part 0), ranks (1), or the shares given (2, …), a system each."""
        panel, size = self.panel, len(self.panel.systems)
        for at, system in enumerate(panel.systems):
            yield self.spread.estimate(
                part * size + at,
                n=int(self.numbers[at]),
                by={**panel.by, "system": system},
                tags=panel.tags,
                reason=reason,
            )


def averages(panel: Panel, values: Array, settings: SystemSettings, *shares: Array) -> Averages:
    """Means, ranks (1 is best) and means of further `shares`; NaN values are left out.

    By default Σx / n over a system's judgments, from resamples of documents and judges; by
    `segment-means` the mean over segments of the segment's mean, from resamples of documents.
    """
    by_segment = settings.average == SEGMENT_MEANS
    tables = _segment_tables if by_segment else _judgment_tables
    rows, numbers = tables(panel, values, shares)
    drawing = panel.sentence_drawing if by_segment else panel.drawing
    score = partial(_scored, systems=len(panel.systems), sign=panel.sign)
    made = drawing.spread(rows, score, settings)
    return Averages(
        panel=panel,
        spread=made,
        numbers=numbers,
        method=told(_words(by_segment), drawing.method(made)),
    )


def raw_averages(panel: Panel, settings: SystemSettings) -> Averages:
    """The means of the answers as they are, with the share of top answers; made once."""
    key = (raw_averages, settings)
    if key not in panel.kept:
        oriented = panel.sign * panel.values
        top = (oriented == oriented.max(initial=-np.inf)).astype(np.float64)
        panel.kept[key] = averages(panel, panel.values, settings, top)
    made: Averages = panel.kept[key]
    return made


def _words(by_segment: bool) -> str:
    if by_segment:
        return "mean over segments of the segment's mean; n counts segments"
    return "mean of the judgments; n counts judgments"


def _judgment_tables(panel: Panel, values: Array, shares: tuple[Array, ...]) -> tuple[Array, Codes]:
    there = ~np.isnan(values)
    add = partial(panel.drawing.sums, panel.system, len(panel.systems))
    number = add(there.astype(np.float64))
    sums = [add(np.where(there, part, 0.0)) for part in (values, *shares)]
    return np.hstack([number, *sums]), number.sum(axis=0).astype(np.int64)


def _segment_tables(panel: Panel, values: Array, shares: tuple[Array, ...]) -> tuple[Array, Codes]:
    means = [panel.averaged(part) for part in (values, *shares)]
    there = ~np.isnan(means[0])
    rows = np.hstack([there, *(np.where(there, part, 0.0) for part in means)])
    return panel.sentence_drawing.added(rows), there.sum(axis=0)


def _scored(totals: Array, *, systems: int, sign: float) -> Array:
    """Means, then ranks, then shares, from numbers and sums."""
    number, *sums = np.split(totals, totals.shape[1] // systems, axis=1)
    means = [part / number for part in sums]
    return np.hstack([means[0], ranked(sign * means[0]), *means[1:]])


def ranked(scores: Array) -> Array:
    """Ranks along the last axis, 1 for the highest; equal scores share the better rank."""
    better = np.zeros(scores.shape)
    for at in range(scores.shape[-1]):
        better += scores[..., at : at + 1] > scores
    return np.where(np.isnan(scores), np.nan, 1 + better)
