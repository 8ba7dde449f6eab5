"""WMT16's relative rankings: agreement as WMT published it, and counted cleanly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer, command

DATASET = "wmt16_ranking"
PAIRS = ("tur-eng", "eng-tur", "ron-eng", "deu-eng")
NAMES = {
    "pA": "preference-observed",
    "pE": "preference-expected",
    "kappa": "preference-kappa",
    "agree": "preference-agree",
    "comparable": "preference-pairs",
    "ties": "preference-ties",
    "total": "preference-total",
}
ONLY = ("--statistic", ",".join(NAMES.values()))


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The numbers by the ids of their golden rows."""
    for pair in PAIRS:
        printed = command("preferences", data / f"wmt16.{pair}.csv", *ONLY)
        for scope in ("inter", "intra"):
            for short, name in NAMES.items():
                value = printed.value(name, scope=scope, definition="wmt")
                yield f"wmt16-{pair}-{scope}-{short}", value
        clean = printed.value("preference-kappa", scope="inter", definition="clean")
        yield f"wmt16-{pair}-inter-strict", clean
