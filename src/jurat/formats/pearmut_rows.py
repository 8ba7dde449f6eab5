"""Rows of Pearmut's log, each fact once: a document, an answer about a translation, its marks.

A log has millions of cells that repeat: what a document's rows share is kept once and spread over
them only when the tables are made, in Polars and not in Python.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from jurat.formats.long_rows import ITEM_PARTS
from jurat.tables.column_map import joined
from jurat.tables.schema import FILE, JUDGMENTS, LINE, SPANS, TIME, Table, cast_column, conform

Kind = pl.DataType | type[pl.DataType]

# The hidden column of the document on the screen.
SCREEN = "\0screen"

DOCUMENT: Mapping[str, Kind] = {
    FILE: pl.String,
    LINE: pl.Int64,
    "campaign": pl.String,
    "phase": pl.String,
    "judge": pl.String,
    "position": pl.Int64,
    SCREEN: pl.String,
    "shown_at": pl.Float64,
    "decided_at": pl.Float64,
    "active_seconds": pl.Float64,
}
ANSWER: Mapping[str, Kind] = {
    "document": pl.String,
    "segment": pl.String,
    "system": pl.String,
    "slot": pl.Int64,
    "control": pl.String,
    "expected": pl.Float64,
}
JUDGMENT: Mapping[str, Kind] = {"question": pl.String, "value": pl.Float64}
SPAN: Mapping[str, Kind] = {
    "question": pl.String,
    "start": pl.Int64,
    "end": pl.Int64,
    "category": pl.String,
    "missing": pl.Boolean,
    "severity": pl.String,
}
# The column of the row above to which a row belongs.
_OF = "\0of"


class PearmutRows:
    """The cells of all documents one after the other; those of answers, judgments and spans, too.

    An answer begins with the number of its document, a judgment and a span with that of its answer.
    One list of cells has no objects of its own for rows, which Python would have to keep track of.
    """

    def __init__(self) -> None:
        self.documents: list[object] = []
        self.answers: list[object] = []
        self.judgments: list[object] = []
        self.spans: list[object] = []
        self.document_count = self.answer_count = 0

    def add_document(self, cells: Sequence[object]) -> int:
        """Add a document with the cells of `DOCUMENT`; its number."""
        self.documents += cells
        self.document_count += 1
        return self.document_count - 1

    def add_answer(self, cells: Sequence[object]) -> int:
        """Add an answer with its document's number and the cells of `ANSWER`; its number."""
        self.answers += cells
        self.answer_count += 1
        return self.answer_count - 1

    def tables(self) -> dict[str, pl.DataFrame]:
        """The tables of judgments and spans that have rows.

        It can be called once, since it frees the rows.
        """
        documents = _freed(self.documents, DOCUMENT)
        times = [name for name, kind in JUDGMENTS.schema.items() if kind == TIME]
        documents = documents.with_columns(cast_column(documents[name], TIME) for name in times)
        answers = _freed(self.answers, {_OF: pl.Int64, **ANSWER})
        item = joined([answers[name] for name in ITEM_PARTS]).alias("item")
        answers = answers.with_columns(item)
        found: dict[str, pl.DataFrame] = {}
        for table, rows, own in ((JUDGMENTS, self.judgments, JUDGMENT), (SPANS, self.spans, SPAN)):
            if rows:
                frame = _freed(rows, {_OF: pl.Int64, **own})
                found[table.name] = _spread(table, frame, answers, documents)
        return found


def _freed(cells: list[object], schema: Mapping[str, Kind]) -> pl.DataFrame:
    """The cells as a frame; the list is emptied, so that they are not held twice."""
    width = len(schema)
    columns = [
        pl.Series(name, cells[n::width], dtype=kind)
        for n, (name, kind) in enumerate(schema.items())
    ]
    cells.clear()
    return pl.DataFrame(columns)


def _spread(
    table: Table, rows: pl.DataFrame, answers: pl.DataFrame, documents: pl.DataFrame
) -> pl.DataFrame:
    """The rows with the cells of their answers and documents, without empty columns."""
    of = answers.select(pl.all().gather(rows[_OF]))
    shared = documents.select(pl.all().gather(of[_OF]))
    frame = pl.concat([shared, of.drop(_OF), rows.drop(_OF)], how="horizontal")
    told = [name for name in frame.columns if frame[name].null_count() < frame.height]
    return conform(frame.select(told), table)
