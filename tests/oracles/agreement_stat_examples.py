"""Worked examples of the coefficients of agreement, each run as a file of judgments."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from jurat.stats.kappa import table_kappa
from tests.oracles.golden import Answer, Printed, command

DATASET = "stat_examples"


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    examples = {e["id"]: e["data"] for e in json.loads((data / "examples.json").read_text())}
    alpha = _run(_by_judge(examples["krippendorff_4x12"]["matrix"]))
    for scale in ("nominal", "ordinal", "interval", "ratio"):
        value = alpha.value("krippendorff-alpha", scale=scale)
        yield f"krippendorff_4x12: alpha {scale}", value
    cohen = examples["cohen_1968"]
    plain = _run(_by_cell(cohen["table"])).value("cohen-kappa", weights="none", pairs="all")
    yield "cohen_1968: kappa unweighted", plain
    weights = np.array(cohen["disagreement_weights"], dtype=float)
    yield "cohen_1968: kappa weighted", table_kappa(np.array(cohen["table"]), weights)
    fleiss = _run(_by_judge(zip(*examples["fleiss_1971"]["matrix"], strict=True)))
    yield "fleiss_1971: Fleiss kappa", fleiss.value("fleiss-kappa")
    yield "fleiss_1971: Fleiss kappa (R irr)", fleiss.value("fleiss-kappa")
    gwet = _run(_by_cell(examples["gwet_cont3x3"]["table"]))
    yield "gwet_cont3x3: Cohen kappa", gwet.value("cohen-kappa", weights="none", pairs="all")
    yield "gwet_cont3x3: Scott pi", gwet.value("scott-pi")
    yield "gwet_cont3x3: Gwet AC1", gwet.value("gwet-ac", weights="none")
    yield "gwet_cont3x3: Brennan-Prediger", gwet.value("brennan-prediger", weights="none")
    quadratic = gwet.value("cohen-kappa", weights="quadratic", pairs="all")
    yield "gwet_cont3x3: Cohen kappa quadratic", quadratic


def _by_judge(matrix) -> list[tuple[str, int, object]]:
    """A row a judge, a column an item."""
    return [
        (f"judge {judge}", item, value)
        for judge, row in enumerate(matrix)
        for item, value in enumerate(row)
        if value is not None
    ]


def _by_cell(table: list[list[int]]) -> list[tuple[str, int, object]]:
    """A contingency table as the judgments that it counts."""
    cells = [
        (a, b) for a, row in enumerate(table, 1) for b, n in enumerate(row, 1) for _ in range(n)
    ]
    return [
        (judge, item, answer)
        for item, pair in enumerate(cells)
        for judge, answer in zip("AB", pair, strict=True)
    ]


def _run(judgments: list[tuple[str, int, object]]) -> Printed:
    lines = ["judge,item,value", *(f"{j},{i},{v}" for j, i, v in judgments)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judgments.csv"
        path.write_text("\n".join(lines), encoding="utf-8")
        return command("agreement", path)
