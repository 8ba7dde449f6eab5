"""What a campaign asks, as a table: for another tool, in which the campaign goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
import polars as pl

from jurat.protocols import Protocol
from jurat.protocols.questions import Question, Rating
from jurat.protocols.questions.spans import Spans

SCHEMA = {
    "question": pl.String,
    "errors": pl.Boolean,
    "low": pl.Float64,
    "high": pl.Float64,
    "severities": pl.String,
    "categories": pl.String,
    "marks": pl.String,
}


def question_table(protocols: Iterable[Protocol]) -> pl.DataFrame:
    """A row for each question in which errors are marked (`errors`) or a number is given.

    The kinds of errors are lists in JSON.
    """
    every = [one for own in protocols for one in own.questions.values()]
    rows = {one.id: cells for one in every for cells in _cells(one)}
    return pl.DataFrame(list(rows.values()), schema=SCHEMA, orient="row")


def _cells(question: Question) -> Iterator[tuple[object, ...]]:
    if isinstance(question, Spans):
        kinds = (question.severities, question.categories, question.marks)
        values = (msgspec.json.encode([one.value for one in own]).decode() for own in kinds)
        yield (question.id, True, None, None, *values)
    elif isinstance(question, Rating) and (ends := question.ends):
        yield (question.id, False, *map(float, ends), None, None, None)
