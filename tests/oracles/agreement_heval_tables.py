"""Hamon et al.'s kappas, from the two parts that they print."""

import re
from collections.abc import Iterator
from pathlib import Path

from jurat.stats.kappa import chance_corrected
from tests.oracles.golden import Answer, golden

DATASET = "heval_tables"


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    for row in golden(data.name):
        if row.id.startswith("HAMON-T2"):
            observed, expected = map(float, re.findall(r"=(\.\d+)", row.statistic))
            yield row.id, float(chance_corrected(observed, expected))
