"""COMET's output: JSON of `comet-score` and `comet-compare`, and the lines that it prints.

Judgments are written as the CSV from which COMET is trained: `src,mt,ref,score`, and more.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any, ClassVar

import msgspec
import polars as pl

from jurat.decoding import decode
from jurat.errors import input_error
from jurat.formats.export_rows import JudgedTranslation, JudgedTranslations, judged_translations
from jurat.formats.file_format import WrittenFiles
from jurat.formats.file_head import Sample
from jurat.formats.json_values import decode_file
from jurat.formats.losses import left_out
from jurat.formats.score_rows import Score, ScoreFormat
from jurat.formats.system_names import system_of
from jurat.model import File

_LINE = re.compile(r"^(\S[^\t\n]*)\t(?:Segment (\d+)\t)?score: ([-\d.]+)\r?$", re.MULTILINE)
METRIC = "COMET"
# The columns of a training file; COMET ignores the last ones, by which judgments are known again.
TRAINING = ("lp", "src", "mt", "ref", "score", "annotators", "document", "segment", "system")


class _Compared(msgspec.Struct):
    name: str
    scores: list[float]


class _Comparison(msgspec.Struct):
    translations: list[_Compared]
    model: str = METRIC


class Comet(ScoreFormat):
    """Scores of segments and systems that COMET wrote."""

    name: ClassVar[str] = "comet"
    title: ClassVar[str] = "COMET scores"
    endings: ClassVar[tuple[str, ...]] = ("json", "txt")
    holds: ClassVar[tuple[str, ...]] = ("judgments", "spans")

    def recognises(self, sample: Sample) -> bool:
        if _is_comparison(sample) or _LINE.search(sample.text):
            return True
        first = next(iter(sample.json.values()), None)
        return first is not None and re.match(rb'\s*\[\s*\{\s*"(src|mt)"', bytes(first)) is not None

    def scores(self, file: File) -> Iterator[Score]:
        return _scores(file)

    def write(self, tables: Mapping[str, pl.DataFrame], *, ending: str) -> WrittenFiles:
        judged = judged_translations(tables, controls=False)
        if not judged.questions:
            raise input_error("COMET holds scores, and there are none")
        if len(judged.questions) != 1:
            message = "COMET holds one score a translation; choose it with jurat convert --where"
            raise input_error(message, field="question", allowed=tuple(judged.questions))
        rows = _training_rows(judged)
        if not rows:
            raise input_error("COMET needs texts, and none of these judgments has its translation")
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerows([TRAINING, *rows])
        file = File("comet.csv", out.getvalue().encode())
        return WrittenFiles(files=[file], notes=tuple(_unwritten(judged, len(rows))))


def _is_comparison(sample: Sample) -> bool:
    return {"translations", "statistical_results"} <= sample.json.keys()


def _scores(file: File) -> Iterator[Score]:
    sample = Sample(file)
    if _is_comparison(sample):
        for compared in decode_file(file, _Comparison).translations:
            for number, value in enumerate(compared.scores, 1):
                yield system_of(compared.name), METRIC, value, str(number)
    elif sample.json:
        told = decode_file(file, dict[str, list[dict[str, Any]]])
        for name, segments in told.items():
            for number, segment in enumerate(segments, 1):
                for metric, value in segment.items():
                    if isinstance(value, int | float) and not isinstance(value, bool):
                        yield system_of(name), metric, float(value), str(number)
    else:
        for name, number, value in _LINE.findall(decode(file)):
            # comet-score counts segments from 0
            yield system_of(name), METRIC, float(value), str(int(number) + 1) if number else None


def _training_rows(judged: JudgedTranslations) -> list[list[object]]:
    """A row for each translation, with the mean over judges."""
    question = judged.questions[0]
    pair = "-".join(judged.languages())
    found: dict[tuple[str, ...], list[JudgedTranslation]] = {}
    for row in judged.rows:
        if row.translation is not None and question in row.answers:
            place = (row.text("document"), row.segment, row.text("system"), row.translation)
            found.setdefault(place, []).append(row)
    return [
        [
            pair,
            rows[0].source or "",
            text,
            rows[0].reference or "",
            fmean(row.answers[question] for row in rows),
            len(rows),
            *place,
        ]
        for (*place, text), rows in found.items()
    ]


def _unwritten(judged: JudgedTranslations, rows: int) -> Iterator[str]:
    """What a training file does not hold."""
    lost = Counter(
        {
            "marked errors": sum(len(row.spans) for row in judged.rows),
            "judgments without a text": sum(row.translation is None for row in judged.rows),
        }
    )
    yield from judged.notes
    yield from left_out(lost, METRIC)
    if rows < len(judged.rows):
        yield f"{METRIC}: scores are means over judges"
    if not all(row.reference for row in judged.rows):
        yield f"{METRIC}: some translations have no reference, which most models need"
