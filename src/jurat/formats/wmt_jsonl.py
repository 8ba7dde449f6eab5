"""WMT's JSON Lines of human judgments: ESA of WMT24, its unified form, and WMT25.

Spans come from Appraise: UTF-16 code units, with the last one as the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from jurat.errors import input_error, quoted
from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.inclusive_spans import InclusiveSpan, with_line_breaks
from jurat.formats.json_values import decode_lines, decode_part
from jurat.formats.long_rows import LongRows, Texts, tables_of, translation_table
from jurat.formats.span_weights import penalty
from jurat.formats.wmt_ids import id_tags, is_canary, split_id
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, SPANS

ESA = {"esa_score", "esa_spans", "annotator", "system"}
SEGMENT = {"doc_id", "src_text", "tgt_text", "scores"}


class _Judgment(msgspec.Struct):
    """One judgment, whatever form it was written in."""

    score: float | str | None = None
    annotator: str | None = None
    errors: list[InclusiveSpan] | None = None
    times: tuple[float, float] | None = None
    protocol: str = "ESA"


class _EsaLine(msgspec.Struct):
    line_id: int | str
    src: str
    tgt: str
    doc_id: str
    system: str
    annotator: str | None
    esa_score: float | str | None
    esa_spans: list[InclusiveSpan] | None = None
    langs: str | None = None
    domain: str | None = None


class _SegmentLine(msgspec.Struct):
    doc_id: str
    src_text: str
    tgt_text: dict[str, str]
    scores: dict[str, msgspec.Raw]


class WmtJsonLines(FileFormat):
    """Human judgments of WMT24 and WMT25 as JSON Lines."""

    name: ClassVar[str] = "wmt-jsonl"
    title: ClassVar[str] = "WMT judgments (JSON Lines)"
    endings: ClassVar[tuple[str, ...]] = ("jsonl",)

    def recognises(self, sample: Sample) -> bool:
        if sample.record.keys() >= ESA:
            return True
        return sample.record.keys() >= SEGMENT and "subset2evaluate_utility" not in sample.record

    def read(self, files: Sequence[File]) -> ReadTables:
        reader = _Judged()
        for file in files:
            if Sample(file).record.keys() >= ESA:
                reader.add_esa(file)
            else:
                reader.add_segments(file)
        return reader.tables()


class _Judged:
    """Collects judgments, their spans and texts."""

    def __init__(self) -> None:
        self._judgments = LongRows(JUDGMENTS)
        self._spans = LongRows(SPANS)
        self._translations: Texts = {}
        self._canaries = 0

    def add_esa(self, file: File) -> None:
        """Add a file with a line for each judgment."""
        for line, row in decode_lines(file, _EsaLine):
            place = {
                "document": row.doc_id,
                "segment": str(row.line_id),
                "language_pair": row.langs,
                "domain": row.domain,
            }
            judged = _Judgment(score=row.esa_score, annotator=row.annotator, errors=row.esa_spans)
            self._add(file, line, {**place, "system": row.system}, judged, (row.src, row.tgt))

    def add_segments(self, file: File) -> None:
        """Add a file with a line for each segment and all its judgments."""
        for line, row in decode_lines(file, _SegmentLine):
            document, segment = split_id(row.doc_id)
            place = {"document": document, "segment": segment, **id_tags(row.doc_id)}
            for system, told in row.scores.items():
                texts = (row.src_text, row.tgt_text.get(system, ""))
                for wave, judged in _waves(file, line, told):
                    cells = {**place, "system": system, "wave": wave}
                    self._add(file, line, cells, judged, texts)

    def _add(
        self,
        file: File,
        line: int,
        cells: dict[str, Any],
        judged: _Judgment,
        texts: tuple[str, str],
    ) -> None:
        if is_canary(cells["document"]):
            self._canaries += 1
            return
        source, target = (with_line_breaks(text) for text in texts)
        shown, decided = judged.times or (None, None)
        question = judged.protocol.lower()
        cells |= {
            "judge": judged.annotator,
            "question": question,
            "shown_at": shown,
            "decided_at": decided,
        }
        value = judged.score
        if value is None and question == "mqm" and judged.errors is not None:
            value = penalty([span.severity for span in judged.errors])
        self._judgments.add(file.name, line, **cells, value=_number(file, line, value))
        for span in judged.errors or ():
            self._spans.add(file.name, line, **cells, **span.cells(target))
        key = (cells["document"], cells["segment"], cells["system"])
        self._translations.setdefault(key, (source, target, None))

    def tables(self) -> ReadTables:
        """All tables."""
        found = tables_of(self._judgments, self._spans)
        found["translations"] = translation_table(self._translations)
        note = f"WMT: left out, judgments of canary lines: {self._canaries:,}"
        return ReadTables(tables=found, notes=(note,) if self._canaries else ())


def _number(file: File, line: int, value: float | str | None) -> float | None:
    try:
        # WMT24 writes its scores as texts
        return None if value in (None, "", "None") else float(value)
    except ValueError:
        message = f"{quoted(value)} is not a score"
        raise input_error(message, file=file.name, line=line) from None


def _waves(file: File, line: int, told: msgspec.Raw) -> Iterator[tuple[str, _Judgment]]:
    """The judgments of one system's translation, with the number of each."""
    if bytes(told) == b"null":
        return
    if bytes(told)[:1] == b"[":
        for number, judged in enumerate(decode_part(file, told, list[_Judgment], line), 1):
            yield str(number), judged
        return
    # WMT25: human1, errors1, annotator1, human2, …
    cells: Mapping[str, msgspec.Raw] = decode_part(file, told, dict[str, msgspec.Raw], line)
    for wave in sorted(name.removeprefix("human") for name in cells if name.startswith("human")):
        judged = _Judgment(
            score=_cell(file, line, cells, f"human{wave}", float),
            annotator=_cell(file, line, cells, f"annotator{wave}", str),
            errors=_cell(file, line, cells, f"errors{wave}", list[InclusiveSpan]),
        )
        # a system that nobody has judged in this wave
        if judged.score is not None or judged.annotator is not None:
            yield wave, judged


def _cell(
    file: File, line: int, cells: Mapping[str, msgspec.Raw], name: str, kind: type[Any]
) -> Any:
    """The value of a cell, or None."""
    told = cells.get(name, msgspec.Raw(b"null"))
    return None if bytes(told) == b"null" else decode_part(file, told, kind, line)
