"""Mean scores of the judges of the Farsi-English translations."""

from collections.abc import Iterator
from pathlib import Path

from tests.oracles.golden import Answer, command

DATASET = "adequacy_fluency_faen"
QUESTIONS = ("adequacy", "fluency", "believability")


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The mean of all judgments, and the lowest and highest mean of a judge, for each question."""
    found = command("diagnose", data / "fa-en.csv", "--questions", ",".join(QUESTIONS))
    for question in QUESTIONS:
        overall = found.value("overall-mean", question=question)
        rows = found.rows("judge-mean", question=question)
        low, *_, high = sorted(rows, key=lambda row: row["value"])
        ends = ((row["by"]["judge"], row["value"]) for row in (low, high))
        yield f"fa-en-{question}-means", (overall, *next(ends), *next(ends))
