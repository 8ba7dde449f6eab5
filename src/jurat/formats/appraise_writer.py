"""Writes judgments as Appraise exports them: a CSV of results, and batches.json with the texts."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import polars as pl

from jurat.errors import input_error
from jurat.formats.appraise_layouts import (
    DIRECT,
    DOCUMENT,
    DOCUMENT_QUESTION,
    PAIRWISE,
    PAIRWISE_DOCUMENT,
    SCORE_QUESTION,
    TYPES,
    Layout,
)
from jurat.formats.appraise_remaining_work import (
    SOURCE_ID,
    batch_task,
    item_number,
    work_files,
    work_notes,
)
from jurat.formats.export_rows import (
    WORK,
    JudgedTranslation,
    JudgedTranslations,
    judged_translations,
)
from jurat.formats.file_format import WrittenFiles
from jurat.formats.inclusive_spans import inclusive_span
from jurat.formats.losses import left_out, unheld
from jurat.formats.span_weights import MQM_QUESTION
from jurat.model import File

# What Jurat's protocol asks that Appraise calls SQM.
SQM_QUESTION = "quality"
# The name of a campaign whose judgments do not say one.
UNNAMED = "jurat"
# Ends of documents' ids that say what a judgment is for.
_MARKS = {"degraded": "#bad", "repeat": "#dup"}


def write_results(tables: Mapping[str, pl.DataFrame], *, ending: str) -> WrittenFiles:
    """The results as CSV; for a folder (no ending) also batches.json, where texts are known.

    What is left to judge is in the folder, too. Raises `InputError` if there are no judgments with
    numbers and nothing is left, or of several questions.
    """
    judged = judged_translations(tables)
    asked = [name for name in judged.questions if name != DOCUMENT_QUESTION]
    if len(asked) > 1:
        message = "Appraise holds one score a translation; choose it with jurat convert --where"
        raise input_error(message, field="question", allowed=tuple(asked))
    if not judged.questions:
        raise input_error("Appraise holds scores, and there are none")
    pairs = "preferences" in tables
    results = _Results(judged, asked[0] if asked else DOCUMENT_QUESTION, pairs=pairs)
    files = []
    if judged.rows:
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerows(results.rows())
        files.append(File("results.csv", out.getvalue().encode()))
    if not ending and any(row.translation is not None for row in judged.rows):
        files.append(File("batches.json", msgspec.json.encode(results.batches())))
    if not ending:
        files += results.work(tables.get(WORK, pl.DataFrame()))
    if not files:
        raise input_error("Appraise holds scores, and there are none")
    return WrittenFiles(files=files, notes=tuple(results.notes()))


class _Results:
    """Turns judged translations into rows of one layout."""

    def __init__(self, judged: JudgedTranslations, question: str, *, pairs: bool) -> None:
        self._judged = judged
        self._question = question
        self._languages = judged.languages()
        self._layout = _layout(judged.rows, pairs=pairs)
        self._more: list[str] = []
        self._is_mqm = question == MQM_QUESTION or question in judged.derived

    def rows(self) -> Iterator[list[str]]:
        """The cells of each row, in the order of the layout."""
        for row in self._scored():
            cells = self._cells(row)
            yield [cells[name] for name in self._layout.columns]

    def _scored(self) -> Iterable[JudgedTranslation]:
        wanted = (self._question, DOCUMENT_QUESTION)
        rows = [row for row in self._judged.rows if any(name in row.answers for name in wanted)]
        # the two rows of a pair are in the order in which they were shown
        return sorted(rows, key=_pair) if self._layout in (PAIRWISE, PAIRWISE_DOCUMENT) else rows

    def _cells(self, row: JudgedTranslation) -> dict[str, str]:
        control = row.text("control")
        whole = DOCUMENT_QUESTION in row.answers
        spans = [inclusive_span(span, row.translation) for span in row.spans]
        return {
            "judge": row.judge,
            "system": row.text("system"),
            "item": row.segment or "0",
            "type": TYPES.get(control, "TGT"),
            "source_language": self._languages[0],
            "target_language": self._languages[1],
            "score": self._score(row),
            "document": row.text("document") + _MARKS.get(control, ""),
            "complete": str(whole),
            "mqm": msgspec.json.encode(spans).decode(),
            "errors": "",
            "source_errors": "",
            # Appraise always has times: 0 stands for one that is not known
            "start": str(row.seconds("shown_at") or 0.0),
            "end": str(row.seconds("decided_at") or 0.0),
        }

    def _score(self, row: JudgedTranslation) -> str:
        # in MQM campaigns, the score is always 0 and follows from the errors
        if self._is_mqm:
            return "0"
        value = row.answers.get(self._question, row.answers.get(DOCUMENT_QUESTION, 0.0))
        return str(int(value)) if value.is_integer() else str(value)

    def batches(self) -> list[dict[str, Any]]:
        """The texts that were judged, as one batch."""
        items: dict[tuple[str, ...], dict[str, Any]] = {}
        for row in self._scored():
            cells = self._cells(row)
            key = (cells["item"], cells["document"], cells["system"])
            number = item_number(cells["item"])
            items.setdefault(
                key,
                {
                    # a number in Appraise, where the segment is one
                    "itemID": cells["item"] if number is None else number,
                    "itemType": cells["type"],
                    "documentID": cells["document"],
                    "sourceID": SOURCE_ID,
                    "sourceText": row.source or "",
                    "targetID": cells["system"],
                    "targetText": row.translation or "",
                    "isCompleteDocument": cells["complete"] == "True",
                    "mqm": [],
                },
            )
        source, target = self._languages
        return [{"items": list(items.values()), "task": batch_task(1, len(items), source, target)}]

    def work(self, work: pl.DataFrame) -> list[File]:
        """What is still to be judged; none where several translations are judged at once."""
        if not work.height:
            return []
        if self._layout not in (DIRECT, DOCUMENT):
            self._more.append(
                "Appraise: items that are judged side by side go back as results only; "
                f"translations left to judge: {work.height:,}"
            )
            return []
        asked = any(one["errors"] for one in self._judged.asked)
        marked = asked or any(row.spans for row in self._judged.rows)
        scores = "SQM" if self._question == SQM_QUESTION else ""
        options = "MQM" if self._is_mqm else "ESA" if marked else scores
        self._more += work_notes(work, self._languages)
        name = self._judged.campaign or UNNAMED
        return work_files(work, name=name, languages=self._languages, options=options)

    def notes(self) -> Iterator[str]:
        """What Appraise's results do not hold."""
        rows = self._judged.rows
        if not self._is_mqm and self._question not in (SCORE_QUESTION, DOCUMENT_QUESTION):
            yield f"Appraise: questions have no names there; '{self._question}' becomes the score"
        lost: Counter[str] = Counter()
        written = {self._question, DOCUMENT_QUESTION, *self._judged.derived}
        for row in rows:
            lost["answers to other questions"] += len(row.answers.keys() - written)
            lost["answers in words"] += len(row.labels)
            lost["texts"] += len(row.texts)
            lost["references"] += row.reference is not None
            lost["spans"] += 0 if "mqm" in self._layout.columns else len(row.spans)
            lost["places of something missing"] += row.moved_marks
            lost["marks of gold items"] += row.text("control") == "gold"
            if self._is_mqm and self._question in row.answers:
                lost["MQM scores by other weights than Appraise's"] += (
                    row.penalty_by_severity != row.answers[self._question]
                )
        yield from left_out(lost, "Appraise")
        held = (self._question, DOCUMENT_QUESTION)
        yield from unheld(self._judged, "Appraise", held, nobody=False)
        yield from self._more
        if count := self._judged.unplaced:
            yield f"Appraise: offsets that count characters, since texts are not known: {count:,}"


def _layout(rows: Sequence[JudgedTranslation], *, pairs: bool) -> Layout:
    """The layout that holds most of what there is."""
    documents = any(row.text("document") for row in rows)
    if pairs and all(row.text("slot") for row in rows) and not any(row.spans for row in rows):
        return PAIRWISE_DOCUMENT if documents else PAIRWISE
    return DOCUMENT if documents or any(row.spans for row in rows) else DIRECT


def _pair(row: JudgedTranslation) -> tuple[object, ...]:
    place = (row.text(name) for name in ("judge", "decided_at", "shown_at", "document", "item"))
    return (*place, row.segment, int(row.text("slot") or 0))
