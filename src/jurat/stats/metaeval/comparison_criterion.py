"""By what metrics are compared, and on which of the scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from jurat.stats.metaeval.matched_scores import NO_RATINGS, MatchedScores
from jurat.stats.ratings import Array
from jurat.stats.settings import ComparedBy, MetricSettings

NOT_ALL = "no translations have scores of all metrics"
RATINGS = f"{NO_RATINGS}: choose consistency or acceq (--compare)"
TOO_FEW = "fewer than two metrics have scores to compare"
NAMES = {
    "pearson": "Pearson's r of segments",
    "pdp": "pairwise difference Pearson",
    "acceq": "accuracy with calibrated ties",
    "consistency": "consistency with judges",
    "spa": "soft pairwise accuracy",
    "system-pearson": "Pearson's r of systems",
    "system-spearman": "Spearman's ρ of systems",
    "system-kendall": "Kendall's τ_b of systems",
}


def comparison_for(data: MatchedScores, settings: MetricSettings) -> ComparedBy:
    """By what metrics are compared: as asked, else by what the data allow."""
    if settings.compare:
        return settings.compare
    if not data.covered.any():
        return "system-pearson"
    return "consistency" if data.human.means is None else "pearson"


def scored_metrics(data: MatchedScores, name: ComparedBy) -> list[int]:
    """The metrics that have scores to be compared by."""
    # Of whole systems a metric may have scores without those of segments.
    systems = name.startswith("system")
    return [at for at in range(len(data.metrics)) if _has_scores(data, at, of_systems=systems)]


def _has_scores(data: MatchedScores, metric: int, *, of_systems: bool) -> bool:
    given = of_systems and not np.isnan(data.system_scores(metric)[0]).all()
    return given or bool(data.covered[metric])


def complete_means(data: MatchedScores, used: Sequence[int]) -> Array:
    """People's means where every metric has a score, else NaN: all are tested on the same."""
    assert data.human.means is not None
    missing = np.isnan(data.scores[list(used)]).any(axis=0)
    return np.where(missing, np.nan, data.human.means)


def decisions_of_all(data: MatchedScores, used: Sequence[int]) -> MatchedScores:
    """The data where every metric has scores: means, or decisions of people who compared."""
    if data.human.means is not None:
        return replace(data, human=replace(data.human, means=complete_means(data, used)))
    margins = np.stack([data.margins(at, data.human.decisions) for at in used])
    scored = np.asarray(~np.isnan(margins).any(axis=0))
    return replace(data, human=replace(data.human, decisions=data.human.decisions.where(scored)))
