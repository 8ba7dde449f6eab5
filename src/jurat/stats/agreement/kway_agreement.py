"""How often several judges of the same item all give the same answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Key
from jurat.stats.agreement.over_items import OverItems, Part
from jurat.stats.agreement.pictures import coefficients
from jurat.stats.agreement.tallies import Tallies
from jurat.stats.agreement.wording import UNPAIRED, of_what, share
from jurat.stats.ratings import Array

MOST_JUDGES = 10
"""Of more judges than these only all together are of interest."""


class KwayAgreement(OverItems):
    """Two, three and more judges who all say the same."""

    name = "kway-agreement"
    gives = ("kway-agreement",)
    asks = "How often do all judges of an item say the same?"
    formula = (
        "share of the groups of k judgments of an item in which all are equal, "
        "Σ_j C(n_ij, k) / C(n_i, k), averaged over items with k judgments or more"
    )
    source = "TAP-ET, section 5.1"
    place = 15
    counted = "items with k judgments or more"

    def part(self, tallies: Tallies) -> Part:
        """For each k, the items that have so many judgments and their shares of equal groups."""
        sizes = [(tallies.size >= k).astype(np.float64) for k in _groups(tallies)]
        alike = [_alike(tallies, k) for k in _groups(tallies)]
        return Part(
            np.column_stack([*sizes, *alike]),
            lambda t: t[:, len(sizes) :] / t[:, : len(sizes)],
        )

    def keys(self, tallies: Tallies) -> Sequence[Mapping[str, Key]]:
        """Every k of which an item has as many judgments."""
        return [{"k": k} for k in _groups(tallies)]

    def n(self, tallies: Tallies, key: Mapping[str, Key]) -> int:
        """Items with k judgments or more."""
        return int((tallies.size >= int(key["k"])).sum())

    def reason(self, tallies: Tallies, key: Mapping[str, Key]) -> str:
        """Without pairs there is nothing to compare."""
        return UNPAIRED

    def headline(self, estimates: Sequence[Estimate]) -> str:
        """The largest groups, which tell the most."""
        told = [e for e in estimates if e.value is not None]
        if not told:
            return ""
        best = max(told, key=lambda e: int(e.by["k"]))
        who = "Both" if best.by["k"] == 2 else f"All {best.by['k']}"
        return (
            f"{who} judges of an item ({of_what(best)}) say the same "
            f"in {share(best)} of {best.n:,} items."
        )

    def draw(self, estimates: Sequence[Estimate]) -> Figure:
        """A point a k."""
        return coefficients("kway-agreement", estimates, over="k")


def _groups(tallies: Tallies) -> list[int]:
    most = int(tallies.size.max(initial=0))
    few = list(range(2, min(most, MOST_JUDGES) + 1))
    return [*few, most] if most > MOST_JUDGES else few or [2]


def _alike(tallies: Tallies, k: int) -> Array:
    """The share of an item's groups of k judgments that are all equal; 0 for smaller items."""
    size = tallies.size[tallies.item]
    alike = np.ones(len(size))
    for taken in range(k):
        left = np.maximum(tallies.count - taken, 0.0)
        alike *= np.divide(left, size - taken, out=np.zeros(len(size)), where=size > taken)
    return tallies.per_item(np.where(size >= k, alike, 0.0))
