"""WMT14's preferences, Hindi–English: consistency of sentence metrics, and WMT14's τ."""

import csv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.oracles.golden import Answer, command
from tests.oracles.golden_scoring import score

DATASET = "wmt14_hien"
IDS = {"sentBLEU-+1": "bleu-plus-one", "sentBLEU-exp": "bleu", "chrF2-": "chrf"}


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    with TemporaryDirectory() as folder:
        table = Path(folder) / "scores.tsv"
        _write_scores(data / "hi-en.outputs.tsv", table)
        found = command("metaeval", data / "hi-en.preferences.csv", table)
    for name, metric in IDS.items():
        tau = found.value("metric-kendall", metric=metric, level="segment")
        yield f"hi-{name}-tau", tau
        yield f"hi-{name}-consistency", found.value("metric-consistency", metric=metric)


def _write_scores(outputs: Path, table: Path) -> None:
    with outputs.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    systems = [name for name in rows[0] if name.startswith("sys")]
    lines = ["segment\tsystem\tmetric\tvalue"]
    for metric in IDS.values():
        for system in systems:
            scores = score(metric, [r[system] or "" for r in rows], [[r["ref"]] for r in rows])
            lines += [
                f"{row['segment']}\t{system}\t{metric}\t{value!r}"
                for row, value in zip(rows, scores, strict=True)
            ]
    table.write_text("\n".join(lines), encoding="utf-8")
