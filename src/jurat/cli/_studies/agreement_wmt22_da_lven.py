"""Items that were shown again within a task of a hundred."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer, command

DATASET = "wmt22_da_lven"


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The file tells which showing is the repeat and not which was earlier: each is a judge."""
    found = command(
        "agreement",
        data / "lv-en.csv",
        "--columns",
        "judge=type,item=hit+judge+system+segment,value=raw",
        "--where",
        "type in ('SYSTEM', 'REPEAT')",
    )
    yield "repeat-pearson", found.value("pearson-mean")
