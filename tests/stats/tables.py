"""Small tables for tests of statistics: rows as tuples, or a CSV as a user would write it."""

from collections.abc import Sequence

from jurat.model import File
from jurat.stats import Evaluation, Ratings
from jurat.tables import Intake, Judgments, read_tables
from jurat.tables.preferences import Preferences


def evaluation(csv: str, **options) -> Evaluation:
    """The judgments of a CSV; lines may be indented, options are the intake's."""
    return Evaluation(judgments=Judgments(_table(csv), Intake(**options)))


def comparison(csv: str, **options) -> Evaluation:
    """The preferences of a CSV."""
    return Evaluation(preferences=Preferences(_table(csv), Intake(**options)))


def ratings(csv: str, **options) -> Ratings:
    """The one question of a CSV."""
    (only,) = evaluation(csv, **options).ratings
    return only


def matrix(rows: Sequence[Sequence[object]]) -> Ratings:
    """A row a judge, a column an item; None where a judge did not judge."""
    lines = [
        f"j{judge},i{item:03},{value}"
        for judge, row in enumerate(rows)
        for item, value in enumerate(row)
        if value is not None
    ]
    return ratings("\n".join(["judge,item,value", *lines]))


def _table(csv: str):
    text = "\n".join(line.strip() for line in csv.strip().splitlines())
    return read_tables([File("table.csv", text.encode())])
