"""Consistency of monolingual judges who saw the source, the reference, or both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer, command

DATASET = "eyetracking_mono"
READ = ("--columns", "item=segment+quality,value=score", "--by", "condition")


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The deviation of normalised scores from the mean of the translation, by condition."""
    found = command("diagnose", data / "mono.csv", *READ)
    for condition in ("source", "source+reference", "reference"):
        yield f"sigma-{condition}", found.value("consistency-sd", condition=condition)
