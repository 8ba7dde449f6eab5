"""Counts of what was found in each cell, and whether that meets the bar."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from benchmarks.simulations.claims import Kind, Reading

Mark = Literal["", "?", "low", "MISS", "said"]

# What the share found may be, by the kind of claim; intervals of the smallest designs may hold the
# truth a little less often. A planned power is compared by how far it lies from the power found.
BARS: dict[Kind, tuple[float, float]] = {
    "test": (0.03, 0.07),
    "family": (0.03, 0.07),
    "alarm": (0.0, 0.07),
    "detection": (0.8, 1.0),
    "interval": (0.93, 0.97),
    "power": (-0.03, 0.03),
    "range": (0.8, 1.0),
}
SMALLEST = 0.91
NOMINAL: dict[Kind, float] = {
    "test": 0.05,
    "family": 0.05,
    "alarm": 0.05,
    "detection": 1.0,
    "interval": 0.95,
    "power": 0.0,
    "range": 0.8,
}
# How many standard errors a share must lie outside the bar to count as a miss.
CERTAIN = 2.0


class Tally(msgspec.Struct):
    """One claim of one cell: sums over the campaigns in which it was made."""

    kind: Kind
    smallest: bool = False
    made: int = 0
    """Campaigns in which the command gave a number."""
    refused: int = 0
    warned: int = 0
    """Of those made: with a warning in the command's own words."""
    total: float = 0.0
    squares: float = 0.0

    def add(self, reading: Reading) -> None:
        """Count one campaign."""
        if reading.share is None:
            self.refused += 1
            return
        self.made += 1
        self.warned += reading.warned
        self.total += reading.share
        self.squares += reading.share**2

    def join(self, other: Tally) -> None:
        """Count the campaigns of another batch."""
        for name in ("made", "refused", "warned", "total", "squares"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def runs(self) -> int:
        """All campaigns."""
        return self.made + self.refused

    @property
    def found(self) -> float:
        """The share over the campaigns in which the claim was made."""
        return self.total / self.made if self.made else math.nan

    @property
    def error(self) -> float:
        """The standard error of the share: binomial where a campaign makes the claim once."""
        if self.made < 2:
            return math.nan
        variance = max(self.squares - self.total**2 / self.made, 0.0) / (self.made - 1)
        # One more campaign of either kind, or a cell where nothing ever happened would be certain.
        return math.sqrt(variance / self.made + 0.25 / self.made**2)

    @property
    def bar(self) -> tuple[float, float]:
        """The lowest and highest share that is good enough."""
        low, high = BARS[self.kind]
        return (SMALLEST if self.kind == "interval" and self.smallest else low), high

    @property
    def mark(self) -> Mark:
        """Whether the share lies outside the bar; `?` where more campaigns have to tell."""
        low, high = self.bar
        if not self.made or low <= self.found <= high:
            return ""
        outside = max(low - self.found, self.found - high)
        if outside < CERTAIN * self.error:
            return "?"
        if self.cautious:
            return "low"
        return "said" if self.warned * 2 > self.made else "MISS"

    @property
    def cautious(self) -> bool:
        """Whether it errs on the safe side: too few rejections, too wide an interval."""
        low, high = self.bar
        if self.kind == "interval":
            return self.found > high
        return self.kind in ("test", "family") and self.found < low


class Record(msgspec.Struct):
    """One cell: its design, how many batches of campaigns it has, and the tallies by claim."""

    section: str
    columns: dict[str, object]
    code: str
    """A fingerprint of the code that was measured."""
    commit: str = ""
    """At which the first batch was run; empty outside a repository."""
    batches: int = 0
    seconds: float = 0.0
    claims: dict[str, Tally] = {}

    def join(self, batch: Record) -> None:
        """Add a further batch."""
        self.batches += batch.batches
        self.seconds += batch.seconds
        for name, tally in batch.claims.items():
            if name in self.claims:
                self.claims[name].join(tally)
            else:
                self.claims[name] = tally

    @property
    def undecided(self) -> bool:
        """Whether more campaigns would tell something.

        Of thousands of claims some lie outside the bar by chance: a miss has to be confirmed.
        """
        return any(tally.mark in ("?", "MISS") for tally in self.claims.values())


def count(readings: Iterable[Reading], claims: dict[str, Tally], *, smallest: bool) -> None:
    """Add the claims of one campaign."""
    for reading in readings:
        tally = claims.setdefault(reading.claim, Tally(kind=reading.kind, smallest=smallest))
        tally.add(reading)


def load(path: Path) -> dict[str, Record]:
    """The cells of earlier runs by name."""
    if not path.exists():
        return {}
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Record])


def save(path: Path, records: dict[str, Record]) -> None:
    """Write all cells, a line each and whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    encode = msgspec.json.encode
    lines = [encode(name) + b": " + encode(record) for name, record in sorted(records.items())]
    partial.write_bytes(b"{\n" + b",\n".join(lines) + b"\n}\n")
    partial.replace(path)
