"""Brennan and Prediger's kappa: chance is a blind choice among the points of the scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Key
from jurat.stats.agreement.gwet_ac import complete, unweighted
from jurat.stats.agreement.over_items import OverItems, Part, corrected, estimated
from jurat.stats.agreement.pictures import coefficients
from jurat.stats.agreement.tallies import Tallies
from jurat.stats.agreement.weighting import WEIGHTS, weightings
from jurat.stats.agreement.wording import strength
from jurat.stats.ratings import Array, Ratings


class BrennanPrediger(OverItems):
    """Kappa with the same chance for every answer, with or without weights."""

    name = "brennan-prediger"
    gives = ("brennan-prediger",)
    asks = "Do judges agree more than if they chose blindly?"
    formula = (
        "(Po − Pe) / (1 − Pe); Po = mean weighted agreement of an item's pairs, "
        "Pe = Σw / q², q = answers that occur"
    )
    source = "Brennan & Prediger 1981; Gwet 2014"
    place = 42

    def part(self, tallies: Tallies) -> Part:
        """Weighted agreement an item."""
        weights = weightings(tallies)
        q = tallies.points
        expected = np.array([w.total / q**2 if q > 1 else np.nan for w in weights.values()])

        def score(totals: Array) -> Array:
            return complete(corrected(totals[:, 1:] / totals[:, :1], expected))

        columns = [weighting.agreement for weighting in weights.values()]
        return Part(np.column_stack([tallies.paired, *columns]), score)

    def keys(self, tallies: Tallies) -> Sequence[Mapping[str, Key]]:
        """Every kind of weights."""
        return [{"weights": name} for name in WEIGHTS]

    def reason(self, tallies: Tallies, key: Mapping[str, Key]) -> str:
        """Words have no weights; with a single answer there is no chance to disagree."""
        return unweighted(tallies, key)

    def headline(self, estimates: Sequence[Estimate]) -> str:
        """In Landis and Koch's words."""
        plain = [e for e in estimates if e.by["weights"] == "none"]
        return strength("Judges agree beyond a blind choice", plain)

    def draw(self, estimates: Sequence[Estimate]) -> Figure:
        """A point for each kind of weights."""
        return coefficients(self.name, estimates, over="weights")


def brennan_prediger(ratings: Ratings, *, weights: str = "none") -> float:
    """Brennan and Prediger's kappa of the first answers; NaN where undefined."""
    return float(estimated(BrennanPrediger(), ratings)[WEIGHTS.index(weights)])
