"""A study: one design, the analysis as its command runs it, and the claims to check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from benchmarks.simulations.claims import Reading
from benchmarks.simulations.designs import Rng
from jurat.stats import Evaluation
from jurat.tables import Judgments

# Resamples, where a method still needs any; ends of intervals are then good enough to be counted.
RESAMPLES = 400


@dataclass(frozen=True, kw_only=True)
class Study:
    """A cell of the grid: one design, and what a command says of it."""

    folders: ClassVar[tuple[str, ...]]
    """Of `jurat.stats`, whose code the cell measures."""
    section: ClassVar[str]

    def columns(self) -> Mapping[str, object]:
        """What the design is, for the page: a value a column."""
        raise NotImplementedError

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """The claims of one simulated campaign."""
        raise NotImplementedError

    @property
    def smallest(self) -> bool:
        """Whether the design is one of those of which less is asked."""
        return False

    @property
    def name(self) -> str:
        """By which the cell is found again in a later run."""
        told = (f"{key}={value}" for key, value in self.columns().items())
        return f"{self.section}: {', '.join(told)}"


def judged(frame: pl.DataFrame) -> Evaluation:
    """The evaluation that a command makes of a table of judgments."""
    return Evaluation(judgments=Judgments(frame))


def drawn_seed(rng: Rng) -> int:
    """A seed for the settings: permutations of one campaign should not repeat in the next."""
    return int(rng.integers(2**31))
