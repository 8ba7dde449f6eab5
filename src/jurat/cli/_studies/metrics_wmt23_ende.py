"""WMT 2023, English to German: the shared task's own BLEU and chrF of every segment."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jurat.cli._studies.command_output import Answer, command

DATASET = "wmt23_metrics_ende"
SYSTEMS = ("GPT4-5shot", "ONLINE-B", "NLLB_Greedy")
COLUMNS = {"bleu": "BLEU-refA", "chrf": "chrF-refA"}


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The numbers by the ids of their golden rows."""
    yield "bleu-exact", max(*_segments(data), *_systems(data))


def _segments(data: Path) -> Iterator[float]:
    """How far the segments' scores are from the released ones, which have six decimals."""
    scores = _scores(data, "segment")
    found = {(s["by"]["metric"], s["by"]["system"], s["by"]["segment"]): s for s in scores}
    for row in _rows(data / "segments_en-de.tsv"):
        for metric, column in COLUMNS.items():
            yield abs(
                float(row[column]) - found[metric, row["system"], int(row["segment"])]["value"]
            )


def _systems(data: Path) -> Iterator[float]:
    found = {(s["by"]["metric"], s["by"]["system"]): s for s in _scores(data, "corpus")}
    for row in _rows(data / "systems_en-de.tsv"):
        for metric, column in COLUMNS.items():
            yield abs(float(row[column]) - found[metric, row["system"]]["value"])


def _scores(data: Path, level: str) -> list[dict[str, Any]]:
    texts = data / "texts_en-de.tsv"
    given = ("--reference", f"{texts}:refA", f"{texts}:{','.join(SYSTEMS)}", "--level", level)
    return command("score", "--metric", "bleu,chrf", *given).rows("metric-score")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in rows if row["system"] in SYSTEMS]
