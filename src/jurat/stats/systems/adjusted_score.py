"""Scores adjusted for who judged what: comparable where systems had other sentences or judges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate
from jurat.stats.cluster_inference import INSEPARABLE, Finding, infer
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.linear_model import CenteredModel, Contrast, LinearModel
from jurat.stats.ratings import Array, Codes, summed
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.score_table import ScoreTable, score_tables
from jurat.stats.systems.system_inference import (
    clusters_of,
    finding_estimate,
    interval_words,
    of_scores,
)
from jurat.stats.systems.system_statistic import (
    Display,
    QuestionEstimates,
    SystemStatistic,
    best_first,
)

ADJUSTED = Display("Adjusted scores of systems", "score", "has the {best} adjusted score,")
# Share of a system's judgments that lie on other sentences, or with other judges, than those of the
# systems together, above which mean scores are not comparable.
UNBALANCED = 0.1


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


def adjusted_estimates(table: ScoreTable, settings: SystemSettings) -> list[Estimate]:
    """The adjusted score of each system, in the order of the table."""
    found = adjusted_scores(table, settings.confidence).findings
    return [
        finding_estimate(
            one,
            int(table.counts[at]),
            about=table,
            by={"system": table.systems[at]},
            reason=one.reason or INSEPARABLE,
            intervals=settings.intervals,
        )
        for at, one in enumerate(found)
    ]


def imbalance(table: ScoreTable) -> tuple[float, float]:
    """How far systems were judged on different sentences, and by different judges: 0 to 1.

    The largest total variation distance of a system's judgments from those of all together.
    """
    judge = np.zeros(len(table.values), dtype=np.int64) if table.judge is None else table.judge
    return _distance(table.system, table.sentence), _distance(table.system, judge)


def by_different_judges(table: ScoreTable) -> bool:
    """Whether means, and wins over scores of other judges, are not comparable for that reason."""
    return imbalance(table)[1] > UNBALANCED


def _distance(system: Codes, code: Codes) -> float:
    everyone = np.bincount(code) / len(code)
    shares = [
        np.bincount(code[system == at], minlength=len(everyone)) / max(1, (system == at).sum())
        for at in np.unique(system)
    ]
    return max((float(np.abs(own - everyone).sum() / 2) for own in shares), default=0.0)


class AdjustedScores(NamedTuple):
    """Scores as if every system had been judged on every sentence by every judge."""

    findings: list[Finding]
    unbalanced: str
    """What differs between the systems, in words; empty where they are comparable as they are."""

    @property
    def values(self) -> Array:
        """The score of each system, NaN where it cannot be told."""
        return np.array([found.value for found in self.findings])

    @property
    def words(self) -> str:
        """What to beware of when systems are compared; empty where they are comparable."""
        if not self.unbalanced:
            return ""
        if self.needed:
            return (
                f"systems were judged {self.unbalanced}: ranks and clusters follow adjusted scores"
            )
        return f"systems were judged {self.unbalanced}, which cannot be adjusted for"

    @property
    def needed(self) -> bool:
        """Whether ranks and clusters should come from these instead of plain means."""
        return bool(self.unbalanced) and not np.isnan(self.values).any()


def adjusted_scores(table: ScoreTable, confidence: float) -> AdjustedScores:
    """The adjusted scores of all systems; made once.

    Marginal means of the additive model score = system + judge + sentence (least squares). Their
    intervals hold for new documents and judges: what these add to the scores varies, too, and is
    not taken out of the residuals.
    """
    return table.once(_adjusted_scores, confidence)


def _adjusted_scores(table: ScoreTable, confidence: float) -> AdjustedScores:
    clusters = clusters_of(table, table.sentence, table.judge)
    contrasts = _marginal_means(table, table.judgment)
    # where sentences with a shared output cannot be told from the others, all count alike
    if any(np.isnan(contrast.value) for contrast in contrasts):
        contrasts = _marginal_means(table, None)
    means = np.array([contrast.value for contrast in contrasts])
    centered = CenteredModel(
        values=table.values - means[table.system], system=table.system, weights=table.weights
    )
    findings = [
        of_scores(
            infer(replace(contrast, model=centered), clusters, confidence=confidence).moved(mean),
            table.values,
            clusters,
            confidence=confidence,
        )
        for contrast, mean in zip(contrasts, means, strict=True)
    ]
    return AdjustedScores(findings, _unbalanced(table))


def _marginal_means(table: ScoreTable, judgment: Codes | None) -> list[Contrast]:
    """The marginal mean of each system in the additive model; NaN where it cannot be told.

    Systems are equal where they share an output, and judges tell nothing of it. There they have
    effects of their own, or what they differ by elsewhere would come out too small (by 7 % with
    half of the outputs shared, 4 judges and 10 documents of 5 sentences).
    """
    systems, shared = len(table.systems), np.zeros(len(table.values), dtype=np.int64)
    if judgment is not None:
        shared = (np.bincount(judgment)[judgment] > 1).astype(np.int64)
    effect = shared * systems + table.system
    model = LinearModel(
        values=table.values,
        system=effect,
        judge=table.judge,
        block=table.sentence,
        weights=table.weights,
    )
    weight = model.weight / model.weight.sum()
    of_judges = np.zeros(0) if table.judge is None else summed(table.judge, weight)
    of_sentences = summed(table.sentence, weight)
    of_effects = summed(effect, weight, model.systems)
    of_system = np.arange(model.systems) % systems
    own = np.where(of_system == np.arange(systems)[:, None], of_effects, 0.0)
    columns = [np.concatenate([each / each.sum(), of_judges]) for each in own]
    return list(model.contrasts(np.array(columns), of_sentences))


def _unbalanced(table: ScoreTable) -> str:
    sentences, judges = imbalance(table)
    differ = [
        f"{words} (up to {100 * share:.0f} % of a system's judgments)"
        for words, share in (("on different sentences", sentences), ("by different judges", judges))
        if share > UNBALANCED
    ]
    return " and ".join(differ)
