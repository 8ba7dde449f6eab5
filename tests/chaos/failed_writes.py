"""The n-th write of a process fails, as SQLite tests itself: what was acknowledged is stored.

Faults are injected by strace, so that the store, its libraries and the kernel's answers are real.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

from tests import ROOT
from tests.machine import Missing

Call = Literal["pwrite64", "fdatasync"]
ERRORS: dict[Call, tuple[str, ...]] = {
    "pwrite64": ("EIO", "ENOSPC"),
    "fdatasync": ("EIO",),
}
"""System calls by which SQLite writes, and how each may fail."""
ACKNOWLEDGED = re.compile(r'write\(1<[^>]*>, "([^" ]+ \d+)\\n"')
SYNCED = re.compile(r"(?:fdatasync|fsync)\(\d+<[^>]*-wal>\) = 0|fdatasync resumed>\) *= 0")


def find() -> str:
    """The program strace; raises Missing if there is none."""
    if found := shutil.which("strace"):
        return found
    raise Missing("no strace, so that no write can be made to fail: install the package 'strace'")


def run_failing(url: str, pins: list[str], call: Call, number: int, error: str) -> list[str]:
    """Let judges work in a process of which one call fails; the decisions that it acknowledged."""
    failing = f"inject={call}:error={error}:when={number}"
    # only a call that is traced can be made to fail
    rule = ("-o", os.devnull, "-e", f"trace={call}", "-e", failing)
    done = _traced(rule, url, pins)
    return [line for line in done.stdout.splitlines() if line]


def unsynced(url: str, pins: list[str], folder: Path) -> tuple[list[str], int]:
    """Decisions that one judge was told are stored before the disk had said so, and of how many.

    With several judges a sync may be for all of them; `pins` is therefore one.
    """
    trace = folder / "trace"
    rule = ("-y", "-s", "200", "-o", str(trace), "-e", "trace=write,fdatasync,fsync")
    _traced(rule, url, pins)
    early, synced, told = [], False, 0
    for line in trace.read_text(errors="replace").splitlines():
        if SYNCED.search(line):
            synced = True
        elif found := ACKNOWLEDGED.search(line):
            told += 1
            if not synced:
                early.append(found[1])
            synced = False
    return early, told


def _traced(rule: tuple[str, ...], url: str, pins: list[str]) -> subprocess.CompletedProcess[str]:
    worker = (sys.executable, "-m", "tests.store.worker", url, *pins)
    return subprocess.run(
        [find(), "-f", "-qq", *rule, *worker],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
