"""Joshi et al. 2013 (HEval): what follows from its printed tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from jurat.cli._studies.command_output import Answer, command

DATASET = "heval_tables"
ENGINES = ("E1", "E2", "E3", "E4", "E5")
JUDGES = ("Human1", "Human2")
SENTENCES = 1300
BEST, RANK = (842, 804), (849, 885, 959, 967, 1067)
"""Sentences on which both judges had the same best engine (Table 18), or gave an engine the same
rank (Table 19)."""


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The numbers by the ids of their golden rows."""
    yield from _sentence_scores(data / "table13_features.csv")
    yield from _system_scores(data / "table14_documents.csv")
    yield from _agreement()


def _sentence_scores(table: Path) -> Iterator[tuple[str, Answer]]:
    features = ",".join(f"f{n}" for n in range(1, 12))
    found = command("heval", table, "--columns", "system=engine", "--questions", features)
    for engine in ENGINES:
        for judge in JUDGES:
            value = found.value("heval-score", judge=judge, system=engine)
            yield f"T13-{engine}-{judge}", value


def _system_scores(table: Path) -> Iterator[tuple[str, Answer]]:
    """Those of Human2 do not follow from the document scores as they are printed.

    In the five digits of the golden table: of E4, Human1, the mean is 0.352054 and the paper has
    0.352, which is within the tolerance of 0.00005 only so.
    """
    systems = ",".join(ENGINES)
    found = command("heval", table, "--columns", "document=doc", "--systems", systems)
    for judge in JUDGES:
        for engine in ENGINES:
            value = found.value("heval-score", judge=judge, system=engine)
            yield f"T15-{judge}-{engine}", round(value, 5)


def _agreement() -> Iterator[tuple[str, Answer]]:
    """The judgments are not published: these agree as often as the paper says."""
    for count in (*BEST, *RANK):
        with TemporaryDirectory() as folder:
            table = Path(folder) / "scores.csv"
            table.write_text(_judged_alike(count))
            found = command("heval", table)
        name, by = ("best-agreement", {}) if count in BEST else ("rank-agreement", {"system": "A"})
        yield f"T18/19-{count}", 100 * found.value(name, **by)


def _judged_alike(count: int) -> str:
    """Two judges who put the same of two engines first on so many sentences."""
    rows = ["judge,segment,system,value"]
    for sentence in range(SENTENCES):
        second = (0.8, 0.2) if sentence < count else (0.2, 0.8)
        for judge, scores in (("Human1", (0.9, 0.1)), ("Human2", second)):
            for system, score in zip("AB", scores, strict=True):
                rows.append(f"{judge},{sentence},{system},{score}")
    return "\n".join(rows)
