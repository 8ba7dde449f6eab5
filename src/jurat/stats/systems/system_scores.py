"""Each system's scores: mean, share of top answers, median, by document, of successes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates, method_line, normal_quantile
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.settings import SEGMENT_MEANS, Settings, SystemSettings
from jurat.stats.systems.resampling_units import ResamplingUnits, numbered
from jurat.stats.systems.score_table import (
    ScoreTable,
    check_only,
    has_system_scores,
    ranked,
    score_table_of,
    score_tables,
)
from jurat.stats.systems.system_statistic import (
    Display,
    QuestionEstimates,
    SystemStatistic,
    best_first,
    first_split,
    method_of_first,
)

# Points of a scale up to which resampled medians are counted out.
MOST_POINTS = 256
# Documents in the figure.
MOST_DRAWN = 40
# One of several concepts or reading questions of an item: `concepts.2`.
NUMBERED = re.compile(r"(.+)\.\d+")
NO_NUMBER = "the system has no number"
NO_SUCCESSES = "no question has only right and wrong answers (1 and 0)"
# By result: how it is computed, and why a system has none.
SUCCESSES = {
    "success-share": ("right / all answers", "no answers"),
    "success-odds": ("right / wrong", "nothing went wrong: the odds have no bound"),
}


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
        Display("Mean scores of systems", "score", "has the {best} mean score,"),
        Display(
            "Share of top answers", "share", "has the largest share of top answers,", share=True
        ),
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
    asks = "What is the middle of each system's scores?"
    formula = "median of the system's judgments; n counts judgments"
    source = "order statistics; pigeonhole bootstrap: Owen 2007"
    needs = ("system",)
    order = 22
    shown = (Display("Median scores", "median", "has the {best} median,"),)
    follows_direction = True

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The medians of every question."""
        for table in score_tables(evaluation, settings):
            units, made = medians(table, settings)
            of_table = table.estimates(made, table.counts, NO_NUMBER)
            yield QuestionEstimates(best_first(of_table, settings.best), units.method(made))


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
    # the best answer that anybody gave: a table does not tell the end of its scale
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
    # a segment counts once for a system, however many judges it had
    rows = np.hstack([there, *(np.where(there, part, 0.0) for part in means)])
    return table.sentence_units.sum_rows(rows), there.sum(axis=0)


def _means_and_ranks(totals: Array, *, systems: int, sign: float) -> Array:
    """Means, then ranks, then shares, from numbers and sums."""
    number, *sums = np.split(totals, totals.shape[1] // systems, axis=1)
    means = [part / number for part in sums]
    # ranks are resampled with the means, so that they have intervals of their own
    return np.hstack([means[0], ranked(sign * means[0]), *means[1:]])


def medians(table: ScoreTable, settings: SystemSettings) -> tuple[ResamplingUnits, Estimates]:
    """The median of each system, with an interval where the scale has no more than 256 points."""
    points, code = np.unique(table.values, return_inverse=True)
    width = len(points) * len(table.systems)
    if len(points) > MOST_POINTS:
        each = (table.values[table.system == at] for at in range(len(table.systems)))
        values = np.array([np.median(own) if len(own) else np.nan for own in each])
        return table.units, Estimates.without_intervals(values)
    # a resample's cumulative counts take about twenty times the memory of a cell
    units = table.units_of(columns=20 * width)
    rows = units.sums(table.system * len(points) + code, width)
    return units, units.bootstrap(rows, partial(_medians_of_counts, points=points), settings)


def _medians_of_counts(totals: Array, *, points: Array) -> Array:
    """Medians from how often each point was given: the mean of the lower and the upper middle."""
    counts = totals.reshape(len(totals), -1, len(points))
    below = np.cumsum(counts, axis=2)
    number = below[:, :, -1:]
    # of an even number the two middle answers may be different points
    lower = points[(2 * below >= number).argmax(axis=2)]
    upper = points[(2 * below > number).argmax(axis=2)]
    return np.where(number[:, :, 0] > 0, (lower + upper) / 2, np.nan)


class DocumentScore(SystemStatistic):
    """Mean scores by document, as in HEval's Table 14."""

    name = "document-score"
    asks = "How good is each system on each document?"
    formula = "mean of the system's judgments of the document; n counts judgments"
    source = (
        "Joshi et al. 2013 (HEval), Table 14; variance of a ratio of cluster totals: Cochran 1977"
    )
    needs = ("system", "document")
    order = 80

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The scores of every question."""
        how = f"{settings.confidence:.0%} normal interval over the document's sentences"
        for table in score_tables(evaluation, settings):
            if table.document is not None:
                estimates = list(_by_document(table, table.document, settings))
                there = any(e.low is not None for e in estimates)
                yield QuestionEstimates(estimates, how if there else "")

    def headline(self, estimates: Sequence[Estimate], settings: SystemSettings) -> str:
        """Which system is best on most documents of the first question."""
        best: dict[object, Estimate] = {}
        for e in first_split(estimates):
            top = best.setdefault(e.by["document"], e)
            if settings.sign * (e.value or 0.0) > settings.sign * (top.value or 0.0):
                best[e.by["document"]] = e
        if not best:
            return ""
        times = Counter(str(e.by["system"]) for e in best.values())
        name = min(times, key=lambda system: (-times[system], system))
        return f"{name} has the best mean on {times[name]} of {len(best)} documents."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Systems by documents, the first of these."""
        shown = list(dict.fromkeys(e.by.get("document") for e in estimates))[:MOST_DRAWN]
        return figures.heat(
            "Mean scores by document",
            figures.rows([e for e in estimates if e.by.get("document") in shown]),
            x=figures.axis("system", "system", "nominal"),
            y=figures.axis("document", "document", "nominal"),
            colour=figures.axis("value", "mean score", aggregate="mean"),
        )


def _by_document(
    table: ScoreTable, document: Codes, settings: SystemSettings
) -> Iterator[Estimate]:
    systems = len(table.systems)
    # only pairs of document and system that occur: a campaign may give a document to few systems
    known, at = numbered(document * systems + table.system, systems * len(table.documents))
    number = np.bincount(at)
    mean = np.bincount(at, weights=table.values) / number
    reach = _half_interval(table, at, mean, number, settings)
    made = Estimates(values=mean, low=mean - reach, high=mean + reach)
    for place, code in enumerate(known.tolist()):
        of_document, system = divmod(code, systems)
        by = {"system": table.systems[system], "document": table.documents[of_document]}
        yield made.estimate(place, n=int(number[place]), about=table, by=by)


def _half_interval(
    table: ScoreTable, at: Codes, mean: Array, number: Codes, settings: SystemSettings
) -> Array:
    """Half the interval: SE² = k/(k−1) Σ over sentences (Σ(x − mean))² / n², k sentences.

    The variance of a ratio of cluster totals (Cochran 1977, section 6.5), the clusters being the
    sentences of one document; NaN where there is one sentence, or documents are not divided.
    """
    if not settings.bootstrap or table.unit == "document":
        return np.full(len(mean), np.nan)
    sentences, cell = numbered(at * table.sentences + table.sentence, len(mean) * table.sentences)
    residual = np.bincount(cell, weights=table.values - mean[at])
    of = sentences // table.sentences
    k = np.bincount(of, minlength=len(mean))
    squares = np.bincount(of, weights=residual**2, minlength=len(mean))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(k / (k - 1.0) * squares) / number
    return np.where(k > 1, error * normal_quantile(settings), np.nan)


class SuccessRates(SystemStatistic):
    """Shares and odds of success, of all numbered questions of an item together."""

    name = "success-share"
    gives = tuple(SUCCESSES)
    asks = "How many answers are right, how many concepts came through?"
    formula = "right / all answers; odds: right / wrong"
    source = "accuracy: White, O'Connell & O'Mara 1994; odds: Sanders et al. 2008 (TRANSTAC)"
    needs = ("system",)
    order = 90
    shown = (
        Display("Share of right answers", "share", "has success most often,", share=True),
        Display("Odds of success", "odds", "has the best odds of success,"),
    )

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Shares of every right-or-wrong question, then odds."""
        chosen = SystemSettings.of(settings)
        check_only(evaluation, chosen)
        tables = [score_table_of(ratings, chosen) for ratings in _families(evaluation)]
        found = [(table, success_rates(table, chosen)) for table in tables]
        how = next((m for table, made in found if (m := table.units.method(made))), "")
        for part, (name, (formula, reason)) in enumerate(SUCCESSES.items()):
            estimates = []
            for table, made in found:
                start = part * len(table.systems)
                estimates += best_first(table.estimates(made, table.counts, reason, start=start))
            method = method_line(f"{formula}; n counts answers", how)
            yield self.system_result(evaluation, chosen, estimates, name=name, method=method)

    def missing(self, evaluation: Evaluation) -> list[Estimate]:
        """That no question is of this kind."""
        return [Estimate(value=None, n=0, reason=NO_SUCCESSES)]


def _families(evaluation: Evaluation) -> Iterator[Ratings]:
    """Questions whose answers are all 0 or 1, those of one family (`reading.1`, …) together."""
    families: dict[tuple[object, ...], list[Ratings]] = {}
    for ratings in filter(has_system_scores, evaluation.ratings):
        if np.isin(ratings.places, (0.0, 1.0)).all():
            whole = NUMBERED.fullmatch(ratings.question)
            name = whole[1] if whole else ratings.question
            families.setdefault((name, *ratings.tags.items()), []).append(ratings)
    for key, members in families.items():
        # an item with three reading questions has three answers, each of which counts
        frame = pl.concat([m.frame for m in members], how="diagonal_relaxed")
        yield replace(members[0], question=str(key[0]), frame=frame)


def success_rates(table: ScoreTable, settings: SystemSettings) -> Estimates:
    """Shares of right answers, then odds, of each system."""
    add = partial(table.units.sums, table.system, len(table.systems))
    rows = np.hstack([add(table.values), add(None)])
    return table.units.bootstrap(rows, _shares_and_odds, settings)


def _shares_and_odds(totals: Array) -> Array:
    right, number = np.split(totals, 2, axis=1)
    return np.hstack([right / number, right / (number - right)])
