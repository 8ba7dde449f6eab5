"""How often each system is better than another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import choices
from jurat.stats.systems.comparisons import comparisons
from jurat.stats.systems.shares import win_shares
from jurat.stats.systems.wording import best_first, first_words, leader, nothing_compared


class SystemWins(Statistic[Settings]):
    """Expected wins and the win matrix."""

    name = "system-wins"
    gives = ("system-wins", "pairwise-wins")
    asks = "How often is each system better than another one?"
    formula = "mean over the other systems b of wins(a, b) / (wins(a, b) + wins(b, a))"
    source = "expected wins: Koehn 2012; WMT 2013–2016 (Bojar et al.)"
    place = 40

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Expected wins of every question, then the share of each pair."""
        chosen = choices(settings)
        found = [win_shares(c, chosen) for c in comparisons(evaluation, chosen)]
        wins = [e for f in found for e in best_first(f.systems())]
        pairs = [e for f in found for e in f.pairs()]
        how: dict[str, Any] = {"tied": chosen.tied, **chosen.told()}
        yield self.result(
            evaluation,
            settings,
            wins or nothing_compared(evaluation),
            method=told(self.formula, first_words(found), chosen.direction),
            headline=leader(wins, "wins most often against another system,", share=True),
            draw=lambda: figures.points_with_intervals(
                "Expected wins", wins, over="system", value="share of wins", facet="question"
            ),
            **how,
        )
        yield self.result(
            evaluation,
            settings,
            pairs or nothing_compared(evaluation),
            name="pairwise-wins",
            method=told(
                "share of comparisons in which a is better than b",
                first_words(found),
                chosen.direction,
            ),
            headline=_most_one_sided(pairs),
            draw=lambda: _draw(pairs),
            **how,
        )


def _most_one_sided(pairs: list[Estimate]) -> str:
    there = [e for e in pairs if e.value is not None]
    if not there:
        return ""
    top = max(there, key=lambda e: (e.value or 0, e.n))
    a, b = top.by["system_a"], top.by["system_b"]
    return (
        f"The clearest pair: {a} is better than {b} in {100 * (top.value or 0):.1f} % of {top.n:,}."
    )


def _draw(pairs: list[Estimate]) -> Figure:
    first = {tuple(e.tags.items()) + tuple(e.by.items())[:1] for e in pairs[:1]}
    shown = [e for e in pairs if tuple(e.tags.items()) + tuple(e.by.items())[:1] in first]
    return figures.heat(
        "Share of comparisons that the row's system wins",
        figures.rows(shown),
        x=figures.axis("system_b", "against", "nominal"),
        y=figures.axis("system_a", "system", "nominal"),
        colour=figures.axis("value", "share of wins", scale={"domain": [0, 1]}),
    )
