"""Attention checks of WMT22's direct assessment: degraded copies beside what systems wrote."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer, command

DATASET = "wmt22_da_lven"


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The mean of degraded items, and of systems' own."""
    found = command(
        "diagnose",
        data / "lv-en.csv",
        "--columns",
        "value=raw",
        "--where",
        "type in ('SYSTEM', 'BAD_REF')",
        "--controls",
        "type == 'BAD_REF'",
    )
    means = (found.value("control-mean", kind=kind) for kind in ("controls", "others"))
    yield "badref-mean", (next(means), next(means))
