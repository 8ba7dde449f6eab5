"""Hamon et al. 2008: their rules for judges who stand out, on a panel that is made up.

Their judgments are not published. The rules can still be followed by hand: five judges, one of
whom scores everything 2, three 3, and one 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from jurat.cli._studies.command_output import Answer, command
from jurat.cli._studies.golden import Row

SCORES = {"strict": 2, "first": 3, "second": 3, "third": 3, "lenient": 4}
SENTENCES = 4


def made_up() -> Iterator[tuple[Row, Answer]]:
    """Each number by hand, and as Jurat gives it."""
    rows = ["judge,item,value"]
    rows += [f"{judge},{n},{score}" for judge, score in SCORES.items() for n in range(SENTENCES)]
    with TemporaryDirectory() as folder:
        panel = Path(folder) / "panel.csv"
        panel.write_text("\n".join(rows), encoding="utf-8")
        found = command("diagnose", panel)
    strict = {"judge": "strict"}
    yield _row("mean of the strict judge", "2"), found.value("judge-mean", **strict)
    # the mean is 3 and the deviation √(2/4) = 0.707: 2 and 4 lie outside
    outside = [r for r in found.rows("judge-outlier", way="score") if r["value"] == 1]
    yield _row("judges outside mean ± 1 SD (2.29 to 3.71)", "2"), float(len(outside))
    # |2 − 3| three times and |2 − 4| once
    distance = found.value("judge-distance", **strict)
    yield _row("distance of the strict judge from the others", "1.25"), distance
    # distances 1.25, 0.5 three times, 1.25: mean 0.8, deviation √(0.675/4) = 0.411
    far = [r for r in found.rows("judge-outlier", way="distance") if r["value"] == 1]
    yield _row("judges farther than mean + 1 SD (1.21)", "2"), float(len(far))


def _row(statistic: str, by_hand: str) -> Row:
    return Row(
        dataset="made-up panel",
        id=f"made up: {statistic}",
        statistic=statistic,
        published=by_hand,
        recomputed=by_hand,
        tolerance="1e-9",
        kind="by hand",
        source="made-up panel, rules of Hamon et al. 2008",
    )
