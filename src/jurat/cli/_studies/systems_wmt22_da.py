"""WMT22's direct assessment, Livonian–English: z-scores, system scores and rank-sum tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from jurat.cli._studies.command_output import Answer, command
from jurat.cli._studies.golden import golden_rows
from jurat.model import File
from jurat.stats import Evaluation
from jurat.stats.systems.z_scores import z_scores
from jurat.tables import Intake, Judgments, read_tables

DATASET = "wmt22_da_lven"
REAL = "type == 'SYSTEM' or type == 'REPEAT'"


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """Standardised by all that a judge answered; scored without references and controls."""
    yield "z-standardise", _largest_difference(data)
    read = (data / "lv-en.csv", "--columns", "value=raw", "--where", REAL)
    by_segment = command("systems", *read, "--method", "segment-means,wmt-rank-sum")
    by_judgment = command("systems", *read)
    for row in golden_rows(data):
        kind, _, rest = row.id.partition("-")
        if kind == "raw":
            yield row.id, by_segment.value("system-score", system=rest)
        if kind == "z" and rest != "standardise":
            yield row.id, by_segment.value("system-z", system=rest)
        if kind == "n":
            counts = (made.rows("system-score", system=rest) for made in (by_segment, by_judgment))
            yield row.id, tuple(float(found[0]["n"]) for found in counts)
        if kind == "wilcoxon":
            pair = _pair(rest, [r["by"]["system"] for r in by_segment.rows("system-score")])
            yield row.id, by_segment.value("pairwise-p", **pair)


def _largest_difference(data: Path) -> float:
    table = read_tables([File("lv-en.csv", (data / "lv-en.csv").read_bytes())])
    evaluation = Evaluation(judgments=Judgments(table, Intake(columns="value=raw")))
    (ratings,) = evaluation.ratings
    published = ratings.frame["z_published"].cast(float).to_numpy()
    return float(np.abs(z_scores(ratings, evaluation.baseline) - published).max())


def _pair(text: str, systems: list[str]) -> dict[str, str]:
    """Names have hyphens too: the one that fits."""
    (first,) = (name for name in systems if text.startswith(f"{name}-"))
    return {"system_a": first, "system_b": text.removeprefix(f"{first}-")}
