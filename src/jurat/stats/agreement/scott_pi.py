"""Scott's pi: agreement beyond chance where all judges are taken to use the scale alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jurat.results import Estimate
from jurat.stats.agreement.over_items import OverItems, Part, corrected, estimated, form_of
from jurat.stats.agreement.tallies import Tallies
from jurat.stats.agreement.wording import strength
from jurat.stats.ratings import Array, Ratings


class ScottPi(OverItems):
    """Scott's pi over all pairs of judgments; with two judges it is what Scott defined."""

    name = "scott-pi"
    gives = ("scott-pi",)
    asks = "Do pairs of judgments agree more than the use of the scale explains?"
    formula = (
        "(Po − Pe) / (1 − Pe); Po = share of equal pairs, Pe = Σ (share of answer j)² "
        "over the judgments of all pairs"
    )
    source = "Scott 1955"
    place = 32

    def part(self, tallies: Tallies) -> Part:
        """Pairs, equal pairs, and the shares of the answers in them."""
        form = form_of(tallies, np.maximum(tallies.size - 1, 0))

        def score(totals: Array) -> Array:
            observed = totals[:, 1] / totals[:, 0]
            return corrected(observed, form.of(totals[:, 2:]))[:, None]

        return Part(np.column_stack([tallies.pairs, tallies.equal, form.columns]), score)

    def headline(self, estimates: Sequence[Estimate]) -> str:
        """In Landis and Koch's words."""
        return strength("Pairs of judgments agree beyond chance", estimates)


def scott_pi(ratings: Ratings) -> float:
    """Scott's pi of the first answers; NaN where undefined."""
    return float(estimated(ScottPi(), ratings)[0])
