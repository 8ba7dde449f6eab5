"""Whether two judges agree that there is anything at all: zero for both, or for neither."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jurat.results import Estimate, Key
from jurat.stats.agreement.over_items import OverItems, Part
from jurat.stats.agreement.tallies import Tallies
from jurat.stats.agreement.wording import UNPAIRED, WORDS, counted, of_what, share


class PresenceAgreement(OverItems):
    """For counts of errors and penalties: both found some, or both found none."""

    name = "presence-agreement"
    gives = ("presence-agreement",)
    asks = "Do two judges agree whether there is an error at all?"
    formula = "share of pairs of judgments of an item that are both 0 or both not"
    source = "Kocmi et al. 2024 (ESA), error presence"
    place = 80
    counted = "pairs"

    def part(self, tallies: Tallies) -> Part:
        """Pairs of each item, and those that are alike."""
        if self._impossible(tallies):
            return Part(np.empty((tallies.items, 0)), lambda t: np.full((len(t), 1), np.nan))
        none = tallies.per_item(np.where(tallies.places[tallies.code] == 0, tallies.count, 0.0))
        some = tallies.size - none
        alike = (none * (none - 1) + some * (some - 1)) / 2
        return Part(np.column_stack([tallies.pairs, alike]), lambda t: t[:, 1:] / t[:, :1])

    def n(self, tallies: Tallies, key: Mapping[str, Key]) -> int:
        """Pairs of judgments."""
        return int(tallies.pairs.sum())

    def reason(self, tallies: Tallies, key: Mapping[str, Key]) -> str:
        """Words and scales without a zero have no presence."""
        return self._impossible(tallies) or UNPAIRED

    def headline(self, estimates: Sequence[Estimate]) -> str:
        """In percent."""
        told = [e for e in estimates if e.value is not None]
        return "; ".join(
            f"Both judges gave 0 or both gave something else ({of_what(e)}) in {share(e)} "
            f"of {counted(e.n, 'pairs')}."
            for e in told[:1]
        )

    @staticmethod
    def _impossible(tallies: Tallies) -> str:
        if tallies.nominal:
            return WORDS
        return "" if 0.0 in tallies.places else "no answer is 0"
