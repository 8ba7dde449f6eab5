"""Shares of comparisons won, of every pair of systems and of each system against all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from jurat.results import Estimate
from jurat.stats.ratings import Array
from jurat.stats.spread import Spread, told
from jurat.stats.systems.averages import ranked
from jurat.stats.systems.choices import SystemSettings
from jurat.stats.systems.comparisons import Comparisons, halved, untied


@dataclass(frozen=True, kw_only=True)
class WinShares:
    """Expected wins, ranks by them, and the win matrix."""

    compared: Comparisons
    spread: Spread
    half: bool

    @property
    def method(self) -> str:
        """How they were computed."""
        ties = "a tie is half a win for both" if self.half else "ties left out"
        drawn = self.compared.drawing.method(self.spread)
        return told(f"{self.compared.words}; {ties}; n counts comparisons", drawn)

    def systems(self) -> Iterator[Estimate]:
        """Expected wins of each system."""
        yield from self._each(0)

    def ranks(self) -> Iterator[Estimate]:
        """Ranks by expected wins."""
        yield from self._each(len(self.compared.systems))

    def pairs(self) -> Iterator[Estimate]:
        """The share of comparisons that the first of two systems wins."""
        compared, size = self.compared, len(self.compared.systems)
        numbers = compared.wins + compared.wins.T + (compared.ties if self.half else 0)
        met = compared.ties > 0
        for a, b in pairs_of(self.spread.values[:size]):
            yield self.spread.estimate(
                2 * size + a * size + b,
                n=int(numbers[a, b]),
                by={
                    **compared.by,
                    "system_a": compared.systems[a],
                    "system_b": compared.systems[b],
                },
                tags=compared.tags,
                reason="they tied every time" if met[a, b] else "they were never compared",
            )

    def _each(self, start: int) -> Iterator[Estimate]:
        compared = self.compared
        numbers = (compared.wins + compared.wins.T).sum(axis=1)
        numbers += compared.ties.sum(axis=1) if self.half else 0
        for at, system in enumerate(compared.systems):
            yield self.spread.estimate(
                start + at,
                n=int(numbers[at]),
                by={**compared.by, "system": system},
                tags=compared.tags,
                reason="no comparison of the system was decided",
            )


def pairs_of(scores: Array) -> Iterator[tuple[int, int]]:
    """Every two systems: first all with the better one before the other, then the other way."""
    order = np.argsort(-scores, kind="stable").tolist()
    ahead = [(a, b) for at, a in enumerate(order) for b in order[at + 1 :]]
    yield from ahead
    yield from ((b, a) for a, b in ahead)


def win_shares(compared: Comparisons, settings: SystemSettings) -> WinShares:
    """The shares of wins of some comparisons; made once."""
    key = (win_shares, settings)
    if key not in compared.kept:
        half = settings.tied == "half"
        score = partial(_scored, systems=len(compared.systems), half=half)
        made = compared.drawing.spread(compared.rows, score, settings)
        compared.kept[key] = WinShares(compared=compared, spread=made, half=half)
    found: WinShares = compared.kept[key]
    return found


def _scored(totals: Array, *, systems: int, half: bool) -> Array:
    """Expected wins, their ranks, then the win matrix row by row."""
    shares = matrix((halved if half else untied)(totals, systems))
    wins = expected_wins(shares)
    return np.hstack([wins, ranked(wins), shares.reshape(len(totals), -1)])


def matrix(wins: Array) -> Array:
    """wins(a, b) / (wins(a, b) + wins(b, a)) of win matrices (… × S × S), NaN where none."""
    with np.errstate(invalid="ignore"):
        return np.asarray(wins / (wins + wins.swapaxes(-1, -2)))


def expected_wins(shares: Array) -> Array:
    """The mean share over the other systems that one met: WMT's expected wins."""
    there = ~np.isnan(shares)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(there, shares, 0).sum(axis=-1) / there.sum(axis=-1))
