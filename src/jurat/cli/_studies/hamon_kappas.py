"""Hamon et al.'s kappas, from the two parts that they print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer
from jurat.cli._studies.golden import golden_rows
from jurat.stats.kappa import chance_corrected

DATASET = "heval_tables"


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The numbers by the ids of their golden rows."""
    for row in golden_rows(data):
        if row.id.startswith("HAMON-T2"):
            observed, expected = map(float, re.findall(r"=(\.\d+)", row.statistic))
            yield row.id, float(chance_corrected(observed, expected))
