"""WMT21's MQM annotations of TED talks, English–German: mean weights of errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer, command
from jurat.cli._studies.golden import golden_rows

DATASET = "mqm_ted_ende"


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """Errors' weights added up by rater and item, then the mean of each system."""
    printed = command(
        "systems",
        data / "errors_ende.tsv",
        *("--sum", "weight", "--columns", "judge=rater,document=doc,segment=seg_id"),
        "--lower-better",
    )
    for row in golden_rows(data):
        yield row.id, printed.value("system-score", system=row.id.removeprefix("ende-"))
