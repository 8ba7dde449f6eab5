"""Scores adjusted for who judged what: comparable where systems had other sentences or judges."""

from __future__ import annotations

from collections.abc import Iterator

from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.finding_estimates import ADJUSTED, adjusted_estimates
from jurat.stats.systems.score_table import score_tables
from jurat.stats.systems.system_inference import interval_words
from jurat.stats.systems.system_statistic import QuestionEstimates, SystemStatistic, best_first


class AdjustedScore(SystemStatistic):
    """Mean scores as if every judge had judged every system on every sentence."""

    name = "adjusted-score"
    asks = "How good is each system, were all judged on the same sentences by the same judges?"
    formula = (
        "marginal mean of the additive model score = system + judge + sentence, least squares; "
        "n counts judgments"
    )
    source = "least-squares (marginal) means: Searle, Speed & Milliken 1980"
    needs = ("system",)
    order = 12
    shown = (ADJUSTED,)
    follows_direction = True

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The adjusted scores of every question."""
        for table in score_tables(evaluation, settings):
            estimates = best_first(adjusted_estimates(table, settings), settings.best)
            yield QuestionEstimates(estimates, interval_words(table, settings))
