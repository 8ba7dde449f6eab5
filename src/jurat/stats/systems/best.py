"""How often each system is the best one on a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array
from jurat.stats.spread import Spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import SystemSettings, choices
from jurat.stats.systems.places import Places, placed
from jurat.stats.systems.wording import best_first, leader, nothing_compared

TIES = {
    "share": "of k that tie each counts 1/k",
    "all": "all that tie count",
    "first": "of those that tie the first by name counts",
    "none": "none that tie counts",
}


class SystemBest(Statistic[Settings]):
    """HEval's sentence-level ranking: shares and numbers of highest ranks."""

    name = "system-best"
    gives = ("system-best", "system-best-count")
    asks = "How often is each system the best one on a sentence?"
    formula = "share of the sentences (of each judge) with the system on which it is best"
    source = "Joshi et al. 2013 (HEval), Tables 16 and 17; --only for engines of limited corpora"
    place = 35

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Shares of every question, then the same as numbers."""
        chosen = choices(settings)
        shares: list[Estimate] = []
        counts: list[Estimate] = []
        how = ""
        for places in placed(evaluation, chosen):
            made = best_shares(places, chosen)
            how = how or told(places.words, TIES[chosen.ties], places.drawing.method(made))
            estimates = best_first(_estimates(places, made))
            shares += estimates
            counts += [_counted(e) for e in estimates]
        for name, given in zip(self.gives, (shares, counts), strict=True):
            share = name == self.gives[0]
            yield self.result(
                evaluation,
                settings,
                given or nothing_compared(evaluation),
                name=name,
                method=told(self._words(share), how, chosen.direction),
                headline=_headline(given, share=share),
                draw=partial(_draw, name, given),
                ties=chosen.ties,
                **chosen.told(),
            )

    def _words(self, share: bool) -> str:
        words = self.formula if share else "number of sentences (of each judge) on which it is best"
        return f"{words}; n counts sentences (of each judge) on which it was compared"


def best_shares(places: Places, settings: SystemSettings) -> Spread:
    """The share of sittings with each system in which it is best, with intervals."""
    there = (~np.isnan(places.ranks)).astype(np.float64)
    rows = places.drawing.added(np.hstack([places.credit(settings.ties), there]))
    return places.drawing.spread(rows, _share, settings)


def _share(totals: Array) -> Array:
    best, there = np.split(totals, 2, axis=1)
    return np.asarray(best / there)


def _estimates(places: Places, made: Spread) -> Iterator[Estimate]:
    number = (~np.isnan(places.ranks)).sum(axis=0)
    for at, system in enumerate(places.systems):
        yield made.estimate(
            at,
            n=int(number[at]),
            by={**places.by, "system": system},
            tags=places.tags,
            reason="the system was never compared with another on a sentence",
        )


def _counted(e: Estimate) -> Estimate:
    value, low, high = (None if x is None else x * e.n for x in (e.value, e.low, e.high))
    return e._replace(value=value, low=low, high=high)


def _headline(estimates: list[Estimate], *, share: bool) -> str:
    often = "is best on a sentence most often," if share else "is best on the most sentences,"
    return leader(estimates, often, share=share)


def _draw(name: str, estimates: list[Estimate]) -> Figure:
    value = "share of sentences" if name == "system-best" else "sentences"
    return figures.points_with_intervals(
        "How often each system is best", estimates, over="system", value=value, facet="question"
    )
