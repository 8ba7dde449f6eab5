"""Who stands out among the judges of the WMT22 calibration HITs: Hamon et al.'s rules."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.oracles.golden import Answer, command

DATASET = "wmt22_calibration"
READ = ("--columns", "item=system+docId+itemId,value=score", "--where", "level == 'segment'")
INCOMPLETE = {"eng-ces": ("--exclude", "ces-j09"), "eng-hrv": ()}
"""The golden rows take only judges who judged every item; ces-j09 has 61 of 93."""


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The judges outside one deviation, and the one farthest from the others."""
    for pair, left_out in INCOMPLETE.items():
        found = command("diagnose", data / f"{pair}.csv", *READ, *left_out)
        outliers = [r for r in found.rows("judge-outlier", way="score") if r["value"] == 1]
        assert len({row["n"] for row in found.rows("judge-mean")}) == 1
        yield (
            f"{pair}-strict",
            tuple(sorted(map(_judge, outliers))),
        )
        worst = max(found.rows("judge-distance"), key=lambda row: row["value"])
        yield f"{pair}-meanagr", (_judge(worst), worst["value"])


def _judge(row: dict[str, Any]) -> str:
    return str(row["by"]["judge"])
