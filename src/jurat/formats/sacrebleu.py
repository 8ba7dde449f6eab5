"""sacreBLEU's output: JSON of one or several systems, its tables, and lines of segment scores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from jurat.decoding import decode
from jurat.errors import input_error, quoted
from jurat.formats.file_head import Sample
from jurat.formats.json_values import decode_file
from jurat.formats.score_rows import Score, ScoreFormat
from jurat.formats.system_names import system_of
from jurat.model import File

_LINE = re.compile(r"^\s*(\w[\w+-]*)\|(nrefs:\S*) = (-?\d+(?:\.\d+)?)(?![\d.])", re.MULTILINE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_BASELINE = "Baseline: "
# A row of a table, which tabulate frames with lines.
_FRAME = "│"


class SacreBleu(ScoreFormat):
    """Scores of systems or segments that sacreBLEU printed."""

    name: ClassVar[str] = "sacrebleu"
    title: ClassVar[str] = "sacreBLEU scores"
    endings: ClassVar[tuple[str, ...]] = ("json", "txt")

    def recognises(self, sample: Sample) -> bool:
        told = sample.json or sample.first_of_list
        one = {"name", "score", "signature"} <= told.keys()
        scores = [value for name, value in told.items() if name != "system"]
        several = "system" in told and bool(scores) and all(map(_is_number, scores))
        text = bool(_LINE.search(sample.text)) or (
            sample.text.startswith("╒") and "System" in sample.text[:1000]
        )
        return one or (several and bool(sample.first_of_list)) or text

    def scores(self, file: File) -> Iterator[Score]:
        return _scores(file)


def _is_number(value: object) -> bool:
    """Whether a value, which need not be decoded, is a number as a text."""
    text = bytes(value).decode(errors="replace") if isinstance(value, msgspec.Raw) else ""
    return text[:1] == '"' and _NUMBER.match(text[1:-1]) is not None


def _scores(file: File) -> Iterator[Score]:
    start = file.data.lstrip()[:1]
    if start in (b"{", b"["):
        yield from _of_json(file)
    elif decode(file).startswith("╒"):
        yield from _of_table(file)
    else:
        yield from _of_lines(file)


def _of_json(file: File) -> Iterator[Score]:
    found: Any = decode_file(file, object)
    for row in found if isinstance(found, list) else [found]:
        if "score" in row:
            yield system_of(file.name), str(row["name"]), float(row["score"]), None
        else:
            for metric, value in row.items():
                if metric != "system":
                    name = metric.split(" (")[0]
                    yield _system(row["system"]), name, _first_number(file, value), None


def _of_table(file: File) -> Iterator[Score]:
    """The rows of a table of systems; of paired tests, the first number of a cell is the score."""
    rows = [
        [cell.strip() for cell in line.strip().strip(_FRAME).split(_FRAME)]
        for line in decode(file).splitlines()
        if line.startswith(_FRAME)
    ]
    names = [heading.split(" (")[0] for heading in rows[0]]
    for cells in rows[1:]:
        # the p-values of a system are in a row of their own, without its name
        if cells[0]:
            for metric, value in zip(names[1:], cells[1:], strict=True):
                yield _system(cells[0]), metric, _first_number(file, value), None


def _of_lines(file: File) -> Iterator[Score]:
    """Lines `BLEU|SIGNATURE = 41.9 …`; several lines of one metric are segments."""
    found = _LINE.findall(decode(file))
    several = {name for name, count in Counter(name for name, *_ in found).items() if count > 1}
    numbers: Counter[str] = Counter()
    for metric, _, value in found:
        numbers[metric] += 1
        segment = str(numbers[metric]) if metric in several else None
        yield system_of(file.name), metric, float(value), segment


def _system(name: object) -> str:
    return system_of(str(name).removeprefix(_BASELINE))


def _first_number(file: File, cell: object) -> float:
    if isinstance(cell, int | float):
        return float(cell)
    if found := _NUMBER.match(str(cell)):
        return float(found[0])
    raise input_error(f"{quoted(cell)} is not a score of sacreBLEU", file=file.name)
