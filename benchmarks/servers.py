"""Several servers on one PostgreSQL, each with a part of a core, as if they had their own machines.

Run it with `python benchmarks/servers.py` (a minute; Linux, root), or `--quick` to see that it
works. On the few cores of one machine a second server takes from judges and database what it adds:
so each may use a fixed part of a core (a control group), small enough that cores are left over.
Then the table shows what the database lets further servers add. Judges decide at once.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.serve import QUICK as SERVE  # noqa: E402
from benchmarks.serve import Burst, Judge, Running, client, found, serving  # noqa: E402
from benchmarks.store import addresses  # noqa: E402
from jurat.store import Store  # noqa: E402

GROUPS = Path("/sys/fs/cgroup")
PERIOD = 10_000
"""Microseconds in which a server may use its part of a core, after which it waits."""


class Scale(NamedTuple):
    """How much is measured."""

    servers: tuple[int, ...]
    judges: int
    share: float
    seconds: float
    rounds: int
    segments: int


FULL = Scale((1, 2, 3), 32, 0.15, 3, 5, 4000)
QUICK = Scale((1, 2), 2, 0.5, 0.3, 1, 400)


@contextmanager
def part_of_a_core(number: int, share: float) -> Iterator[Path]:
    """A control group for one server; its processes have to end before it does."""
    first_version = GROUPS / "cpu"
    group = (first_version if first_version.exists() else GROUPS) / f"jurat-bench-{number}"
    group.mkdir(exist_ok=True)
    try:
        quota = round(share * PERIOD)
        if first_version.exists():
            (group / "cpu.cfs_period_us").write_text(str(PERIOD))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (group / "cpu.max").write_text(f"{quota} {PERIOD}")
        yield group
    finally:
        group.rmdir()


def round_of(servers: list[Running], people: list[Judge], scale: Scale) -> tuple[float, float]:
    """Decisions a second of all servers together, and the median of their median waits."""
    with ThreadPoolExecutor(len(servers)) as threads:

        def burst(server: Running, some: list[Judge]) -> Burst:
            return client(server, some, scale.seconds)

        own = [people[n * scale.judges :][: scale.judges] for n in range(len(servers))]
        bursts = list(threads.map(burst, servers, own))
    return sum(one.per_second for one in bursts), median(one.middle for one in bursts)


def measure(scale: Scale, folder: Path, given: str | None) -> None:
    """The table."""
    with ExitStack() as stack:
        (url,) = stack.enter_context(addresses("PostgreSQL", 1, folder, given))
        most = max(scale.servers)
        groups = [stack.enter_context(part_of_a_core(n, scale.share)) for n in range(most)]
        needed = scale.judges * sum(scale.servers) * scale.rounds
        with Store.open(url) as store:
            people = found(store, 0, SERVE._replace(segments=scale.segments), needed)
        servers = [stack.enter_context(serving(url, 1)) for _ in range(most)]
        for server, group in zip(servers, groups, strict=True):
            (group / "cgroup.procs").write_text(str(server.process.pid))
        rounds: dict[int, list[tuple[float, float]]] = {n: [] for n in scale.servers}
        for _ in range(scale.rounds):
            for number, results in rounds.items():
                some = [people.pop() for _ in range(number * scale.judges)]
                results.append(round_of(servers[:number], some, scale))
    part = f"{scale.share:.0%} of a core and {scale.judges} judges for each"
    print(f"| PostgreSQL, {part} | decisions/s | ms | ratio to one |\n|---|---|---|---|")
    one = median(rate for rate, _ in rounds[scale.servers[0]])
    for number, results in rounds.items():
        rate, wait = (median(column) for column in zip(*results, strict=True))
        word = "server" if number == 1 else "servers"
        print(f"| {number} {word} | {rate:,.0f} | {wait:,.0f} | {rate / one:.2f} |")


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--postgres", metavar="URL", help="a server on which databases may be made")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        try:
            measure(QUICK if options.quick else FULL, Path(name), options.postgres)
        except PermissionError as error:
            sys.exit(f"only root can limit processes: {error}")


if __name__ == "__main__":
    main()
