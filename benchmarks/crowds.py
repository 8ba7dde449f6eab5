"""A thousand judges and more at once, and what becomes of those for whom there is no capacity.

Run it with `python benchmarks/crowds.py` (some minutes), or `--quick` to see that it works.
Judges read for some seconds before each decision, half of that more or less, or send it as soon
as the step before is there, which no people do. Whoever is told that the server is busy (503)
tries again when it says; the wait of a decision counts from its last attempt. The last decision of
a kit counts until the next kit is there, which is asked for once it is stored: the last column has
the two requests by themselves.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.serve import QUICK as SERVE  # noqa: E402
from benchmarks.serve import Judge, Running, client, found, serving  # noqa: E402
from benchmarks.store import addresses  # noqa: E402
from jurat.store import Store  # noqa: E402


class Crowd(NamedTuple):
    """So many judges, each of whom reads for so many seconds."""

    judges: int
    reading: float

    def __str__(self) -> str:
        pace = f"who read for {self.reading:g} s" if self.reading else "who decide at once"
        return f"{self.judges:,} judges {pace}"


class Scale(NamedTuple):
    """How much is measured."""

    crowds: tuple[Crowd, ...]
    workers: tuple[int, ...]
    seconds: float


FULL = Scale((Crowd(1000, 2), Crowd(1000, 1), Crowd(1000, 0), Crowd(4000, 0)), (1, 2), 10)
QUICK = Scale((Crowd(4, 0.1), Crowd(8, 0)), (1,), 0.3)
SEGMENTS = 4000


def row(crowd: Crowd, server: Running, people: Sequence[Judge], seconds: float) -> str:
    """What a crowd got."""
    burst = client(server, people, seconds, reading=crowd.reading)
    slow = f"{burst.refused_in:,.0f}" if burst.refused else "–"
    values = (burst.per_second, burst.middle, burst.slow, burst.slowest, burst.refused)
    told = " | ".join(f"{value:,.0f}" for value in values)
    return f"| {crowd} | {told} | {slow} | {burst.response:,.0f} |"


def measure(kind: str, scale: Scale, folder: Path, given: str | None) -> None:
    """All figures of one database."""
    with ExitStack() as stack:
        (url,) = stack.enter_context(addresses(kind, 1, folder, given))
        needed = sum(crowd.judges for crowd in scale.crowds) * len(scale.workers)
        with Store.open(url) as store:
            people = found(store, 0, SERVE._replace(segments=SEGMENTS), needed)
        for workers in scale.workers:
            process = "process" if workers == 1 else "processes"
            title = f"{kind}, {workers} {process}"
            heads = "decisions/s | ms | p99 | longest | refused | ms until refused, p99"
            print(f"| {title} | {heads} | one request, p99 |\n|---|---|---|---|---|---|---|---|")
            with serving(url, workers) as server:
                for crowd in scale.crowds:
                    some = [people.pop() for _ in range(crowd.judges)]
                    print(row(crowd, server, some, scale.seconds), flush=True)
            print()


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--only", choices=["SQLite", "PostgreSQL"])
    parser.add_argument("--postgres", metavar="URL", help="a server on which databases may be made")
    options = parser.parse_args()
    scale = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory() as name:
        for kind in ("SQLite", "PostgreSQL"):
            if options.only in (None, kind):
                measure(kind, scale, Path(name), options.postgres)


if __name__ == "__main__":
    main()
