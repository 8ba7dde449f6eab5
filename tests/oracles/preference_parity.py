"""Läubli, Sennrich and Volk's preferences between machine and human translation."""

from collections.abc import Iterator
from pathlib import Path

from tests.oracles.golden import Answer, Printed, command

DATASET = "preference_parity"
SETS = {
    "fluency-document-E-kappa": ("document", "A", "B2"),
    "fluency-document-I-kappa": ("document", "C", "D"),
    "fluency-sentence-O-kappa": ("sentence", "A", "B1"),
    "fluency-sentence-U-kappa": ("sentence", "C", "D"),
}


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    for kind in ("sentence", "document"):
        # the paper leaves out the sentences that are in the documents, set U
        sets = " or ".join(f"judge == '{judge}'" for judge in ("A", "B1"))
        printed = read(data, f"type == '{kind}'" + (f" and ({sets})" if kind == "sentence" else ""))
        mt, tie, human = (printed.value("preference-count", outcome=o) for o in ("a", "tie", "b"))
        yield f"fluency-{kind}-counts", (mt, tie, human, human, human + mt)
        yield f"fluency-{kind}-sign", printed.value("sign-test")
    for name, (kind, first, second) in SETS.items():
        pair = read(data, f"type == '{kind}' and judge in ['{first}', '{second}']")
        yield name, pair.value("cohen-kappa", judge_a=first, judge_b=second)


def read(data: Path, where: str) -> Printed:
    columns = "system_a='mt',system_b='human',outcome=rating"
    return command("preferences", data / "fluency.csv", "--columns", columns, "--where", where)
