"""Each system's scores: mean, share of top answers, median, by document, of successes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec
import numpy as np
import polars as pl

from jurat.resampling.student_t import t_quantile
from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.cluster_inference import (
    THESE_JUDGES,
    Finding,
    below_median,
    woodruff_interval,
)
from jurat.stats.estimates import Estimates, method_line, ratio
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings, numbered
from jurat.stats.settings import SEGMENT_MEANS, Settings, SystemSettings
from jurat.stats.systems.adjusted_score import ADJUSTED, adjusted_estimates, adjusted_scores
from jurat.stats.systems.score_table import (
    ScoreTable,
    check_only,
    has_system_scores,
    score_table_of,
    score_tables,
)
from jurat.stats.systems.system_inference import finding_estimate, interval_words, mean_finding
from jurat.stats.systems.system_statistic import (
    Display,
    QuestionEstimates,
    SystemStatistic,
    best_first,
    first_split,
    leader_headline,
    method_of_first,
)

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
    source = (
        "Hamon et al., section 3; WMT for segment-means; "
        "cluster-robust intervals: Bell & McCaffrey 2002"
    )
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
        scores = [e for f in found for e in _ordered(f, chosen)]
        top = [e for f in found for e in best_first(f.estimates(1, NO_NUMBER))]
        give = partial(self.system_result, evaluation, chosen, average=chosen.average)
        how = method_of_first(found)
        yield give(
            scores,
            method=method_line(how, chosen.direction),
            best=chosen.best,
            headline=self._headline(scores, found, chosen),
        )
        words = "share of answers that are the best of the question"
        yield give(top, name="system-top", method=method_line(words, how))

    def _headline(
        self, scores: Sequence[Estimate], found: Sequence[Averages], settings: SystemSettings
    ) -> str:
        """Who leads; where plain means do not compare, why, and who leads by adjusted scores."""
        leads = leader_headline(scores, self.shown[0], best=settings.best)
        tables = [one.table for one in found if len(one.table.systems) > 1]
        adjusted = [adjusted_scores(table, settings.confidence) for table in tables]
        words = "" if settings.methods else next(filter(None, (a.words for a in adjusted)), "")
        if not words:
            return leads
        if all(a.needed for a in adjusted):
            fair = [e for table in tables for e in adjusted_estimates(table, settings)]
            leads = leader_headline(fair, ADJUSTED, best=settings.best)
        return f"{words[:1].upper()}{words[1:]}. {leads}"


def _ordered(found: Averages, settings: SystemSettings) -> list[Estimate]:
    """The means of the systems in the order of what ranks them, adjusted scores where needed."""
    given = list(found.estimates(0, NO_NUMBER))
    if settings.methods or len(given) < 2:
        return best_first(given, settings.best)
    adjusted = adjusted_scores(found.table, settings.confidence)
    if not adjusted.needed:
        return best_first(given, settings.best)
    return [given[at] for at in np.argsort(-settings.sign * adjusted.values, kind="stable")]


class SystemMedian(SystemStatistic):
    """Medians of a system's judgments, which a few very low ones do not move."""

    name = "system-median"
    asks = "What is the middle of each system's scores?"
    formula = "median of the system's judgments; n counts judgments"
    source = "Woodruff 1952 (intervals); cluster-robust: Bell & McCaffrey 2002"
    needs = ("system",)
    resampled = False
    order = 22
    shown = (Display("Median scores", "median", "has the {best} median,"),)
    follows_direction = True

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The medians of every question."""
        for table in score_tables(evaluation, settings):
            estimates = [_median(table, at, settings) for at in range(len(table.systems))]
            how = interval_words(table, settings)
            how = how and f"{how}, by the share of judgments below the median (Woodruff)"
            yield QuestionEstimates(best_first(estimates, settings.best), how)


@dataclass(frozen=True, kw_only=True)
class Averages:
    """The means of some values of each system with their intervals, and shares of the same n."""

    table: ScoreTable
    parts: tuple[tuple[Finding, ...], ...]
    """A finding of each system: of the values, then of each further share."""
    numbers: Codes
    """What each mean is an average of."""
    method: str
    intervals: bool

    @property
    def means(self) -> Array:
        """The mean of each system."""
        return np.array([found.value for found in self.parts[0]])

    def estimates(self, part: int, reason: str) -> Iterator[Estimate]:
        """Means (part 0) or the shares given (1, …), one of each system."""
        for at, found in enumerate(self.parts[part]):
            yield finding_estimate(
                found,
                int(self.numbers[at]),
                about=self.table,
                by={"system": self.table.systems[at]},
                reason=reason,
                intervals=self.intervals,
            )


def averages(
    table: ScoreTable, values: Array, settings: SystemSettings, *shares: Array
) -> Averages:
    """Means and means of further `shares`, with intervals; NaN values are left out.

    By default Σx / n over a system's judgments; by `segment-means` the mean over segments of the
    segment's mean.
    """
    there = ~np.isnan(values)
    each = [np.flatnonzero(there & (table.system == at)) for at in range(len(table.systems))]
    by_segment = settings.average == SEGMENT_MEANS
    weights = table.segment_weights(there) if by_segment else table.weights

    def mean(part: Array, rows: Codes, *, share: bool) -> Finding:
        if not len(rows):
            return Finding(np.nan)
        own = None if weights is None else weights[rows]
        sure = settings.confidence
        return mean_finding(
            table, rows, part[rows], own, confidence=sure, kind="share" if share else "scores"
        )

    if by_segment:
        words = "mean over segments of the segment's mean; n counts segments"
        numbers = np.array([len(np.unique(table.sentence[rows])) for rows in each])
    else:
        words = "mean of the judgments; n counts judgments"
        numbers = np.array([len(rows) for rows in each])
    return Averages(
        table=table,
        parts=tuple(
            tuple(mean(part, rows, share=part is not values) for rows in each)
            for part in (values, *shares)
        ),
        numbers=numbers.astype(np.int64),
        method=method_line(words, interval_words(table, settings)),
        intervals=settings.intervals,
    )


def raw_averages(table: ScoreTable, settings: SystemSettings) -> Averages:
    """The means of the answers as they are, with the share of top answers; made once."""
    # nothing of a mean is drawn or depends on other tests
    return table.once(_raw_averages, msgspec.structs.replace(settings, seed=0, correction=""))


def _raw_averages(table: ScoreTable, settings: SystemSettings) -> Averages:
    oriented = table.sign * table.values
    # the best answer that anybody gave: a table does not tell the end of its scale
    top = (oriented == oriented.max(initial=-np.inf)).astype(np.float64)
    return averages(table, table.values, settings, top)


def _median(table: ScoreTable, system: int, settings: SystemSettings) -> Estimate:
    """The median of a system; its interval is that of the share below it, back on the scale."""
    rows = np.flatnonzero(table.system == system)
    values = table.values[rows]
    found = Finding(np.nan)
    if len(rows):
        share = mean_finding(
            table, rows, below_median(values), None, confidence=settings.confidence
        )
        low, high = woodruff_interval(values, share.high - share.value)
        found = share._replace(value=float(np.median(values)), low=low, high=high)
    return finding_estimate(
        found,
        len(rows),
        about=table,
        by={"system": table.systems[system]},
        reason=NO_NUMBER,
        intervals=settings.intervals,
    )


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
        how = (
            f"{settings.confidence:.0%} interval with t over the document's sentences, "
            f"{THESE_JUDGES}"
        )
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
    if not settings.intervals or table.unit == "document":
        return np.full(len(mean), np.nan)
    sentences, cell = numbered(at * table.sentences + table.sentence, len(mean) * table.sentences)
    residual = np.bincount(cell, weights=table.values - mean[at])
    of = sentences // table.sentences
    k = np.bincount(of, minlength=len(mean))
    squares = np.bincount(of, weights=residual**2, minlength=len(mean))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(k / (k - 1.0) * squares) / number
    # sentences that all have the same score say nothing about others
    told = (k > 1) & (squares > 0)
    quantile = t_quantile(np.maximum(k - 1, 1), (1 + settings.confidence) / 2)
    return np.where(told, error * quantile, np.nan)


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
    for ratings in filter(has_system_scores, evaluation.scored):
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
    shares = table.units.intervals(rows, ratio, settings, share=True)
    ends = (shares.values, shares.low, shares.high)
    with np.errstate(divide="ignore", invalid="ignore"):
        # odds without bound are missing, and say so
        both = [np.concatenate([end, np.where(end < 1, end / (1 - end), np.nan)]) for end in ends]
    return Estimates(values=both[0], low=both[1], high=both[2], method=shares.method)
