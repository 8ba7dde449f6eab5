"""Whether the difference of two systems may be chance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import SystemSettings, choices
from jurat.stats.systems.shares import pairs_of
from jurat.stats.systems.telling import Told, told_apart
from jurat.stats.systems.wording import first_words, nothing_compared


class PairwiseP(Statistic[Settings]):
    """p-values of every pair of systems."""

    name = "pairwise-p"
    gives = ("pairwise-p",)
    asks = "Which systems are told apart, and where may the difference be chance?"
    formula = "p of the test named, on the systems' means by sentence"
    source = "Fisher 1935; Wilcoxon 1945; Holm 1979; WMT direct assessment, WMT 2023 and 2024"
    place = 50

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The p-values of every question."""
        chosen = choices(settings)
        found = told_apart(evaluation, chosen)
        estimates = [e for one in found for e in _estimates(one)]
        yield self.result(
            evaluation,
            settings,
            estimates or nothing_compared(evaluation),
            method=told(first_words(found), corrected(chosen), chosen.direction),
            headline=_headline(found, chosen),
            draw=lambda: _draw(estimates),
            **chosen.tested(),
            **chosen.told(),
        )


def corrected(settings: SystemSettings) -> str:
    """How p-values were corrected, in words."""
    names = {"holm": "corrected by Holm's method", "bh": "corrected by Benjamini and Hochberg's"}
    return names.get(settings.corrected, "not corrected for many tests")


def _estimates(one: Told) -> Iterator[Estimate]:
    p, n = one.chances.p, one.chances.n
    for a, b in pairs_of(one.scores):
        there = not np.isnan(p[a, b])
        yield Estimate(
            value=float(p[a, b]) if there else None,
            n=int(n[a, b]),
            by={**one.by, "system_a": one.systems[a], "system_b": one.systems[b]},
            tags=one.tags,
            reason="" if there else one.chances.reason,
        )


def _headline(found: list[Told], settings: SystemSettings) -> str:
    if not found:
        return ""
    apart = sum(int((_smaller(one.chances.p) < one.level).sum()) for one in found)
    pairs = sum(len(one.systems) * (len(one.systems) - 1) // 2 for one in found)
    if not pairs:
        return ""
    level = f"p < {1 - settings.confidence:.2g}, {corrected(settings)}"
    more = "" if apart else " A plan says how many sentences would do."
    return f"{apart} of {pairs} pairs of systems are told apart ({level}).{more}"


def _smaller(
    p: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The smaller of the two sides' p of each pair."""
    upper = np.triu_indices(len(p), 1)
    return np.asarray(np.fmin(p[upper], p.T[upper]))


def _draw(estimates: list[Estimate]) -> Figure:
    first = estimates[0].by.get("question") if estimates else ""
    shown = [e for e in estimates if e.by.get("question") == first]
    shown = [e for e in shown if e.tags == shown[0].tags]
    return figures.heat(
        "p-values of pairs of systems",
        figures.rows(shown),
        x=figures.axis("system_b", "against", "nominal"),
        y=figures.axis("system_a", "system", "nominal"),
        colour=figures.axis("value", "p", scale={"domain": [0, 1], "reverse": True}),
    )
