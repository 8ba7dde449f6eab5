"""Rows of Pearmut's log, each fact once: a document, an answer about a translation, its marks.

A log has millions of cells that repeat: what a document's rows share is kept once, and spread over
them in Polars and not in Python, some documents at a time.
"""

from __future__ import annotations

from collections import defaultdict
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
_COMMENTS = "comments"


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
        self._documents_before = self._answers_before = 0
        # the rows of each table so far, and the number of what each row belongs to
        self._rows: defaultdict[str, list[pl.DataFrame]] = defaultdict(list)
        self._of: defaultdict[str, list[pl.Series]] = defaultdict(list)
        # of documents and answers, what their status depends on
        self._judges: list[pl.DataFrame] = []
        self._keys: list[pl.DataFrame] = []

    def __bool__(self) -> bool:
        return bool(self.judgments) or JUDGMENTS.name in self._rows

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
        """Make rows of the cells so far: columns take a fraction of the memory of objects."""
        if not self._documents:
            return
        documents = _freed(self._documents, DOCUMENT)
        times = [name for name, kind in JUDGMENTS.schema.items() if kind == TIME]
        documents = documents.with_columns(cast_column(documents[name], TIME) for name in times)
        answers = _freed(self._answers, {_OF: pl.UInt32, **ANSWER})
        answers = answers.with_columns(joined([answers[name] for name in ITEM_PARTS]).alias("item"))
        self._keys.append(_keys(answers, documents, self._documents_before))
        self._judges.append(documents.select("judge"))
        documents = documents.drop(SCREEN)
        shared = documents.select(pl.all().gather(answers[_OF] - self._documents_before))
        answers = pl.concat([shared, answers.drop(_OF)], how="horizontal")
        for table, cells, kinds in (
            (JUDGMENTS, self.judgments, JUDGMENT),
            (SPANS, self.spans, SPAN),
            (TEXTS, self._texts, TEXT),
        ):
            self._add(table.name, cells, kinds, answers, self._answers_before)
        self._add(_COMMENTS, self._comments, COMMENT, documents, self._documents_before)
        self._documents_before, self._answers_before = self._document_count, self._answer_count

    def _add(
        self,
        name: str,
        cells: list[object],
        kinds: Mapping[str, Kind],
        shared: pl.DataFrame,
        before: int,
    ) -> None:
        """Add rows with the cells of the rows of `shared` they belong to, numbered from `before`.

        The list of cells is emptied.
        """
        if not cells:
            return
        rows = _freed(cells, {_OF: pl.UInt32, **kinds})
        spread = shared.select(pl.all().gather(rows[_OF] - before))
        self._of[name].append(rows[_OF])
        whole = pl.concat([spread, rows.drop(_OF)], how="horizontal")
        # a column without a cell takes as much memory as any other
        told = [column.name for column in whole if column.null_count() < whole.height]
        self._rows[name].append(whole.select(told))

    def tables(self, resets: Mapping[str, int]) -> dict[str, pl.DataFrame]:
        """The tables of judgments, spans and texts that have rows; it can be called once.

        A row's status is superseded where the judge was reset, or judged again later. `resets` are
        the numbers of the last decisions of judges before they were reset.
        """
        self._settle()
        if JUDGMENTS.name not in self._rows:
            return {}
        given = pl.concat([of for name in _ANSWERED for of in self._of[name]]).unique()
        answers = pl.concat(self._keys)
        status = _statuses(answers, pl.concat(self._judges), given, resets)
        found: dict[str, pl.DataFrame] = {}
        for table in (JUDGMENTS, SPANS):
            if table.name in self._rows:
                found[table.name] = conform(self._with_status(table.name, status), table)
        texts = []
        if TEXTS.name in self._rows:
            texts.append(self._with_status(TEXTS.name, status))
        if _COMMENTS in self._rows:
            whole = _of_documents(answers[_OF], status, self._document_count)
            told = self._with_status(_COMMENTS, whole)
            texts.append(told.with_columns(item="document"))
        if texts:
            found[TEXTS.name] = conform(pl.concat(texts, how="diagonal"), TEXTS)
        return found

    def _with_status(self, name: str, status: pl.Series) -> pl.DataFrame:
        """All rows of a table, with the status of what they belong to."""
        # not one piece of memory: that would need both at one time
        rows = pl.concat(self._rows.pop(name), how="diagonal", rechunk=False)
        return rows.with_columns(status.gather(pl.concat(self._of.pop(name))))


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


def _keys(answers: pl.DataFrame, documents: pl.DataFrame, before: int) -> pl.DataFrame:
    """The document and the position of each answer, and a number for what it is about.

    The number is the same where a judge judges that again; `before` is the first document's.
    """
    screens = documents.select(
        pl.struct("campaign", "judge", SCREEN).alias(_KEY), pl.col("position").alias(_POSITION)
    )
    shown = screens.select(pl.all().gather(answers[_OF] - before))
    told = pl.concat([shown, answers.select(_OF, "item")], how="horizontal")
    return told.select(_OF, _POSITION, pl.struct(_KEY, "item").hash().alias(_KEY))


def _statuses(
    answers: pl.DataFrame, judges: pl.DataFrame, given: pl.Series, resets: Mapping[str, int]
) -> pl.Series:
    """Whether each answer counts, or was reset or given again; `given` are those not left out.

    `judges` has a row for each document.
    """
    told = answers.select(_KEY, _POSITION)
    last = (
        told.select(pl.all().gather(given)).group_by(_KEY).agg(pl.col(_POSITION).max().alias(_LAST))
    )
    void = judges.select(pl.col("judge").replace_strict(resets, default=0, return_dtype=pl.Int64))
    told = told.join(last, on=_KEY, how="left", maintain_order="left").with_columns(
        void.to_series().gather(answers[_OF]).alias(_RESET)
    )
    again = (pl.col(_POSITION) < pl.col(_LAST)) | (pl.col(_POSITION) <= pl.col(_RESET))
    status = pl.when(again.fill_null(value=False)).then(pl.lit(VOID)).otherwise(pl.lit(VALID))
    return told.select(status.alias("status")).to_series()


def _of_documents(documents: pl.Series, status: pl.Series, count: int) -> pl.Series:
    """The status of each of so many documents, given that of their answers: void where all are."""
    counts = pl.DataFrame([documents, status]).group_by(_OF).agg((pl.col("status") == VALID).any())
    void = counts.filter(~pl.col("status"))[_OF]
    told = pl.when(pl.arange(count, eager=True).is_in(void)).then(pl.lit(VOID))
    return pl.select(told.otherwise(pl.lit(VALID)).alias("status")).to_series()
