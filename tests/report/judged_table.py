"""A made-up evaluation with judges, systems, documents, times and a group of what was seen."""

import polars as pl

from jurat.stats import Evaluation
from jurat.tables import Intake, Judgments

JUDGES = ("Annabel", "Bertrand", "Cosima", "Zebulon")
SYSTEMS = ("larkspur", "meadowsweet", "nightshade")


def table() -> pl.DataFrame:
    """Every judge scores every system on the same segments, some lower and some higher."""
    rows = [
        {
            "judge": judge,
            "document": f"d{segment // 3}",
            "segment": str(segment),
            "system": system,
            "adequacy": str(1 + (3 * s + j + segment * (s + 1)) % 5 + (s == 0)),
            "seconds": str(10 + (7 * segment + 3 * j + s) % 40),
            "seen": "ref1" if j < 2 else "source",
            "position": str(3 * segment + s + 1),
        }
        for j, judge in enumerate(JUDGES)
        for segment in range(18)
        for s, system in enumerate(SYSTEMS)
    ]
    return pl.DataFrame(rows)


def evaluation() -> Evaluation:
    """The table as the commands read it."""
    return Evaluation(judgments=Judgments(table(), Intake(columns="value=adequacy")))
