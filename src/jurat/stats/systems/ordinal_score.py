"""Systems on the latent scale behind answers of a few points, such as 1 to 5."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurat.results import Estimate
from jurat.stats.estimates import Estimates
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.ordinal_model import OrdinalData, OrdinalFit, fit_ordinal
from jurat.stats.systems.score_table import ScoreTable, score_tables
from jurat.stats.systems.system_inference import clusters_of, varying_words
from jurat.stats.systems.system_statistic import (
    Display,
    QuestionEstimates,
    SystemStatistic,
    best_first,
)

# Distinct answers up to which a scale is taken as ordinal.
MOST_POINTS = 11
# Judgments, and sentences × effects, up to which the model is fitted: a few seconds.
MOST_JUDGMENTS, MOST_NUMBERS = 100_000, 2**23
# Judgments a sentence from which on sentences have an effect of their own.
OFTEN = 2

NO_MAXIMUM = "the likelihood has no maximum: the answers to a system are all at one end"
TOO_MANY = f"more than {MOST_JUDGMENTS:,} judgments, or too many judges and sentences, to be fitted"
NOT_ORDINAL = f"no question has 2 to {MOST_POINTS} different answers for two systems or more"


class OrdinalScore(SystemStatistic):
    """Latent effects of systems in a cumulative-link mixed model."""

    name = "ordinal-score"
    asks = "How good is each system, if the points of the scale are only ordered?"
    formula = (
        "latent effect β, mean 0: P(answer ≤ k) = 1/(1 + exp(β + judge + sentence − τ_k)), "
        "judges and sentences normal, Laplace approximation; n counts judgments"
    )
    source = "McCullagh 1980; mixed: Hedeker & Gibbons 1994; sandwich variance: Liang & Zeger 1986"
    needs = ("system",)
    order = 24
    shown = (Display("Latent scores", "latent effect", "has the {best} latent score,"),)
    follows_direction = True
    resampled = False

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The latent effects of every question with few different answers."""
        for table in score_tables(evaluation, settings):
            points = len(np.unique(table.values))
            if 2 <= points <= MOST_POINTS and len(table.systems) > 1:
                made, how = _latent_effects(table, settings)
                reason = TOO_MANY if _too_large(table, points) else NO_MAXIMUM
                estimates = table.estimates(made, table.counts, reason)
                yield QuestionEstimates(best_first(estimates, settings.best), how)

    def missing(self, evaluation: Evaluation) -> list[Estimate]:
        """That no question is of this kind."""
        return [Estimate(value=None, n=0, reason=NOT_ORDINAL)]


def _too_large(table: ScoreTable, points: int) -> bool:
    effects = points + len(table.systems) + table.judges
    large = table.sentences * effects > MOST_NUMBERS or effects**2 > MOST_NUMBERS
    return large or len(table.values) > MOST_JUDGMENTS


def _latent_effects(table: ScoreTable, settings: SystemSettings) -> tuple[Estimates, str]:
    """The effects with their intervals, and how they were made."""
    points, answer = np.unique(table.values, return_inverse=True)
    if _too_large(table, len(points)):
        return Estimates.undefined(len(table.systems)), ""
    often = len(answer) >= OFTEN * table.sentences
    sentence = table.sentence if often else None
    data = OrdinalData(
        answer=answer.astype(np.int64), system=table.system, judge=table.judge, sentence=sentence
    )
    found = fit_ordinal(data)
    if found is None:
        return Estimates.undefined(len(table.systems)), ""
    return _estimates(table, found, settings), _words(table, found, settings, often=often)


def _estimates(table: ScoreTable, found: OrdinalFit, settings: SystemSettings) -> Estimates:
    if not settings.intervals:
        return Estimates.without_intervals(found.systems)
    clusters = clusters_of(table, table.sentence, table.judge)
    half = found.halves(clusters, settings.confidence)
    return Estimates(values=found.systems, low=found.systems - half, high=found.systems + half)


def _words(table: ScoreTable, found: OrdinalFit, settings: SystemSettings, *, often: bool) -> str:
    spread = (
        [f"SD of judges {np.sqrt(found.judge_variance):.2f}"] if table.judge is not None else []
    )
    spread += [f"of sentences {np.sqrt(found.sentence_variance):.2f}"] if often else []
    words = ", ".join(spread) or "no random effects"
    if table.weights is not None:
        words += "; without the weights of adaptive kits"
    if not settings.intervals:
        return words
    return f"{words}; {settings.confidence:.0%} sandwich intervals with t; {varying_words(table)}"
