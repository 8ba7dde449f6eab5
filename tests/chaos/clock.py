"""A clock that can be set forward and back, for the processes that are started with it."""

from __future__ import annotations

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


class Clock:
    """The machine's clock, some seconds ahead or behind."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.environment: Mapping[str, str] = {
            "LD_PRELOAD": str(find()),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            # what counts seconds goes on as before: only the time of day jumps
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        self.jump(0)

    def jump(self, seconds: int) -> None:
        """Set the clock so many seconds ahead of the right time, or behind it if negative."""
        waiting = self._file.with_suffix(".new")
        waiting.write_text(f"{seconds:+d}")
        # at once, so that no process reads half of it
        waiting.replace(self._file)
