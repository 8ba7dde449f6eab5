"""Worked examples of BLEU and TER: sacreBLEU's own, and the one of the paper on TER."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.oracles.golden import Answer, Printed, command

DATASET = "stat_examples"
BLEU = {"BLEU 13a": "13a", "BLEU tokenize none": "none", "BLEU intl": "intl"}


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    examples = {e["id"]: e["data"] for e in json.loads((data / "examples.json").read_text())}
    readme = examples["bleu_sacrebleu_readme"]
    for name, tokens in BLEU.items():
        metric = f"bleu:tokenize={tokens}"
        found = _run(metric, readme["hypotheses"], readme["references"])
        yield f"bleu_sacrebleu_readme: {name}", found.value("metric-score", metric="bleu")
    paper = examples["ter_snover_2006"]
    snover = _run("ter", [paper["hypothesis"]], [[paper["reference"]]])
    yield "ter_snover_2006: TER %", snover.value("metric-score", metric="ter")
    cases = examples["ter_sacrebleu_tests"]["cases"]
    tests = _run("ter", [c["hyp"] for c in cases], [[c["ref"] for c in cases]], "segment")
    for n in range(1, len(cases) + 1):
        percent = tests.value("metric-score", metric="ter", segment=n)
        yield f"ter_sacrebleu_tests: case {n}", percent / 100


def _run(
    metric: str,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    level: str = "corpus",
) -> Printed:
    with tempfile.TemporaryDirectory() as folder:
        system = _written(Path(folder) / "system.txt", hypotheses)
        paths = [_written(Path(folder) / f"ref{n}.txt", r) for n, r in enumerate(references)]
        given = [word for path in paths for word in ("--reference", path)]
        return command("score", "--metric", metric, *given, system, "--level", level)


def _written(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
