"""Sun 2010: the share of pairs whose metric scores differ by less than 0.1."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer
from jurat.stats.metaeval.difference_bins import shares

DATASET = "heval_tables"
PAIRS = {
    "GTM": (4, 12, 73, 232, 627, 1484),
    "TER": (4, 11, 52, 127, 278, 659, 1026),
    "BLEU": (18, 7, 28, 35, 58, 137, 201, 261, 364, 776),
}
"""The second Table 2, from the greatest difference to 0.0-0.1."""


def recomputed(_: Path) -> Iterator[tuple[str, Answer]]:
    """The numbers by the ids of their golden rows."""
    for metric, counts in PAIRS.items():
        share = shares(counts)[-1]
        assert share is not None
        yield f"SUN-T2-{metric}", 100 * share
