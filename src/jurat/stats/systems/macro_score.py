"""Macro-averages: the mean over domains of a system's mean there, as the WMT tables print them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jurat.errors import unknown_name
from jurat.results import Estimate
from jurat.stats.cluster_inference import Finding, infer
from jurat.stats.estimates import method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.linear_model import LinearModel
from jurat.stats.phrases import listed
from jurat.stats.ratings import Codes, Ratings
from jurat.stats.settings import MACRO, SEGMENT_MEANS, SystemSettings
from jurat.stats.systems.score_table import ScoreTable, rated_tables
from jurat.stats.systems.system_inference import clusters_of, finding_estimate, interval_words
from jurat.stats.systems.system_statistic import (
    Display,
    QuestionEstimates,
    SystemStatistic,
    best_first,
)


class MacroScore(SystemStatistic):
    """Mean scores in which every domain counts alike, however many judgments it has."""

    name = "macro-score"
    asks = "How good is each system, if every domain counts alike?"
    formula = "mean over domains of the system's mean there"
    source = "Kocmi et al. 2024 (WMT24); stratified mean: Cochran 1977, section 5.3"
    needs = ("system",)
    order = 14
    shown = (Display("Macro-averages over domains", "score", "has the {best} macro-average,"),)
    follows_direction = True
    resampled = False

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The macro-averages of every question that has domains.

        Raises InputError if no table has the column that `--macro` names.
        """
        if settings.macro and settings.macro not in evaluation.columns:
            raise unknown_name("--macro", settings.macro, sorted(evaluation.columns))
        for ratings, table in rated_tables(evaluation, settings):
            if ratings.has(settings.macro_column):
                estimates = best_first(_estimates(ratings, table, settings), settings.best)
                yield QuestionEstimates(estimates, interval_words(table, settings))

    def method(self, settings: SystemSettings, how: str) -> str:
        """The formula with the column's name; `how` is that of the first question."""
        averaged = "segment means" if settings.average == SEGMENT_MEANS else "judgments"
        words = f"mean over the values of {settings.macro_column} of the system's mean there"
        return method_line(f"{words} ({averaged}); n counts judgments", how, settings.direction)

    def choices(self, settings: SystemSettings) -> dict[str, Any]:
        """The column of domains, and how a mean is taken."""
        return {"macro": settings.macro_column, "average": settings.average}

    def missing(self, evaluation: Evaluation) -> list[Estimate]:
        """That no table has domains."""
        if not any(not ratings.nominal for ratings in evaluation.ratings):
            return super().missing(evaluation)
        reason = f"needs a column of domains, such as {MACRO}"
        return [Estimate(value=None, n=0, reason=reason)]


def _estimates(ratings: Ratings, table: ScoreTable, settings: SystemSettings) -> Iterator[Estimate]:
    codes, names = ratings.coded(settings.macro_column)
    domain = codes[table.rows]
    known = np.array([bool(name) for name in names])[domain]
    wanted = np.unique(domain[known])
    for at, system in enumerate(table.systems):
        rows = np.flatnonzero(known & (table.system == at))
        lacking = [names[code] for code in np.setdiff1d(wanted, domain[rows])]
        # averages over different domains would not be comparable
        nothing = f"no judgment of {listed(lacking, 3)}" if lacking else ""
        found = Finding(np.nan) if nothing else _macro_mean(table, rows, domain[rows], settings)
        yield finding_estimate(
            found,
            len(rows),
            about=table,
            by={"system": system},
            reason=nothing,
            intervals=settings.intervals,
        )


def _macro_mean(table: ScoreTable, rows: Codes, domain: Codes, settings: SystemSettings) -> Finding:
    """The mean of the domains' means; domains are fixed, documents and judges vary within them."""
    known, code = np.unique(domain, return_inverse=True)
    weights = table.weights
    if settings.average == SEGMENT_MEANS:
        weights = table.segment_weights(np.ones(len(table.values), dtype=bool))
    model = LinearModel(
        values=table.values[rows],
        system=code,
        weights=None if weights is None else weights[rows],
    )
    contrast = model.contrast(np.full(len(known), 1 / len(known)))
    judge = None if table.judge is None else table.judge[rows]
    clusters = clusters_of(table, table.sentence[rows], judge)
    documents = np.unique(np.stack([code, clusters.document]), axis=1)[0]
    if (np.bincount(documents) < 2).any():
        # a document that is its domain's only one tells nothing of the domain's other documents
        return Finding(contrast.value, reason=f"a domain has one {clusters.what} only")
    return infer(contrast, clusters, confidence=settings.confidence)
