"""What a user may choose when systems are compared."""

from __future__ import annotations

from typing import Any, Literal

from jurat.errors import unknown_name
from jurat.stats.hypothesis_tests import PERMUTATION, RANK_SUM, SIGNED_RANK, TESTS
from jurat.stats.settings import Settings

# Who is best where several are: 1/k each, each of them, the first by name, or nobody.
Ties = Literal["share", "all", "first", "none"]
# Ranks after a tie: 1, 1, 3 or 1, 1, 2.
Ranks = Literal["minimum", "dense"]
# For many tests; empty: Holm's, and none in WMT's own procedures.
Correction = Literal["", "holm", "bh", "none"]
# Tied comparisons in shares of wins: left out, or half a win for both.
Tied = Literal["skip", "half"]

SEGMENT_MEANS, SEQUENTIAL = "segment-means", "trueskill-sequential"
AVERAGES = ("mean", SEGMENT_MEANS)
RATINGS = ("trueskill", SEQUENTIAL)


class SystemSettings(Settings, frozen=True, kw_only=True):
    """How systems are compared; `method` holds one name or several, with commas between them.

    Raises InputError for a method that is neither an average, a test nor a rating.
    """

    only: tuple[str, ...] = ()
    """The systems to compare; empty for all."""
    ties: Ties = "share"
    ranks: Ranks = "minimum"
    tied: Tied = "skip"
    correction: Correction = ""
    lower_better: bool = False

    def __post_init__(self) -> None:
        for name in self.methods:
            if name not in (allowed := (*AVERAGES, *TESTS, *RATINGS)):
                raise unknown_name("--method", name, allowed)

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that were asked for by name."""
        return tuple(name for part in self.method.split(",") if (name := part.strip()))

    @property
    def average(self) -> str:
        """How a system's judgments become its score."""
        return self._first(AVERAGES)

    @property
    def test(self) -> str:
        """The test of two systems, one of `TESTS`."""
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
        """Which end of the values is the good one, as a headline says it."""
        return "lowest" if self.lower_better else "highest"

    @property
    def direction(self) -> str:
        """Which values are good, as the method says it; nothing where that is the usual end."""
        return "lower is better" if self.lower_better else ""

    def test_options(self) -> dict[str, Any]:
        """The test for options and signatures; only permutations depend on the seed."""
        drawn = {"seed": self.seed} if self.test == PERMUTATION else {}
        return {"test": self.test, "correction": self.corrected, **drawn}

    def common_options(self) -> dict[str, Any]:
        """What every result of systems has in its options and signature."""
        return {"only": "+".join(self.only), "direction": self.direction}

    def _first(self, allowed: tuple[str, ...]) -> str:
        return next((name for name in self.methods if name in allowed), allowed[0])
