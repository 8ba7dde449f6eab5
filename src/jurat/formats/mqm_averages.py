"""Google's tables of mean MQM scores (`….avg_seg_scores.tsv`): system, score and segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from jurat.errors import Problem, quoted, raise_problems
from jurat.formats.delimited_rows import tsv_rows
from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.long_rows import LongRows, tables_of
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, shortened

HEADING = ("system", "mqm_avg_score", "seg_id")
# What stands for the score of a segment that nobody has judged.
NOT_JUDGED = "None"


class MqmAverages(FileFormat):
    """Means over raters, published beside the raters' errors; the judges are not known."""

    name: ClassVar[str] = "mqm-averages"
    title: ClassVar[str] = "mean MQM scores (Google)"
    endings: ClassVar[tuple[str, ...]] = ("tsv",)

    def recognises(self, sample: Sample) -> bool:
        return tuple(sample.first_line.lower().split()) == HEADING

    def read(self, files: Sequence[File]) -> ReadTables:
        judgments = LongRows(JUDGMENTS)
        for file in files:
            for line, system, score, segment in _scores(file):
                cells = {"segment": segment, "system": system, "question": "mqm"}
                judgments.add(file.name, line, **cells, value=score)
        return ReadTables(tables=tables_of(judgments))


def _by_blanks(cells: Sequence[str]) -> list[str]:
    return " ".join(cells).rsplit(maxsplit=2)


def _scores(file: File) -> Iterator[tuple[int, str, float, str]]:
    """Line, system, score and segment of each row; raises `InputError` for what is no score."""
    problems: list[Problem] = []
    for line, cells in list(tsv_rows(file))[1:]:
        # blanks or tabs separate the cells, and names of systems may have blanks
        told = [c.strip() for c in cells] if len(cells) == len(HEADING) else _by_blanks(cells)
        if len(told) != len(HEADING):
            message = f"{len(told)} cells, where a row has {len(HEADING)}"
            problems.append(Problem(message=message, file=file.name, line=line))
        elif told[1] not in (NOT_JUDGED, ""):
            try:
                # files write -0.0 for no errors
                yield line, told[0], float(told[1]) + 0.0, told[2]
            except ValueError:
                message = f"{quoted(told[1])} is not a score: a number, or {NOT_JUDGED}"
                problems.append(Problem(message=message, file=file.name, line=line))
    raise_problems(shortened(problems, len(problems)))
