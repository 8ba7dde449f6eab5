"""The same items under the same protocol twice: by the same judges, and by others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer, Printed, command

DATASET = "esa_wmt23"


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The numbers by the ids of their golden rows."""
    for kind, second in (("intra", "ESA-IAA"), ("inter", "ESA-2")):
        scores = _against(data, second, "score", "kendall-mean,pearson-mean")
        yield f"{kind}-ESA-tauc", scores.value("kendall-mean", form="c")
        yield f"{kind}-ESA-pearson", scores.value("pearson-mean")
        spans = _against(data, second, "n_spans", "presence-agreement")
        yield f"{kind}-ESA-errrecall", 100 * spans.value("presence-agreement")


def _against(data: Path, second: str, value: str, statistics: str) -> Printed:
    """The first run beside another, each run taken for a judge."""
    return command(
        "agreement",
        data / "ESA-1.csv",
        data / f"{second}.csv",
        "--columns",
        f"judge=protocol,item=item+system,value={value}",
        "--items",
        data / "items_743.csv",
        "--where",
        "type == 'TGT'",
        "--statistic",
        statistics,
    )
