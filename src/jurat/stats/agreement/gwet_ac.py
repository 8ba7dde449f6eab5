"""Gwet's AC1 and AC2: agreement beyond chance that stays sensible when one answer is frequent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Key
from jurat.stats.agreement.over_items import OverItems, Part, corrected, estimated, form_of
from jurat.stats.agreement.pictures import coefficients
from jurat.stats.agreement.tallies import Tallies
from jurat.stats.agreement.weighting import WEIGHTS, weightings
from jurat.stats.agreement.wording import WORDS, strength, undefined
from jurat.stats.ratings import Array, Ratings


class GwetAC(OverItems):
    """AC1 without weights, AC2 with linear, quadratic or ordinal ones."""

    name = "gwet-ac"
    gives = ("gwet-ac",)
    asks = "Do judges agree beyond chance, even if nearly all answers are the same?"
    formula = (
        "(Po − Pe) / (1 − Pe); Po = mean weighted agreement of an item's pairs, "
        "Pe = Σw / q(q − 1) · Σ π_j(1 − π_j), π_j = mean over items of the share of answer j, "
        "q = answers that occur"
    )
    source = "Gwet 2008, 2014"
    place = 40

    def part(self, tallies: Tallies) -> Part:
        """Weighted agreement an item, and the answers' mean shares."""
        weights = weightings(tallies)
        agreements = [weighting.agreement for weighting in weights.values()]
        form = form_of(tallies, 1 / np.maximum(tallies.size, 1))
        q = tallies.points
        ratio = np.array([w.total / (q * (q - 1)) if q > 1 else np.nan for w in weights.values()])

        def score(totals: Array) -> Array:
            observed = totals[:, 1 : 1 + len(ratio)] / totals[:, :1]
            expected = (1 - form.of(totals[:, 1 + len(ratio) :]))[:, None] * ratio
            return complete(corrected(observed, expected))

        return Part(np.column_stack([tallies.paired, *agreements, form.columns]), score)

    def keys(self, tallies: Tallies) -> Sequence[Mapping[str, Key]]:
        """Every kind of weights."""
        return [{"weights": name} for name in WEIGHTS]

    def reason(self, tallies: Tallies, key: Mapping[str, Key]) -> str:
        """Words have no weights; with a single answer there is no chance to disagree."""
        return unweighted(tallies, key)

    def headline(self, estimates: Sequence[Estimate]) -> str:
        """AC1 in Landis and Koch's words."""
        plain = [e for e in estimates if e.by["weights"] == "none"]
        return strength("Gwet's AC1, which does not suffer from frequent answers", plain)

    def draw(self, estimates: Sequence[Estimate]) -> Figure:
        """A point for each kind of weights."""
        return coefficients(self.name, estimates, over="weights")


def gwet_ac(ratings: Ratings, *, weights: str = "none") -> float:
    """AC1 (weights `none`) or AC2 of the first answers; NaN where undefined."""
    return float(estimated(GwetAC(), ratings)[WEIGHTS.index(weights)])


def complete(values: Array) -> Array:
    """A column for each kind of weights, empty where the answers have no distances."""
    missing = len(WEIGHTS) - values.shape[1]
    return np.hstack([values, np.full((len(values), missing), np.nan)])


def unweighted(tallies: Tallies, key: Mapping[str, Key]) -> str:
    """Why there is no weighted agreement."""
    if tallies.nominal and key["weights"] != "none":
        return WORDS
    return undefined(tallies, "only one answer occurs")
