"""Sun 2010, Figure 1: the four outputs of the first sentence, four judges and three metrics."""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.oracles.golden import Answer, command

DATASET = "stat_examples"
JUDGES = ("L1", "L2", "L3", "L4")
METRICS = ("BLEU", "GTM", "TER")
ROWS = {
    "GTM": "Spearman L1-GTM (sign-adjusted)",
    "BLEU": "Spearman L1-BLEU",
    "TER": "Spearman L1-TER",
}


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    examples = json.loads((data / "examples.json").read_text(encoding="utf-8"))
    (sheet,) = (example["data"] for example in examples if example["id"] == "sun_figure1_id1")
    names = (*JUDGES, *METRICS)
    lines = [",".join(("segment", "system", *names))]
    lines += [
        ",".join(map(str, (1, at + 1, *(sheet[name][at] for name in names)))) for at in range(4)
    ]
    with TemporaryDirectory() as folder:
        table = Path(folder) / "figure1.csv"
        table.write_text("\n".join(lines))
        judges = ("--judges", ",".join(JUDGES), "--lower-better")
        found = command("metaeval", table, table, *judges)
    for metric, row in ROWS.items():
        value = found.value("metric-spearman", metric=metric, judge="L1")
        yield f"sun_figure1_id1: {row}", value
