"""Estonian–English direct assessment: correlation of sentence metrics with one reference or two."""

import csv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.oracles.golden import Answer, command
from tests.oracles.golden_scoring import score

DATASET = "multiref_eten"
METRICS = {"BLEU": "bleu", "chrF2": "chrf", "TER": "ter"}
REFERENCES = ("ref1", "ref2", "ref1+ref2")


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    judged = data / "et-en.tsv"
    with TemporaryDirectory() as folder:
        table = Path(folder) / "scores.tsv"
        _write_scores(judged, table)
        found = command("metaeval", judged, table, "--columns", "value=da_z")
    for metric in METRICS:
        for reference in REFERENCES:
            name = f"{metric}-{reference}"
            yield name, found.value("metric-pearson", metric=name, level="segment")


def _write_scores(judged: Path, table: Path) -> None:
    with judged.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    lines = ["segment\treference\tmetric\tvalue"]
    for name, metric in METRICS.items():
        for reference in REFERENCES:
            texts = [[row[one] for one in reference.split("+")] for row in rows]
            lines += [
                f"{row['segment']}\t{reference}\t{name}\t{value!r}"
                for row, value in zip(
                    rows, score(metric, [row["mt"] for row in rows], texts), strict=True
                )
            ]
    table.write_text("\n".join(lines), encoding="utf-8")
