"""WMT23's metrics against MQM, English–German: segments and systems."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer, command

DATASET = "wmt23_metrics_ende"
METRICS = (
    "BLEU-refA",
    "chrF-refA",
    "f200spBLEU-refA",
    "YiSi-1-refA",
    "COMET-refA",
    "BLEURT-20-refA",
    "BERTscore-refA",
    "MetricX-23-refA",
    "XCOMET-Ensemble-refA",
    "Random-sysname-src",
)


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The numbers by the ids of their golden rows."""
    for level, file in (("segment", "segments"), ("system", "systems")):
        table = data / f"{file}_en-de.tsv"
        found = command(
            *("metaeval", table, table),
            *("--columns", "value=mqm", "--metrics", ",".join(METRICS)),
        )
        for metric in METRICS:
            name = metric.rpartition("-")[0]
            value = found.value("metric-pearson", metric=metric, level=level)
            yield f"en-de-{name}-{level[:3]}", value
