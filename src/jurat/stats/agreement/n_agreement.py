"""The share of pairs of judgments of the same item that differ by at most n points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jurat.results import Estimate, Figure, Key
from jurat.stats.agreement.over_items import OverItems, Part
from jurat.stats.agreement.pictures import within
from jurat.stats.agreement.tallies import ROUNDING, Tallies
from jurat.stats.agreement.wording import UNPAIRED, of_what, share
from jurat.stats.ratings import Ratings
from jurat.stats.words import percent

MOST_STEPS = 10
"""Distances in the table; a scale from 0 to 100 has more, and they say little."""


class NAgreement(OverItems):
    """Hamon et al.'s n-agreement: exact at n = 0, 1-off at n = 1."""

    name = "n-agreement"
    gives = ("n-agreement",)
    asks = "How often do two judges give the same answer, or nearly the same?"
    formula = "share of pairs of judgments of an item with |a − b| ≤ n"
    source = "Hamon et al., section 3.1; TAP-ET, figures 4 and 6"
    place = 10
    counted = "pairs"

    def part(self, tallies: Tallies) -> Part:
        """Pairs of each item, and those within each distance."""
        near = [tallies.within(n) for n in steps(tallies)]
        return Part(np.column_stack([tallies.pairs, *near]), lambda t: t[:, 1:] / t[:, :1])

    def keys(self, tallies: Tallies) -> Sequence[Mapping[str, Key]]:
        """Every n up to the length of the scale."""
        return [{"n": n} for n in steps(tallies)]

    def n(self, tallies: Tallies, key: Mapping[str, Key]) -> int:
        """Pairs of judgments."""
        return int(tallies.pairs.sum())

    def reason(self, tallies: Tallies, key: Mapping[str, Key]) -> str:
        """Without pairs there is nothing to compare."""
        return UNPAIRED

    def headline(self, estimates: Sequence[Estimate]) -> str:
        """Exact agreement, and how far judges are off."""
        told = [e for e in estimates if e.by["n"] in (0, 1) and e.value is not None]
        if not told:
            return "No item was judged by two judges: their agreement cannot be told."
        exact, *more = told
        near = next(
            (e for e in more if e.by == {**exact.by, "n": 1} and e.tags == exact.tags), None
        )
        pairs = f"{share(exact)} of {exact.n:,} pairs"
        off = f", and at most one point apart in {percent(near.value or 0)}" if near else ""
        return f"Two judgments of the same item ({of_what(exact)}) are equal in {pairs}{off}."

    def draw(self, estimates: Sequence[Estimate]) -> Figure:
        """A curve a question or split."""
        return within("Pairs of judgments that differ by at most n", estimates)


def n_agreement(ratings: Ratings, n: float = 0) -> float:
    """The share of pairs of first answers to an item with |a − b| ≤ n; NaN without any pairs."""
    tallies = Tallies.of(ratings.firsts)
    pairs = tallies.pairs.sum()
    return float(tallies.within(n).sum() / pairs) if pairs else float("nan")


def steps(tallies: Tallies) -> list[int]:
    """0, 1, 2… up to the length of the scale; of words only whether they are equal."""
    if tallies.nominal or not tallies.points:
        return [0]
    length = int(np.ceil(np.ptp(tallies.places) - ROUNDING))
    return list(range(min(length, MOST_STEPS) + 1))
