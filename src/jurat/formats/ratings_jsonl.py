"""mt-metrics-eval's ratings as JSON Lines: a line for each translation that a rater has judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.json_values import decode_lines
from jurat.formats.long_rows import LongRows, Texts, tables_of, translation_table
from jurat.formats.losses import left_out
from jurat.formats.mt_metrics_eval import RatedError, rating_score, span_cells
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, SPANS

NEEDED = frozenset({"hypothesis", "errors", "system_id", "segment_id"})


class _Rating(msgspec.Struct):
    hypothesis: str
    errors: list[RatedError] | None
    system_id: str
    segment_id: int | str
    source: str | None = None
    document_id: str | None = None
    rater_id: str | None = None
    src_lang: str | None = None
    tgt_lang: str | None = None


class RatingsJsonLines(FileFormat):
    """Ratings that stand alone, outside an EvalSet; segments keep their numbers, from 0."""

    name: ClassVar[str] = "ratings-jsonl"
    title: ClassVar[str] = "mt-metrics-eval ratings (JSON Lines)"
    endings: ClassVar[tuple[str, ...]] = ("jsonl",)

    def recognises(self, sample: Sample) -> bool:
        return sample.record.keys() >= NEEDED

    def read(self, files: Sequence[File]) -> ReadTables:
        judgments, spans = LongRows(JUDGMENTS), LongRows(SPANS)
        texts: Texts = {}
        not_judged = 0
        for file in files:
            for line, row in decode_lines(file, _Rating):
                if row.errors is None:
                    not_judged += 1
                    continue
                cells = {
                    "judge": row.rater_id,
                    "document": row.document_id,
                    "segment": str(row.segment_id),
                    "system": row.system_id,
                    "source_language": row.src_lang,
                    "target_language": row.tgt_lang,
                    "question": "mqm",
                }
                judgments.add(file.name, line, **cells, value=rating_score(row.errors))
                for error in row.errors:
                    spans.add(file.name, line, **cells, **span_cells(error))
                key = (row.document_id, str(row.segment_id), row.system_id)
                texts.setdefault(key, (row.source, row.hypothesis, None))
        tables = {**tables_of(judgments, spans), "translations": translation_table(texts)}
        lost = {"lines without a list of errors": not_judged}
        return ReadTables(tables=tables, notes=tuple(left_out(lost, "mt-metrics-eval")))
