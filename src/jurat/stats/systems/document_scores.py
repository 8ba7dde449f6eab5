"""Each system's score on each document."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.estimates import method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import Settings
from jurat.stats.systems.resampling_units import numbered
from jurat.stats.systems.score_table import ScoreTable, cell_means, score_tables
from jurat.stats.systems.settings import SystemSettings
from jurat.stats.systems.system_statistic import SystemStatistic

# Documents in the figure.
MOST_DRAWN = 40


class DocumentScore(SystemStatistic):
    """Mean scores by document, as in HEval's Table 14."""

    name = "document-score"
    gives = ("document-score",)
    asks = "How good is each system on each document?"
    formula = "mean of the system's judgments of the document; n counts judgments"
    source = (
        "Joshi et al. 2013 (HEval), Table 14; variance of a ratio of cluster totals: Cochran 1977"
    )
    needs = ("system", "document")
    order = 80

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The scores of every question."""
        chosen = SystemSettings.of(settings)
        tables = score_tables(evaluation, chosen)
        found = [(t, t.document) for t in tables if t.document is not None]
        estimates = [e for table, document in found for e in _estimates(table, document, chosen)]
        how = f"{chosen.confidence:.0%} normal interval over the document's sentences"
        there = any(e.low is not None for e in estimates)
        yield self.system_result(
            evaluation,
            chosen,
            estimates,
            method=method_line(self.formula, how if there else "", chosen.direction),
            headline=_best_on_most(*found[0]) if found else "",
            draw=lambda: _draw(estimates),
        )


def _estimates(table: ScoreTable, document: Codes, settings: SystemSettings) -> Iterator[Estimate]:
    systems = len(table.systems)
    # only pairs of document and system that occur: a campaign may give a document to few systems
    known, at = numbered(document * systems + table.system, systems * len(table.documents))
    number = np.bincount(at)
    mean = np.bincount(at, weights=table.values) / number
    reach = _half_interval(table, at, mean, number, settings)
    for place, code in enumerate(known.tolist()):
        of_document, system = divmod(code, systems)
        value, far = float(mean[place]), float(reach[place])
        by = {"system": table.systems[system], "document": table.documents[of_document]}
        yield Estimate(
            value=value,
            n=int(number[place]),
            by={**table.by, **by},
            tags=table.tags,
            low=None if np.isnan(far) else value - far,
            high=None if np.isnan(far) else value + far,
        )


def _half_interval(
    table: ScoreTable, at: Codes, mean: Array, number: Codes, settings: SystemSettings
) -> Array:
    """Half the interval: SE² = k/(k−1) Σ over sentences (Σ(x − mean))² / n², k sentences.

    The variance of a ratio of cluster totals (Cochran 1977, section 6.5), the clusters being the
    sentences of one document; NaN where there is one sentence, or documents are not divided.
    """
    from scipy.special import ndtri

    if not settings.bootstrap or table.unit == "document":
        return np.full(len(mean), np.nan)
    sentences, cell = numbered(at * table.sentences + table.sentence, len(mean) * table.sentences)
    residual = np.bincount(cell, weights=table.values - mean[at])
    of = sentences // table.sentences
    k = np.bincount(of, minlength=len(mean))
    squares = np.bincount(of, weights=residual**2, minlength=len(mean))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(k / (k - 1.0) * squares) / number
    return np.where(k > 1, error * float(ndtri(0.5 + settings.confidence / 2)), np.nan)


def _best_on_most(table: ScoreTable, document: Codes) -> str:
    """Which system is best on most documents."""
    height, width = len(table.documents), len(table.systems)
    means = cell_means(document, height, table.system, width, table.values)
    first = np.nan_to_num(table.sign * means, nan=-np.inf).argmax(axis=1)
    best_on = np.bincount(first, minlength=width)
    top = int(best_on.argmax())
    return f"{table.systems[top]} has the best mean on {best_on[top]} of {height} documents."


def _draw(estimates: list[Estimate]) -> Figure:
    shown = list(dict.fromkeys(e.by.get("document") for e in estimates))[:MOST_DRAWN]
    rows = figures.rows([e for e in estimates if e.by.get("document") in shown])
    return figures.heat(
        "Mean scores by document",
        rows,
        x=figures.axis("system", "system", "nominal"),
        y=figures.axis("document", "document", "nominal"),
        colour=figures.axis("value", "mean score", aggregate="mean"),
    )
