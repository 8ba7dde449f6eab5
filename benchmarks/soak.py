"""Memory of a server with many judgments, while judges work and coordinators look at everything.

Run it with `python benchmarks/soak.py` (half an hour, a tenth of it processor time), or `--quick`
to see that it works. A server gives every heavy page and download of a campaign again and again;
judges decide meanwhile, so that no page can be taken from a cache. It ends with status 1 if memory
does not level off: if server and worker process have more in the last quarter than in the second.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from statistics import median
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.dashboard import FULL as DASHBOARD  # noqa: E402
from benchmarks.dashboard import SYSTEMS, Staff, found  # noqa: E402
from benchmarks.machine import children  # noqa: E402
from benchmarks.serve import Judge, Running, client, serving  # noqa: E402
from jurat.store import Store  # noqa: E402

PAGES = (
    "",
    "progress",
    "progress/timeline",
    "results",
    "results/heat-map",
    "results/agreement",
    "results/judges",
    f"system/{SYSTEMS[0]}",
    "judges",
    "judge/p1",
    "segments",
    "adjudication",
    "adjudication?more-than=1",
    "flags",
    "export/judgments/csv",
    "export/judgments/parquet",
    "export/archive",
)
GROWTH = 1.1
"""How much more the last quarter may have than the second one: judgments grow meanwhile, too."""


class Scale(NamedTuple):
    """How much is done."""

    stored: int
    minutes: float
    pause: float
    """Seconds between two pages."""
    judges: int


FULL = Scale(200_000, 30.0, 4.0, 20)
QUICK = Scale(400, 0.1, 0.05, 2)


class Sample(NamedTuple):
    """Megabytes of the processes, by what they are, at a time in minutes."""

    minute: float
    server: float
    worker: float

    @property
    def both(self) -> float:
        """Of server and worker together."""
        return self.server + self.worker


def resident(pid: int) -> float:
    """Megabytes of a process in memory; 0 where it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


def look(port: int, who: Judge, pid: int, scale: Scale) -> Iterator[Sample]:
    """Load one page after the other; what the processes have in memory after each."""
    desk, pages, start = Staff(port, who), cycle(PAGES), monotonic()
    while (minute := (monotonic() - start) / 60) < scale.minutes:
        desk.sees(next(pages))
        yield Sample(minute, resident(pid), sum(map(resident, children(pid))))
        Event().wait(scale.pause)


def judged(server: Running, people: list[Judge], scale: Scale, ended: Event) -> None:
    """Let judges work until it is over, some after the others."""
    while not ended.is_set() and len(people) >= scale.judges:
        some = [people.pop() for _ in range(scale.judges)]
        client(server, some, min(120.0, scale.minutes * 60), reading=10.0)


def report(samples: Sequence[Sample], sizes: Mapping[str, float], scale: Scale) -> bool:
    """Print memory by quarters; whether it has levelled off."""
    quarters = [
        [one for one in samples if n <= 4 * one.minute / scale.minutes < n + 1] for n in range(4)
    ]
    print(f"{scale.stored:,} judgments at the start, {len(samples):,} pages and downloads")
    print("\n| minutes | server, MB | worker, MB | both, MB | most, MB |\n|---|---|---|---|---|")
    middles = []
    for n, some in enumerate(quarters):
        ends = f"{scale.minutes * n / 4:.3g}–{scale.minutes * (n + 1) / 4:.3g}"
        columns = [[s.server for s in some], [s.worker for s in some], [s.both for s in some]]
        cells = " | ".join(f"{median(column):,.0f}" for column in columns)
        print(f"| {ends} | {cells} | {max(columns[2]):,.0f} |")
        middles.append(median(columns[2]))
    print(
        f"\nafter the start {sizes['first']:,.0f} MB, most {max(s.both for s in samples):,.0f} MB"
    )
    return middles[3] <= GROWTH * middles[1]


def main() -> int:
    """Run it; 1 if memory grows to the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--stored", type=int, help="judgments at the start")
    options = parser.parse_args()
    scale = QUICK if options.quick else FULL
    scale = scale._replace(
        minutes=options.minutes or scale.minutes, stored=options.stored or scale.stored
    )
    with tempfile.TemporaryDirectory() as name:
        url = str(Path(name) / "jurat.db")
        rounds = int(scale.minutes / 2) + 2
        kept = DASHBOARD._replace(judges=scale.judges, rounds=rounds)
        with Store.open(url) as store:
            who, _, *people = found(store, scale.stored, kept)
        ended = Event()
        with serving(url, 1) as server:
            port, process = server
            sizes = {"first": resident(process.pid)}
            judging = Thread(target=judged, args=(server, people, scale, ended))
            judging.start()
            try:
                samples = list(look(port, who, process.pid, scale))
            finally:
                ended.set()
                judging.join()
    level = report(samples, sizes, scale)
    print("memory has levelled off" if level else "MEMORY GROWS")
    return int(not level)


if __name__ == "__main__":
    sys.exit(main())
