"""Each system's score on each document."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import SystemSettings, choices
from jurat.stats.systems.drawing import numbered
from jurat.stats.systems.panel import Panel, panels
from jurat.stats.systems.wording import no_numbers

MOST_DRAWN = 40
"""Documents in the figure."""


class DocumentScore(Statistic[Settings]):
    """Mean scores by document, as in HEval's Table 14."""

    name = "document-score"
    gives = ("document-score",)
    asks = "How good is each system on each document?"
    formula = "mean of the system's judgments of the document; n counts judgments"
    source = (
        "Joshi et al. 2013 (HEval), Table 14; variance of a ratio of cluster totals: Cochran 1977"
    )
    needs = ("system", "document")
    place = 80

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The scores of every question."""
        chosen = choices(settings)
        found = [p for p in panels(evaluation, chosen) if p.document is not None]
        estimates = [e for panel in found for e in _estimates(panel, chosen)]
        drawn = f"{chosen.confidence:.0%} normal interval over the document's sentences"
        there = any(e.low is not None for e in estimates)
        yield self.result(
            evaluation,
            settings,
            estimates or no_numbers(evaluation),
            method=told(self.formula, drawn if there else "", chosen.direction),
            headline=_headline(found),
            draw=lambda: _draw(estimates),
            **chosen.told(),
        )


def _estimates(panel: Panel, settings: SystemSettings) -> Iterator[Estimate]:
    assert panel.document is not None
    systems = len(panel.systems)
    cell = panel.document * systems + panel.system
    known, at = numbered(cell, systems * len(panel.documents))
    number = np.bincount(at)
    mean = np.bincount(at, weights=panel.values) / number
    reach = _reach(panel, at, mean, number, settings)
    for place, code in enumerate(known.tolist()):
        document, system = divmod(code, systems)
        value, by = float(mean[place]), float(reach[place])
        told_of = not np.isnan(by)
        yield Estimate(
            value=value,
            n=int(number[place]),
            by={
                **panel.by,
                "system": panel.systems[system],
                "document": panel.documents[document],
            },
            tags=panel.tags,
            low=value - by if told_of else None,
            high=value + by if told_of else None,
        )


def _reach(
    panel: Panel,
    at: Codes,
    mean: Array,
    number: Codes,
    settings: SystemSettings,
) -> Array:
    """Half the interval: SE² = k/(k−1) Σ over sentences (Σ(x − mean))² / n², k sentences."""
    from scipy.special import ndtri

    if not settings.bootstrap or panel.unit == "document":
        return np.full(len(mean), np.nan)
    sentences, cell = numbered(at * panel.sentences + panel.sentence, len(mean) * panel.sentences)
    residual = np.bincount(cell, weights=panel.values - mean[at])
    of = sentences // panel.sentences
    k = np.bincount(of, minlength=len(mean))
    squares = np.bincount(of, weights=residual**2, minlength=len(mean))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(k / (k - 1.0) * squares) / number
    return np.where(k > 1, error * float(ndtri(0.5 + settings.confidence / 2)), np.nan)


def _headline(found: list[Panel]) -> str:
    """Who is best on most documents."""
    if not found:
        return ""
    panel = found[0]
    assert panel.document is not None
    width = len(panel.systems)
    cells = panel.document * width + panel.system
    size = len(panel.documents) * width
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(cells, weights=panel.values, minlength=size) / np.bincount(
            cells, minlength=size
        )
    table = np.nan_to_num(panel.sign * means.reshape(-1, width), nan=-np.inf)
    first = np.bincount(table.argmax(axis=1), minlength=width)
    top = int(first.argmax())
    of = f"{first[top]} of {len(panel.documents)} documents"
    return f"{panel.systems[top]} has the best mean on {of}."


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
