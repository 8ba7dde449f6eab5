"""Error spans of WMT's evaluation tasks: TSV with a line for each translation.

`start_indices`, `end_indices` and `error_types` are lists separated by blanks; `missing` stands for
the place of something missing, and `no-error` for a translation without errors.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from jurat.errors import Problem, raise_problems
from jurat.formats.delimited_rows import tsv_rows
from jurat.formats.file_format import FileFormat, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.long_rows import LongRows, Texts, tables_of, translation_table
from jurat.formats.losses import left_out
from jurat.formats.span_weights import penalty
from jurat.formats.wmt_ids import is_canary
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, SPANS, shortened

LISTS = ("start_indices", "end_indices", "error_types")
NEEDED = frozenset({"doc_id", "segment_id", "system_id", "hypothesis_segment", *LISTS})
NO_ERROR, MISSING = "no-error", "missing"
QUESTION = "errors"


class WmtErrorSpans(FileFormat):
    """Marked errors as the WMT task on error spans has them."""

    name: ClassVar[str] = "wmt-error-spans"
    title: ClassVar[str] = "WMT error spans"
    endings: ClassVar[tuple[str, ...]] = ("tsv",)

    def recognises(self, sample: Sample) -> bool:
        return sample.heading >= NEEDED

    def read(self, files: Sequence[File]) -> ReadTables:
        judgments, spans = LongRows(JUDGMENTS), LongRows(SPANS)
        texts: Texts = {}
        lost = Counter[str]()
        for file in files:
            for line, row in _rows(file):
                if is_canary(row["doc_id"]):
                    lost["translations of canary lines"] += 1
                    continue
                lost += _add(file, line, row, judgments, spans)
                key = (row["doc_id"], row["segment_id"], row["system_id"])
                told = (row.get("source_segment"), row.get("reference_segment"))
                texts[key] = (told[0], row["hypothesis_segment"], told[1] or None)
        notes = [
            "WMT: the file does not say how offsets count; characters and exclusive ends are taken",
            *left_out(lost, "WMT"),
        ]
        tables = {**tables_of(judgments, spans), "translations": translation_table(texts)}
        return ReadTables(tables=tables, notes=tuple(notes))


def _rows(file: File) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows by the names of columns; raises `InputError` with the lines that do not fit."""
    rows = tsv_rows(file)
    _, heading = next(rows)
    names = [name.strip().lower() for name in heading]
    problems: list[Problem] = []
    for line, written in rows:
        # texts with quotes are quoted as in CSV
        cells = next(csv.reader(["\t".join(written)], delimiter="\t"))
        row = dict(zip(names, cells, strict=False))
        if len(cells) != len(names):
            message = f"{len(cells)} cells where the heading has {len(names)}"
            problems.append(Problem(message=message, file=file.name, line=line))
        elif fault := _fault(row):
            problems.append(Problem(message=fault, file=file.name, line=line, field=LISTS[0]))
        else:
            yield line, row
    raise_problems(shortened(problems, len(problems)))


def _fault(row: Mapping[str, str]) -> str:
    """What is wrong with the lists of a row; empty if nothing is."""
    starts, ends, kinds = (row[name].split() for name in LISTS)
    if kinds == [NO_ERROR] or not kinds:
        return ""
    if not len(starts) == len(ends) == len(kinds):
        return f"{len(starts)} starts, {len(ends)} ends and {len(kinds)} types of errors"
    wrong = [text for text in (*starts, *ends) if not re.fullmatch(rf"\d+|{MISSING}", text)]
    return f"'{wrong[0]}' is not a place: a number or {MISSING}" if wrong else ""


def _add(
    file: File, line: int, row: Mapping[str, str], judgments: LongRows, spans: LongRows
) -> Counter[str]:
    """Add the judgment and the spans of a row; what of them is lost."""
    lost = Counter[str]()
    starts, ends, kinds = (row[name].split() for name in LISTS)
    marked = [] if kinds == [NO_ERROR] else list(zip(starts, ends, kinds, strict=True))
    cells = {
        "document": row["doc_id"],
        "segment": row["segment_id"],
        "system": row["system_id"],
        "method": row.get("method") or None,
        "domain": row.get("domain_name") or None,
        "source_language": row.get("source_lang") or None,
        "target_language": row.get("target_lang") or None,
        "question": QUESTION,
    }
    value = penalty([kind for *_, kind in marked])
    judgments.add(file.name, line, **cells, value=value)
    lost["scores of translations with an error that has no weight"] += value is None
    length = len(row["hypothesis_segment"])
    for start, end, kind in marked:
        missing = MISSING in (start, end)
        place = (length, length) if missing else (int(start), int(end))
        if max(place) > length:
            lost["parts of marked errors beyond the end of a text"] += 1
            place = (min(place[0], length), length)
        told = {"start": place[0], "end": place[1], "missing": missing, "severity": kind.lower()}
        spans.add(file.name, line, **cells, **told)
    return lost
