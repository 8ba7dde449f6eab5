"""How often each system is better than another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.pairwise import better_first, both_orders, matrix
from jurat.stats.ratings import Array
from jurat.stats.settings import Settings, SystemSettings
from jurat.stats.systems.system_statistic import (
    Display,
    SystemStatistic,
    best_first,
    first_split,
    leader_headline,
    method_of_first,
)
from jurat.stats.systems.win_counts import (
    WinCounts,
    win_counts,
    wins_with_half_ties,
    wins_without_ties,
)


class SystemWins(SystemStatistic):
    """Expected wins and the win matrix."""

    name = "system-wins"
    gives = ("system-wins", "pairwise-wins")
    asks = "How often is each system better than another one?"
    formula = "mean over the other systems b of wins(a, b) / (wins(a, b) + wins(b, a))"
    source = "expected wins: Koehn 2012; WMT 2013–2016 (Bojar et al.)"
    order = 40
    shown = (
        Display(
            "Expected wins", "share of wins", "wins most often against another system,", share=True
        ),
    )

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Expected wins of every question, then the share of each pair."""
        chosen = SystemSettings.of(settings)
        found = [win_rates(counts, chosen) for counts in win_counts(evaluation, chosen)]
        wins = [e for one in found for e in best_first(one.expected())]
        pairs = [e for one in found for e in one.pairs()]
        give = partial(self.system_result, evaluation, chosen, tied=chosen.tied)
        how = method_line(method_of_first(found), chosen.direction)
        caution = next((one.counts.caution for one in found if one.counts.caution), "")
        leader = leader_headline(wins, self.shown[0])
        yield give(
            wins,
            method=method_line(self.formula, how),
            headline=" ".join(filter(None, (leader, caution))),
        )
        yield give(
            pairs,
            name="pairwise-wins",
            method=method_line("share of comparisons in which a is better than b", how),
            headline=_most_one_sided(pairs),
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Points of the systems, or a matrix of the pairs of the first question."""
        if name == "system-wins":
            return super().figure_of(name, estimates)
        title = "Share of comparisons that the row's system wins"
        return matrix(title, first_split(estimates), "share of wins", domain=[0, 1])


@dataclass(frozen=True, kw_only=True)
class WinRates:
    """Expected wins and the win matrix."""

    counts: WinCounts
    made: Estimates
    half: bool

    @property
    def method(self) -> str:
        """How they were computed."""
        ties = "a tie is half a win for both" if self.half else "ties left out"
        drawn = self.counts.units.method(self.made)
        return method_line(f"{self.counts.words}; {ties}; n counts comparisons", drawn)

    @property
    def values(self) -> Array:
        """The expected wins of each system."""
        return self.made.values[: len(self.counts.systems)]

    def expected(self) -> Iterator[Estimate]:
        """Expected wins of each system."""
        counts = self.counts
        decided = (counts.wins + counts.wins.T).sum(axis=1)
        n = decided + (counts.ties.sum(axis=1) if self.half else 0)
        reason = "no comparison of the system was decided"
        return counts.estimates(self.made, n.astype(np.int64), reason)

    def pairs(self) -> Iterator[Estimate]:
        """The share of comparisons that the first of two systems wins."""
        counts, size = self.counts, len(self.counts.systems)
        numbers = counts.wins + counts.wins.T + (counts.ties if self.half else 0)
        for a, b in both_orders(better_first(self.values)):
            tied = counts.ties[a, b] > 0
            yield self.made.estimate(
                # after the expected wins comes the win matrix, row by row
                size + a * size + b,
                n=int(numbers[a, b]),
                by=counts.pair_keys(a, b),
                tags=counts.tags,
                reason="they tied every time" if tied else "they were never compared",
            )


def win_rates(counts: WinCounts, settings: SystemSettings) -> WinRates:
    """The shares of wins of some comparisons; made once."""
    return counts.once(_win_rates, settings)


def _win_rates(counts: WinCounts, settings: SystemSettings) -> WinRates:
    half = settings.tied == "half"
    score = partial(_rates_of_totals, systems=len(counts.systems), half=half)
    made = counts.units.intervals(counts.rows, score, settings, share=True)
    return WinRates(counts=counts, made=made, half=half)


def _rates_of_totals(totals: Array, *, systems: int, half: bool) -> Array:
    """Expected wins, then the win matrix row by row."""
    shares = win_matrix((wins_with_half_ties if half else wins_without_ties)(totals, systems))
    return np.hstack([expected_wins(shares), shares.reshape(len(totals), -1)])


def win_matrix(wins: Array) -> Array:
    """wins(a, b) / (wins(a, b) + wins(b, a)) of wins (… × S × S), NaN where there are none."""
    with np.errstate(invalid="ignore"):
        return np.asarray(wins / (wins + wins.swapaxes(-1, -2)))


def expected_wins(shares: Array) -> Array:
    """The mean share over the other systems that one met: WMT's expected wins."""
    there = ~np.isnan(shares)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(there, shares, 0).sum(axis=-1) / there.sum(axis=-1))


def _most_one_sided(pairs: list[Estimate]) -> str:
    there = [e for e in pairs if e.value is not None]
    if not there:
        return ""
    # of equal shares the one with more comparisons behind it is the clearer
    top = max(there, key=lambda e: (e.value or 0, e.n))
    a, b, share = top.by["system_a"], top.by["system_b"], 100 * (top.value or 0)
    return f"The clearest pair: {a} is better than {b} in {share:.1f} % of {top.n:,}."
