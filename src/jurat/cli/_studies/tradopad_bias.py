"""Fomicheva & Specia 2016: tables 1 and 2, the example of section 4, figures 2 and 3."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer, command

DATASET = "tradopad"

COLUMNS = "judge=judge_id,item=item_position,position=item_position,value=rating"
WEIGHTS = {"standard": "none", "linear": "linear", "oneoff": "one-off"}
PAIRS = {"diff": "across", "same": "within", "source": "source"}
SLICES = ("0-20", "20-40", "40-60", "60-80", "80-100")
GROUPS = ("ref1", "ref2", "ref3", "ref4", "source")


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The numbers by the ids of their golden rows."""
    given = (data / "ratings.csv", "--group", "condition", "--columns", COLUMNS)
    bias, fatigue = command("bias", *given), command("fatigue", *given)
    for name, weights in WEIGHTS.items():
        for kind, pairs in PAIRS.items():
            kappa = bias.value("cohen-kappa", weights=weights, pairs=pairs)
            yield f"T1-{name}-{kind}", kappa
    for group in GROUPS:
        yield f"T2-mean-{group}", bias.value("group-mean", group=group)
    for group in GROUPS[:4]:
        yield f"EX-{group}", bias.value("segment-mean", item=2, group=group)
    for part in SLICES:
        for kind, pairs in (("same", "within"), ("diff", "across")):
            found = fatigue.value("slice-agreement", slice=part, weights="linear", pairs=pairs)
            yield f"F2-{part}-{kind}", found
        yield f"F3-{part}", fatigue.value("slice-sd", slice=part)
