"""COMET's output: JSON of `comet-score` and `comet-compare`, and the lines that it prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import msgspec

from jurat.decoding import decode
from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.json_values import decode_file
from jurat.formats.sample import Sample
from jurat.formats.score_rows import ScoreRows
from jurat.formats.system_names import system_of
from jurat.model import File

_LINE = re.compile(r"^(\S[^\t\n]*)\t(?:Segment (\d+)\t)?score: ([-\d.]+)\r?$", re.MULTILINE)
METRIC = "COMET"

Score = tuple[str, str, float, str | None]


class _Compared(msgspec.Struct):
    name: str
    scores: list[float]


class _Comparison(msgspec.Struct):
    translations: list[_Compared]
    model: str = METRIC


class Comet(FileFormat):
    """Scores of segments and systems that COMET wrote."""

    name: ClassVar[str] = "comet"
    title: ClassVar[str] = "COMET scores"
    endings: ClassVar[tuple[str, ...]] = ("json", "txt")

    def recognises(self, sample: Sample) -> bool:
        if _is_comparison(sample) or _LINE.search(sample.text):
            return True
        first = next(iter(sample.json.values()), None)
        return first is not None and re.match(rb'\s*\[\s*\{\s*"(src|mt)"', bytes(first)) is not None

    def read(self, files: Sequence[File]) -> ReadTables:
        rows = ScoreRows()
        for file in files:
            for system, metric, value, segment in _scores(file):
                rows.add(
                    file.name, None, system=system, metric=metric, value=value, segment=segment
                )
        return ReadTables(tables=rows.tables())


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
