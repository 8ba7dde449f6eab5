"""The machine that measures: how busy its processors are, and with what."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SAMPLE = 3.0
"""Seconds during which other work is measured."""
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid: int) -> float:
    """Seconds of the processor that a process and the processes it started have used."""
    # a program's name stands in parentheses and may itself contain any character
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / TICKS
    return own + sum(map(processor_seconds, children(pid)))


def children(pid: int) -> Iterator[int]:
    """The processes that a process has started."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        yield from map(int, (task / "children").read_text().split())


def busy_seconds() -> float:
    """Seconds that all processors together have worked, up to now."""
    user, nice, system, _, _, *interrupts = Path("/proc/stat").read_text().split()[1:8]
    return sum(map(int, (user, nice, system, *interrupts))) / TICKS


def busy_cores() -> float:
    """How many processors are busy, looked at for some seconds.

    The system's load average would still count work that ended minutes ago.
    """
    began, busy = time.perf_counter(), busy_seconds()
    time.sleep(SAMPLE)
    return (busy_seconds() - busy) / (time.perf_counter() - began)


class Work(NamedTuple):
    """Seconds of the processors."""

    server: float
    judges: float
    """Of the process that counts, in which they all are."""
    rest: float
    """Of the database and of whatever else the machine does."""

    @classmethod
    def so_far(cls, server: int) -> Work:
        """Up to now; `server` is its main process."""
        its, own = processor_seconds(server), time.process_time()
        return cls(its, own, busy_seconds() - its - own)

    def since(self, before: Work, decisions: int) -> Work:
        """What was done since then, in milliseconds for each decision."""
        return Work(*(1000 * (b - a) / decisions for a, b in zip(before, self, strict=True)))
