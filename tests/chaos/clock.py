"""A clock that can be set forward and back, for the processes that are started with it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from tests.machine import Missing

PLACES = ("usr/lib/*/faketime/libfaketimeMT.so.1", "usr/lib*/faketime/libfaketimeMT.so.1")


def find() -> Path:
    """The library that changes what a process reads from the clock; raises Missing without it."""
    for place in PLACES:
        for library in Path("/").glob(place):
            return library
    raise Missing("no libfaketime: install the package libfaketime")


KNOWN_FOR = 1
"""Seconds after which a process reads the clock's file again."""


class Clock:
    """The machine's clock, some seconds ahead or behind."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.environment: Mapping[str, str] = {
            "LD_PRELOAD": str(find()),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            # read at every call, it would cost more than all that the server does
            "FAKETIME_CACHE_DURATION": str(KNOWN_FOR),
            # what counts seconds goes on as before: only the time of day jumps
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        self._write(0)

    def jump(self, seconds: int) -> None:
        """Set the clock so many seconds ahead of the right time, or behind it if negative."""
        self._write(seconds)
        time.sleep(1.1 * KNOWN_FOR)

    def _write(self, seconds: int) -> None:
        waiting = self._file.with_suffix(".new")
        waiting.write_text(f"{seconds:+d}")
        # at once, so that no process reads half of it
        waiting.replace(self._file)
