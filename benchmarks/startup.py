"""How long `jurat --help` takes, and `jurat serve` until it has answered its first request.

Run it with `python benchmarks/startup.py`, or `--quick` to see that it works. The server runs over
a store with the sample campaign and is asked for its start page every few milliseconds. Programs
take turns, so that a busy machine slows all of them; the processor's time is shown as well, which
other processes change less than the time on the clock. All are measured with bytecode, which pip
makes for an installed program.

Pearmut, from the package registry, is started without any campaign in the same rounds.
"""

from __future__ import annotations

import argparse
import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.machine import pearmut  # noqa: E402

JURAT = (sys.executable, "-m", "jurat")
# Seconds between two requests, and after which a server is taken to be broken.
PAUSE = 0.003
LONGEST = 60.0
# Jurat in a checkout is compiled by the first start, which this variable would forbid: every start
# would compile it again, and Pearmut, which pip installs, would be compared with a compiler.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


class Run(NamedTuple):
    """What one start of a program took, in seconds."""

    clock: float
    processor: float


def run(*command: str | Path) -> None:
    """Run a program to its end, without its output."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT, env=ENVIRONMENT)


def until_exit(*command: str) -> Run:
    """Measure a program that ends by itself."""
    before, began = os.times(), time.perf_counter()
    run(*command)
    clock, after = time.perf_counter() - began, os.times()
    processor = after.children_user + after.children_system
    return Run(clock, processor - before.children_user - before.children_system)


def until_answer(
    *command: str, folder: Path = ROOT, variables: Mapping[str, str] = ENVIRONMENT
) -> Run:
    """Measure a server, which is stopped as soon as it has answered for its start page."""
    port = free_port()
    began = time.perf_counter()
    server = subprocess.Popen(
        [*command, "--port", str(port)],
        stdout=subprocess.DEVNULL,
        cwd=folder,
        env=variables,
    )
    try:
        while not _answers(port):
            if server.poll() is not None or time.perf_counter() - began > LONGEST:
                raise SystemExit(f"no answer from: {' '.join(command)}")
            time.sleep(PAUSE)
        return Run(time.perf_counter() - began, _processor_time(server.pid))
    finally:
        server.kill()
        server.wait()


def _answers(port: int) -> bool:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST)) as connection:
        try:
            connection.request("GET", "/")
            return connection.getresponse().status < 400
        except OSError:
            return False


def _processor_time(pid: int) -> float:
    """Seconds that the threads of a process have run, which Linux counts in nanoseconds."""
    spent = (task / "schedstat" for task in Path(f"/proc/{pid}/task").iterdir())
    return sum(int(file.read_text().split()[0]) for file in spent) / 1e9


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def programs(folder: Path) -> dict[str, Callable[[], Run]]:
    """What is measured, by its name in the table."""
    store = str(folder / "start.db")
    run(*JURAT, "sample", folder / "sample")
    run(*JURAT, "campaign", "create", folder / "sample" / "campaign.yaml", "--store", store)

    def other() -> Run:
        # a directory for each run, since Pearmut leaves a lock file in its directory when killed
        with tempfile.TemporaryDirectory() as own:
            variables = pearmut.environment(Path(own))
            return until_answer(*pearmut.COMMAND, "run", folder=Path(own), variables=variables)

    return {
        "jurat --help": lambda: until_exit(*JURAT, "--help"),
        "jurat serve": lambda: until_answer(*JURAT, "serve", "--store", store),
        "pearmut run": other,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the medians."""
    parser = argparse.ArgumentParser(description="How soon programs start.")
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--rounds", type=int, default=15)
    chosen = parser.parse_args(arguments)
    pearmut.install()
    with tempfile.TemporaryDirectory() as folder:
        found = programs(Path(folder))
        runs: dict[str, list[Run]] = {name: [] for name in found}
        # the first round compiles bytecode and fills the disk's cache: it does not count
        for turn in range(2 if chosen.quick else chosen.rounds + 1):
            for name, start in found.items():
                measured = start()
                if turn:
                    runs[name].append(measured)
    print(f"{'':16}{'seconds':>8}{'fastest':>9}{'processor':>11}")
    for name, taken in runs.items():
        clocks = [one.clock for one in taken]
        processor = median(one.processor for one in taken)
        print(f"{name:16}{median(clocks):8.3f}{min(clocks):9.3f}{processor:11.3f}")


if __name__ == "__main__":
    main()
