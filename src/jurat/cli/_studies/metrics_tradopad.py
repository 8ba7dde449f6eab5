"""Fomicheva & Specia 2016, table 2: BLEU of the system against each of the four references."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer, command

DATASET = "tradopad"
REFERENCES = ("ref1", "ref2", "ref3", "ref4")


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The numbers by the ids of their golden rows."""
    texts = data / "segments.tsv"
    references = ("--reference", f"{texts}:{','.join(REFERENCES)}", "--each-reference")
    found = command("score", "--metric", "bleu:lowercase=true", *references, f"{texts}:mt")
    for name in REFERENCES:
        yield f"T2-BLEU-{name}", found.value("metric-score", reference=name) / 100
