"""What a user may choose when systems are compared."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from jurat.faults import unknown
from jurat.stats.statistic import Settings

Ties = Literal["share", "all", "first", "none"]
"""Who is best where several are: 1/k each, each of them, the first by name, or nobody."""
Ranks = Literal["minimum", "dense"]
"""Ranks after a tie: 1, 1, 3 or 1, 1, 2."""
Correction = Literal["", "holm", "bh", "none"]
"""For many tests; empty: Holm's, and none in WMT's own procedures."""
Tied = Literal["skip", "half"]
"""Tied comparisons in shares of wins: left out, or half a win for both."""

SEGMENT_MEANS, SEQUENTIAL = "segment-means", "trueskill-sequential"
AVERAGES = ("mean", SEGMENT_MEANS)
RANK_SUM, SIGNED_RANK = "wmt-rank-sum", "wmt-signed-rank"
PERMUTATION = "permutation"
TESTS = (PERMUTATION, "wilcoxon", RANK_SUM, SIGNED_RANK)
RATINGS = ("trueskill", SEQUENTIAL)


class SystemSettings(Settings, frozen=True, kw_only=True):
    """How systems are compared; `method` names one way or several, with commas between them."""

    only: tuple[str, ...] = ()
    ties: Ties = "share"
    ranks: Ranks = "minimum"
    tied: Tied = "skip"
    correction: Correction = ""
    lower_better: bool = False

    def __post_init__(self) -> None:
        for name in self.methods:
            if name not in (allowed := (*AVERAGES, *TESTS, *RATINGS)):
                raise unknown("--method", name, allowed)

    @property
    def methods(self) -> tuple[str, ...]:
        """The named ways that were asked for."""
        return tuple(name for part in self.method.split(",") if (name := part.strip()))

    @property
    def average(self) -> str:
        """How a system's judgments become its score."""
        return self._first(AVERAGES)

    @property
    def test(self) -> str:
        """How two systems are told apart."""
        return self._first(TESTS)

    @property
    def rating(self) -> str:
        """How TrueSkill goes through the comparisons."""
        return self._first(RATINGS)

    @property
    def corrected(self) -> str:
        """The correction for many tests; WMT's procedures had none."""
        return self.correction or ("none" if self.test in (RANK_SUM, SIGNED_RANK) else "holm")

    @property
    def sign(self) -> float:
        """What a value is multiplied by so that higher is better."""
        return -1.0 if self.lower_better else 1.0

    @property
    def best(self) -> str:
        """Which end of the values is the good one."""
        return "lowest" if self.lower_better else "highest"

    @property
    def direction(self) -> str:
        """Which values are good, as the method says it."""
        return "lower is better" if self.lower_better else ""

    def without_intervals(self) -> SystemSettings:
        """The same choices, for values alone."""
        return msgspec.structs.replace(self, bootstrap=0)

    def tested(self) -> dict[str, Any]:
        """How two systems were told apart, for signatures; chance has a part in permutations."""
        drawn = {"seed": self.seed} if self.test == PERMUTATION else {}
        return {"test": self.test, "correction": self.corrected, **drawn}

    def told(self) -> dict[str, Any]:
        """The choices that are not the usual ones, for signatures."""
        return {
            "only": "+".join(self.only),
            "direction": self.direction,
        }

    def _first(self, allowed: tuple[str, ...]) -> str:
        return next((name for name in self.methods if name in allowed), allowed[0])


def choices(settings: Settings) -> SystemSettings:
    """The settings of this folder, also where only the common ones are given."""
    if isinstance(settings, SystemSettings):
        return settings
    return SystemSettings(**msgspec.structs.asdict(settings))
