"""Rows of Pearmut's log, each fact once: a document, an answer about a translation, its marks.

A log has millions of cells that repeat: what a document's rows share is kept once and spread over
them only when the tables are made, in Polars and not in Python.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from jurat.formats.long_rows import ITEM_PARTS
from jurat.tables.column_map import joined
from jurat.tables.schema import (
    FILE,
    JUDGMENTS,
    LINE,
    SPANS,
    TEXTS,
    TIME,
    Table,
    cast_column,
    conform,
)

Kind = pl.DataType | type[pl.DataType]

# The hidden columns of the document on the screen, and of what makes an earlier answer void.
SCREEN, _RESET = "\0screen", "\0reset"
VALID, VOID = "valid", "superseded"
COMMENT_QUESTION = "comment"
# Documents whose cells are kept as Python's objects, which take several times the memory.
CHUNK = 1_000

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
TEXT: Mapping[str, Kind] = {"question": pl.String, "text": pl.String}
# What somebody wrote about a whole document.
COMMENT: Mapping[str, Kind] = {"document": pl.String, **TEXT}
# The column of the number of the row above to which a row belongs; of what is judged again.
_OF, _KEY = "\0of", "\0key"


class PearmutRows:
    """The rows of documents, their answers, and the judgments, spans and texts of these.

    An answer begins with the number of its document; a judgment, a span and a text with that of its
    answer, and a comment with that of its document. All are lists of cells one after the other:
    lists have no objects of their own for rows, which Python would have to keep track of.
    """

    def __init__(self) -> None:
        self.judgments: list[object] = []
        self.spans: list[object] = []
        self._documents: list[object] = []
        self._answers: list[object] = []
        self._texts: list[object] = []
        self._comments: list[object] = []
        self._document_count = self._answer_count = 0
        self._settled: dict[str, list[pl.DataFrame]] = {}
        self._documents_before = self._answers_before = 0

    def __bool__(self) -> bool:
        return bool(self.judgments) or JUDGMENTS.name in self._settled

    def add_document(self, cells: Sequence[object]) -> int:
        """Add a document with the cells of `DOCUMENT`; its number."""
        if self._document_count % CHUNK == 0:
            self._settle()
        self._documents += cells
        self._document_count += 1
        return self._document_count - 1

    def add_answer(self, cells: Sequence[object]) -> int:
        """Add an answer with its document's number and the cells of `ANSWER`; its number."""
        self._answers += cells
        self._answer_count += 1
        return self._answer_count - 1

    def add_text(self, answer: int, question: str, text: str) -> None:
        """Add what was written about a translation."""
        self._texts += (answer, question, text)

    def add_comment(self, document: int, name: str | None, question: str, text: str) -> None:
        """Add what was written about a document of that name."""
        self._comments += (document, name, question, text)

    def _settle(self) -> None:
        """Make columns of the cells so far: they take a fraction of the memory."""
        if not self._documents:
            return
        documents = _freed(self._documents, DOCUMENT)
        times = [name for name, kind in JUDGMENTS.schema.items() if kind == TIME]
        documents = documents.with_columns(cast_column(documents[name], TIME) for name in times)
        answers = _freed(self._answers, {_OF: pl.UInt32, **ANSWER})
        item = joined([answers[name] for name in ITEM_PARTS]).alias("item")
        here = answers[_OF] - self._documents_before
        screen = documents.select(pl.struct("campaign", "judge", SCREEN).gather(here)).to_series()
        position = documents["position"].gather(here).alias(_POSITION)
        answers = answers.with_columns(item, screen.alias(_KEY), position)
        # a number for all that is judged again when it is judged again
        answers = answers.with_columns(pl.struct(_KEY, "item").hash().alias(_KEY))
        frames = {"documents": documents.drop(SCREEN), "answers": answers}
        for table, cells, kinds in (
            (JUDGMENTS, self.judgments, JUDGMENT),
            (SPANS, self.spans, SPAN),
            (TEXTS, self._texts, TEXT),
        ):
            if cells:
                frames[table.name] = _freed(cells, {_OF: pl.UInt32, **kinds})
        if self._comments:
            frames["comments"] = _freed(self._comments, {_OF: pl.UInt32, **COMMENT})
        for name, frame in frames.items():
            self._settled.setdefault(name, []).append(frame)
        self._documents_before = self._document_count

    def _taken(self, name: str) -> pl.DataFrame:
        # not one piece of memory: that would need both at one time
        return pl.concat(self._settled.pop(name), rechunk=False)

    def tables(self, resets: Mapping[str, int]) -> dict[str, pl.DataFrame]:
        """The tables of judgments, spans and texts that have rows; it can be called once.

        A row's status is superseded where the judge was reset, or judged again later. `resets` are
        the numbers of the last decisions of judges before they were reset.
        """
        self._settle()
        if JUDGMENTS.name not in self._settled:
            return {}
        documents, answers = self._taken("documents"), self._taken("answers")
        told = {name: self._taken(name) for name in _ANSWERED if name in self._settled}
        given = pl.concat([rows[_OF] for rows in told.values()]).unique()
        status = _statuses(answers, documents, given, resets)
        answers = answers.drop(_KEY, _POSITION).with_columns(status)
        found: dict[str, pl.DataFrame] = {}
        for table in (JUDGMENTS, SPANS):
            if table.name in told:
                rows = told.pop(table.name)
                found[table.name] = _table(table, _spread(rows, answers, documents))
        texts: list[pl.DataFrame] = []
        if TEXTS.name in self._settled:
            texts.append(_spread(self._taken(TEXTS.name), answers, documents))
        if "comments" in self._settled:
            texts.append(_about_documents(self._taken("comments"), answers, documents))
        if texts:
            found[TEXTS.name] = _table(TEXTS, pl.concat(texts, how="diagonal"))
        return found


_ANSWERED, _POSITION, _LAST = (JUDGMENTS.name, SPANS.name), "\0position", "\0last"


def _freed(cells: list[object], schema: Mapping[str, Kind]) -> pl.DataFrame:
    """The cells as a frame; the list is emptied, so that they are not held twice."""
    width = len(schema)
    columns = [
        pl.Series(name, cells[n::width], dtype=kind)
        for n, (name, kind) in enumerate(schema.items())
    ]
    cells.clear()
    return pl.DataFrame(columns)


def _statuses(
    answers: pl.DataFrame, documents: pl.DataFrame, given: pl.Series, resets: Mapping[str, int]
) -> pl.Series:
    """Whether each answer counts, or was reset or given again; `given` are those not left out."""
    told = answers.select(_KEY, _POSITION)
    last = (
        told.select(pl.all().gather(given)).group_by(_KEY).agg(pl.col(_POSITION).max().alias(_LAST))
    )
    void = documents.select(
        pl.col("judge").replace_strict(resets, default=0, return_dtype=pl.Int64)
    )
    told = told.join(last, on=_KEY, how="left", maintain_order="left").with_columns(
        void.to_series().gather(answers[_OF]).alias(_RESET)
    )
    again = (pl.col(_POSITION) < pl.col(_LAST)) | (pl.col(_POSITION) <= pl.col(_RESET))
    status = pl.when(again.fill_null(value=False)).then(pl.lit(VOID)).otherwise(pl.lit(VALID))
    return told.select(status.alias("status")).to_series()


def _spread(rows: pl.DataFrame, answers: pl.DataFrame, documents: pl.DataFrame) -> pl.DataFrame:
    """The rows with the cells of their answers and documents."""
    of = answers.select(pl.all().gather(rows[_OF]))
    shared = documents.select(pl.all().gather(of[_OF]))
    return pl.concat([shared, of.drop(_OF), rows.drop(_OF)], how="horizontal")


def _about_documents(
    comments: pl.DataFrame, answers: pl.DataFrame, documents: pl.DataFrame
) -> pl.DataFrame:
    """The comments with the cells of their documents; void where all answers there are."""
    counts = answers.group_by(_OF).agg((pl.col("status") == VALID).any().alias(VALID))
    told = comments.join(counts, on=_OF, how="left", maintain_order="left")
    status = pl.when(pl.col(VALID).fill_null(value=True)).then(pl.lit(VALID))
    told = told.with_columns(status.otherwise(pl.lit(VOID)).alias("status"), item="document")
    shared = documents.select(pl.all().gather(comments[_OF]))
    return pl.concat([shared, told.drop(_OF, VALID)], how="horizontal")


def _table(table: Table, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows as those of a table, without empty columns."""
    told = [name for name in frame.columns if frame[name].null_count() < frame.height]
    return conform(frame.select(told), table)
