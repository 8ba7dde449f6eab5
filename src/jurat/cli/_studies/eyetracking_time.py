"""Guzmán et al. 2015: time by what is shown and how long it is, and where the eyes rest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer, command

DATASET = "eyetracking_mono"
SHOWN = {
    "source": ("translation", "source"),
    "source+reference": ("translation", "reference", "source"),
    "reference": ("translation", "reference"),
}
LENGTHS = ("long", "mid", "short")


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The numbers by the ids of their golden rows."""
    read = (data / "mono.csv", "--columns", "seconds=focused_seconds,value=score")
    by_condition = command(
        "time", *read, "--by", "condition", "--parts", "t_source,t_reference,t_translation"
    )
    by_length = command("time", *read, "--by", "condition,length")
    for condition, parts in SHOWN.items():
        yield f"time-{condition}", by_condition.value("seconds-mean", condition=condition)
        for length in LENGTHS:
            mean = by_length.value("seconds-mean", condition=condition, length=length)
            yield f"time-{condition}-{length}", mean
        for part in parts:
            share = by_condition.value("seconds-share", condition=condition, part=f"t_{part}")
            yield f"share-{condition}-{part}", share
