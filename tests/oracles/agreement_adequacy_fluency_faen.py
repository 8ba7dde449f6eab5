"""Three questions at once, 0–100, with gaps."""

from collections.abc import Iterator
from pathlib import Path

from tests.oracles.golden import Answer, command

DATASET = "adequacy_fluency_faen"
QUESTIONS = ("adequacy", "fluency", "believability")


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    found = command("agreement", data / "fa-en.csv", "--questions", ",".join(QUESTIONS))
    for question in QUESTIONS:
        value = found.value("krippendorff-alpha", question=question, scale="interval")
        yield f"fa-en-{question}-alpha", value
