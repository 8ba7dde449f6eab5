"""A system's mean score, and how often it got the top answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jurat.results import Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.averages import raw_averages
from jurat.stats.systems.choices import choices
from jurat.stats.systems.panel import panels
from jurat.stats.systems.wording import best_first, first_words, leader, no_numbers


class SystemScore(Statistic[Settings]):
    """Mean raw scores: by judgment, or as WMT by segment."""

    name = "system-score"
    gives = ("system-score", "system-top")
    asks = "How good is each system?"
    formula = "mean score of a system; share of its judgments that give the best answer"
    source = "Hamon et al., section 3; WMT for segment-means; pigeonhole bootstrap: Owen 2007"
    needs = ("system",)
    place = 10

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Scores and shares of top answers of every question."""
        chosen = choices(settings)
        found = [raw_averages(panel, chosen) for panel in panels(evaluation, chosen)]
        reason = "the system has no number"
        scores = [e for f in found for e in best_first(f.estimates(0, reason), chosen.best)]
        top = [e for f in found for e in best_first(f.estimates(2, reason))]
        how: dict[str, Any] = {"average": chosen.average, **chosen.told()}
        yield self.result(
            evaluation,
            settings,
            scores or no_numbers(evaluation),
            method=told(first_words(found), chosen.direction),
            headline=leader(scores, f"has the {chosen.best} mean score,", best=chosen.best),
            draw=lambda: figures.points_with_intervals(
                "Mean scores of systems", scores, over="system", value="score", facet="question"
            ),
            **how,
        )
        yield self.result(
            evaluation,
            settings,
            top or no_numbers(evaluation),
            name="system-top",
            method=told("share of answers that are the best of the question", first_words(found)),
            headline=leader(top, "has the largest share of top answers,", share=True),
            draw=lambda: figures.points_with_intervals(
                "Share of top answers", top, over="system", value="share", facet="question"
            ),
            **how,
        )
