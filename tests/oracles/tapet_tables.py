"""TAP-ET's shares from its counts: files with these counts, through the command."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.oracles.golden import Answer, command

DATASET = "heval_tables"


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:  # noqa: ARG001
    with TemporaryDirectory() as folder:
        pairs = Path(folder) / "pairs.csv"
        write(pairs, ("judge", "item", "system_a", "system_b", "outcome"), two_judges())
        agreed = command("preferences", pairs).value("preference-agreement", ties="without")
        yield "TAPET-pref", 100 * (1 - agreed)
        settled, scores = Path(folder) / "settled.csv", Path(folder) / "scores.csv"
        write(settled, ("item", "system_a", "system_b", "outcome"), preferred())
        write(scores, ("item", "system", "value"), adequacy())
        printed = command("preferences", settled, "--judgments", scores)
        yield "TAPET-adeqpref", 100 * (1 - printed.value("order-agreement"))


def two_judges() -> Iterator[tuple[object, ...]]:
    """784 comparisons by two judges, who disagree on 33; and ties, which are removed."""
    for item in range(800):
        other = "b" if item < 33 else "tie" if item >= 784 else "a"
        yield from (("x", item, "A", "B", "a"), ("y", item, "A", "B", other))


def preferred() -> Iterator[tuple[object, ...]]:
    """370 preferences, of which 13 are for the lower system and 13 for neither."""
    for item in range(370):
        yield item, "A", "B", "b" if item < 13 else "tie" if item < 26 else "a"


def adequacy() -> Iterator[tuple[object, ...]]:
    for item in range(370):
        yield from ((item, "A", 6), (item, "B", 5))


def write(path: Path, names: Sequence[str], rows: Iterator[tuple[object, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *rows])
