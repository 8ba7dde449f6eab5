"""The rank of each system among all, and how far it might be another."""

from __future__ import annotations

import math
from collections.abc import Iterator

from jurat.results import Estimate, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.averages import raw_averages
from jurat.stats.systems.choices import choices
from jurat.stats.systems.comparisons import preferences
from jurat.stats.systems.panel import panels
from jurat.stats.systems.shares import win_shares
from jurat.stats.systems.wording import best_first, first_words, leader, nothing_compared


class SystemRank(Statistic[Settings]):
    """Ranks by mean score; of preferences by expected wins."""

    name = "system-rank"
    gives = ("system-rank",)
    asks = "Which system is best, and which ranks are possible?"
    formula = "1 + number of systems with a better score (of preferences: more expected wins)"
    source = "WMT's rank ranges from bootstrap resamples (Bojar et al. 2013)"
    place = 15

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The ranks of every question."""
        chosen = choices(settings)
        of_scores = [raw_averages(panel, chosen) for panel in panels(evaluation, chosen)]
        of_wins = [win_shares(c, chosen) for c in preferences(evaluation, chosen)]
        reason = "the system has no score"
        estimates: list[Estimate] = []
        for made in of_scores:
            estimates += best_first(map(_whole, made.estimates(1, reason)), "lowest")
        for shares in of_wins:
            estimates += best_first(map(_whole, shares.ranks()), "lowest")
        words = first_words(of_scores) or first_words(of_wins)
        yield self.result(
            evaluation,
            settings,
            estimates or nothing_compared(evaluation),
            method=told(self.formula, "equal ones share the better rank", words, chosen.direction),
            headline=leader(estimates, "has rank", best="lowest", whole=True),
            draw=lambda: figures.points_with_intervals(
                "Ranks of systems",
                estimates,
                over="system",
                value="rank",
                facet="question",
                sort="x",
            ),
            average=chosen.average,
            **chosen.told(),
        )


def _whole(e: Estimate) -> Estimate:
    """With an interval of whole ranks."""
    if e.low is None or e.high is None:
        return e
    return e._replace(low=float(math.floor(e.low)), high=float(math.ceil(e.high)))
