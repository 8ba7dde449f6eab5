"""subset2evaluate: JSON Lines of segments with texts, and scores of people and metrics at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.json_values import decode_lines
from jurat.formats.long_rows import LongRows, Texts, tables_of, translation_table
from jurat.formats.score_rows import ScoreRows
from jurat.model import File
from jurat.tables.schema import JUDGMENTS

HUMAN = "human"


class _Segment(msgspec.Struct):
    tgt: dict[str, str]
    scores: dict[str, dict[str, float | None]]
    i: int | str | None = None
    src: str | None = None
    ref: str | None = None
    doc: str | None = None
    domain: str | None = None


class Subset2Evaluate(FileFormat):
    """Segments as subset2evaluate reads and writes them."""

    name: ClassVar[str] = "subset2evaluate"
    title: ClassVar[str] = "subset2evaluate segments"
    endings: ClassVar[tuple[str, ...]] = ("jsonl",)

    def recognises(self, sample: Sample) -> bool:
        return sample.has_object("tgt") and sample.has_object("scores")

    def read(self, files: Sequence[File]) -> ReadTables:
        judgments, scores = LongRows(JUDGMENTS), ScoreRows()
        texts: Texts = {}
        for file in files:
            for line, row in decode_lines(file, _Segment):
                segment = str(line if row.i is None else row.i)
                for system, told in row.scores.items():
                    texts[row.doc, segment, system] = (row.src, row.tgt.get(system), row.ref)
                    for name, value in told.items():
                        if value is None:
                            continue
                        place = {"document": row.doc, "segment": segment, "system": system}
                        if name.startswith(HUMAN):
                            cells = {**place, "domain": row.domain, "question": name}
                            judgments.add(file.name, line, **cells, value=value)
                        else:
                            scores.add(
                                file.name, line, system=system, metric=name, value=value,
                                document=row.doc, segment=segment,
                            )  # fmt: skip
        found = {**tables_of(judgments), **scores.tables()}
        return ReadTables(tables={**found, "translations": translation_table(texts)})
