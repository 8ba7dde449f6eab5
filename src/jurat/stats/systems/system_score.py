"""A system's mean score, its share of top answers, and its median."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import Settings
from jurat.stats.systems.resampling_units import ResamplingUnits, without_intervals
from jurat.stats.systems.score_table import ScoreTable, score_tables
from jurat.stats.systems.settings import SEGMENT_MEANS, SystemSettings
from jurat.stats.systems.system_statistic import (
    Shown,
    SystemStatistic,
    best_first,
    method_of_first,
)

# Points of a scale up to which resampled medians are counted out.
MOST_POINTS = 256
NO_NUMBER = "the system has no number"


class SystemScore(SystemStatistic):
    """Mean raw scores: by judgment, or as WMT by segment."""

    name = "system-score"
    gives = ("system-score", "system-top")
    asks = "How good is each system?"
    formula = "mean score of a system; share of its judgments that give the best answer"
    source = "Hamon et al., section 3; WMT for segment-means; pigeonhole bootstrap: Owen 2007"
    needs = ("system",)
    order = 10
    shown = (
        Shown("Mean scores of systems", "score", "has the {best} mean score,"),
        Shown("Share of top answers", "share", "has the largest share of top answers,", share=True),
    )

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Scores and shares of top answers of every question."""
        chosen = SystemSettings.of(settings)
        found = [raw_averages(table, chosen) for table in score_tables(evaluation, chosen)]
        scores = [e for f in found for e in best_first(f.estimates(0, NO_NUMBER), chosen.best)]
        top = [e for f in found for e in best_first(f.estimates(2, NO_NUMBER))]
        give = partial(self.system_result, evaluation, chosen, average=chosen.average)
        how = method_of_first(found)
        yield give(scores, method=method_line(how, chosen.direction), best=chosen.best)
        words = "share of answers that are the best of the question"
        yield give(top, name="system-top", method=method_line(words, how))


class SystemMedian(SystemStatistic):
    """Medians of a system's judgments, which a few very low ones do not move."""

    name = "system-median"
    gives = ("system-median",)
    asks = "What is the middle of each system's scores?"
    formula = "median of the system's judgments; n counts judgments"
    source = "order statistics; pigeonhole bootstrap: Owen 2007"
    needs = ("system",)
    order = 22
    shown = (Shown("Median scores", "median", "has the {best} median,"),)

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The medians of every question."""
        chosen = SystemSettings.of(settings)
        estimates: list[Estimate] = []
        how = ""
        for table in score_tables(evaluation, chosen):
            units, made = medians(table, chosen)
            how = how or units.method(made)
            of_table = table.estimates(made, table.counts, NO_NUMBER)
            estimates += best_first(of_table, chosen.best)
        method = method_line(self.formula, how, chosen.direction)
        yield self.system_result(evaluation, chosen, estimates, method=method, best=chosen.best)


@dataclass(frozen=True, kw_only=True)
class Averages:
    """The means of some values of each system, their ranks, and further shares of the same n."""

    table: ScoreTable
    made: Estimates
    numbers: Codes
    """What each mean is an average of."""
    method: str

    @property
    def means(self) -> Array:
        """The mean of each system."""
        return self.made.values[: len(self.table.systems)]

    def estimates(self, part: int, reason: str) -> Iterator[Estimate]:
        """Means (part 0), ranks (1), or the shares given (2, …), one of each system."""
        start = part * len(self.table.systems)
        return self.table.estimates(self.made, self.numbers, reason, start=start)


def averages(
    table: ScoreTable, values: Array, settings: SystemSettings, *shares: Array
) -> Averages:
    """Means, ranks (1 is best) and means of further `shares`; NaN values are left out.

    By default Σx / n over a system's judgments, from resamples of documents and judges; by
    `segment-means` the mean over segments of the segment's mean, from resamples of documents.
    """
    if settings.average == SEGMENT_MEANS:
        words = "mean over segments of the segment's mean; n counts segments"
        units, (rows, numbers) = table.sentence_units, _segment_sums(table, values, shares)
    else:
        words = "mean of the judgments; n counts judgments"
        units, (rows, numbers) = table.units, _judgment_sums(table, values, shares)
    score = partial(_means_and_ranks, systems=len(table.systems), sign=table.sign)
    made = units.bootstrap(rows, score, settings)
    return Averages(
        table=table, made=made, numbers=numbers, method=method_line(words, units.method(made))
    )


def raw_averages(table: ScoreTable, settings: SystemSettings) -> Averages:
    """The means of the answers as they are, with the share of top answers; made once."""
    return table.once(_raw_averages, settings)


def _raw_averages(table: ScoreTable, settings: SystemSettings) -> Averages:
    oriented = table.sign * table.values
    top = (oriented == oriented.max(initial=-np.inf)).astype(np.float64)
    return averages(table, table.values, settings, top)


def _judgment_sums(
    table: ScoreTable, values: Array, shares: tuple[Array, ...]
) -> tuple[Array, Codes]:
    """Number, Σ values and Σ shares by resampled cell and system; the number of each system."""
    there = ~np.isnan(values)
    add = partial(table.units.sums, table.system, len(table.systems))
    number = add(there.astype(np.float64))
    sums = [add(np.where(there, part, 0.0)) for part in (values, *shares)]
    return np.hstack([number, *sums]), number.sum(axis=0).astype(np.int64)


def _segment_sums(
    table: ScoreTable, values: Array, shares: tuple[Array, ...]
) -> tuple[Array, Codes]:
    """The same of the means by segment."""
    means = [table.averaged(part) for part in (values, *shares)]
    there = ~np.isnan(means[0])
    rows = np.hstack([there, *(np.where(there, part, 0.0) for part in means)])
    return table.sentence_units.sum_rows(rows), there.sum(axis=0)


def _means_and_ranks(totals: Array, *, systems: int, sign: float) -> Array:
    """Means, then ranks, then shares, from numbers and sums."""
    number, *sums = np.split(totals, totals.shape[1] // systems, axis=1)
    means = [part / number for part in sums]
    return np.hstack([means[0], ranked(sign * means[0]), *means[1:]])


def ranked(scores: Array) -> Array:
    """Ranks along the last axis, 1 for the highest; equal scores share the better rank."""
    better = np.zeros(scores.shape)
    # a pass for each system needs no array of all pairs for every resample
    for at in range(scores.shape[-1]):
        better += scores[..., at : at + 1] > scores
    return np.where(np.isnan(scores), np.nan, 1 + better)


def medians(table: ScoreTable, settings: SystemSettings) -> tuple[ResamplingUnits, Estimates]:
    """The median of each system, with an interval where the scale has no more than 256 points."""
    points, code = np.unique(table.values, return_inverse=True)
    width = len(points) * len(table.systems)
    if len(points) > MOST_POINTS:
        each = (table.values[table.system == at] for at in range(len(table.systems)))
        values = np.array([np.median(own) if len(own) else np.nan for own in each])
        return table.units, without_intervals(values)
    # a resample's cumulative counts take about twenty times the memory of a cell
    units = table.units_of(columns=20 * width)
    rows = units.sums(table.system * len(points) + code, width)
    return units, units.bootstrap(rows, partial(_medians_of_counts, points=points), settings)


def _medians_of_counts(totals: Array, *, points: Array) -> Array:
    """Medians from how often each point was given: the mean of the lower and the upper middle."""
    counts = totals.reshape(len(totals), -1, len(points))
    below = np.cumsum(counts, axis=2)
    number = below[:, :, -1:]
    lower = points[(2 * below >= number).argmax(axis=2)]
    upper = points[(2 * below > number).argmax(axis=2)]
    return np.where(number[:, :, 0] > 0, (lower + upper) / 2, np.nan)
