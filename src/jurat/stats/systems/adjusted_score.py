"""Scores adjusted for who judged what: comparable where systems had other sentences or judges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurat.results import Estimate
from jurat.stats.cluster_inference import INSEPARABLE
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.score_table import ScoreTable, score_tables
from jurat.stats.systems.system_inference import adjusted_scores, interval_words
from jurat.stats.systems.system_scores import finding_estimate
from jurat.stats.systems.system_statistic import (
    Display,
    QuestionEstimates,
    SystemStatistic,
    best_first,
)


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
    shown = (Display("Adjusted scores of systems", "score", "has the {best} adjusted score,"),)
    follows_direction = True

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The adjusted scores of every question."""
        for table in score_tables(evaluation, settings):
            estimates = best_first(_estimates(table, settings), settings.best)
            yield QuestionEstimates(estimates, interval_words(table, settings))


def _estimates(table: ScoreTable, settings: SystemSettings) -> Sequence[Estimate]:
    found = adjusted_scores(table, settings.confidence).findings
    return [
        finding_estimate(
            one,
            int(table.counts[at]),
            about=table,
            by={"system": table.systems[at]},
            reason=one.reason or INSEPARABLE,
            intervals=bool(settings.bootstrap),
        )
        for at, one in enumerate(found)
    ]
