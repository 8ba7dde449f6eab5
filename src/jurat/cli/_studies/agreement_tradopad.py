"""Ma et al.'s kappas of the pairs that saw the same reference, with their intervals."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer, command

DATASET = "tradopad"
KINDS = {"none": "kappa", "quadratic": "wkappa_quadratic"}
ENDS = {"value": "", "low": "_lower95", "high": "_upper95"}


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The numbers by the ids of their golden rows."""
    columns = "judge=judge_id,item=item_position,value=rating"
    printed = command(
        "agreement",
        data / "ratings.csv",
        "--columns",
        columns,
        "--bootstrap",
        10,
        "--method",
        "fleiss-cohen-everitt",
    ).rows("cohen-kappa")
    found = {
        (row["by"]["weights"], frozenset((row["by"]["judge_a"], row["by"]["judge_b"]))): row
        for row in printed
        if "judge_a" in row["by"]
    }
    with (data / "pairwise_kappa_same_ref.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == "same"]
    assert len(rows) == 40
    yield (
        "MA17-same",
        max(
            abs(
                found[weights, frozenset((row["judge1"], row["judge2"]))][mine]
                - float(row[f"{theirs}{end}"])
            )
            for row in rows
            for weights, theirs in KINDS.items()
            for mine, end in ENDS.items()
        ),
    )
