"""Google's MQM annotations, which Marot opens: TSV without quotes, a line for each error.

An error stands between `<v>` and `</v>` in the target or in the source. A judge's score of a
segment is minus the sum of its errors' weights.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

import msgspec
import polars as pl

from jurat.errors import Problem, input_error, raise_problems
from jurat.formats.delimited_rows import csv_rows, tsv_rows
from jurat.formats.export_rows import (
    Cells,
    JudgedTranslation,
    JudgedTranslations,
    judged_translations,
)
from jurat.formats.file_format import FileFormat, ReadTables, WrittenFiles
from jurat.formats.file_head import Sample
from jurat.formats.json_values import decode_part
from jurat.formats.long_rows import LongRows, Texts, tables_of, translation_table
from jurat.formats.losses import left_out, unheld
from jurat.formats.score_preferences import with_pair_outcomes
from jurat.formats.wmt_ids import is_canary
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, PREFERENCES, SPANS, TEXTS, shortened

COLUMNS = (
    "system", "document", "position", "segment", "judge",
    "source", "target", "category", "severity",
)  # fmt: skip
# Columns as headings call them.
NAMES = {
    "doc": "document", "docsegid": "position", "doc_id": "position", "doc_seg_id": "position",
    "globalsegid": "segment", "seg_id": "segment", "global_seg_id": "segment", "rater": "judge",
}  # fmt: skip
MORE = ("metadata", "comment", "note")
# Beginnings of headings: of 2020 and 2021, and since.
HEADINGS = tuple(
    {"system", "doc", segment, "rater"} for segment in ("seg_id", "globalsegid", "global_seg_id")
)
TEXT_COLUMNS = {"source", "target"}
# The heading that Marot expects.
HEADING = (
    "system", "doc", "docSegId", "globalSegId", "rater",
    "source", "target", "category", "severity", "metadata",
)  # fmt: skip
SEVERITIES = ("major", "minor", "neutral", "critical", "no-error", "no error", "trivial", "")
NO_ERROR = ("no-error", "no error", "")
# mt-metrics-eval's weights (score_mqm.py), and those that WMT24 added.
WEIGHTS = {"major": 5.0, "critical": 5.0, "minor": 1.0, "neutral": 0.0, "trivial": 0.1}
NON_TRANSLATION, PUNCTUATION = 25.0, 0.1
UNWEIGHTED = ("source issue", "reinterpretation")
_MARK = re.compile(r"</?v>")
# A system that was judged beside another.
_BESIDE = re.compile(r"(.+)_with_(.+)")

Key = tuple[str, str | None, str, str, str | None]


class _Feedback(msgspec.Struct):
    notes: str | None = None
    thumbs: str | None = None


class _Metadata(msgspec.Struct):
    feedback: _Feedback | None = None
    timestamp: float | None = None
    note: str | None = None
    corrected_translation: str | None = None


class _Error(NamedTuple):
    """A row of the file, with its line."""

    line: int
    cells: Mapping[str, str]
    metadata: _Metadata

    @property
    def severity(self) -> str:
        return self.cells["severity"].strip().lower().replace("_", "-")

    @property
    def weight(self) -> float:
        """How much the error lowers the score."""
        return error_weight(self.cells["category"], self.severity)


def error_weight(category: str, severity: str) -> float:
    """The weight of an error; 0 for no error."""
    kind = category.strip().lower().replace("_", " ")
    if severity in NO_ERROR or kind.startswith(UNWEIGHTED):
        return 0.0
    if kind.startswith("non-translation"):
        return NON_TRANSLATION
    if severity == "minor" and kind == "fluency/punctuation":
        return PUNCTUATION
    return WEIGHTS[severity]


class GoogleMqm(FileFormat):
    """MQM annotations of Google's releases, and of Marot."""

    name: ClassVar[str] = "google-mqm"
    title: ClassVar[str] = "MQM annotations (Google, Marot)"
    endings: ClassVar[tuple[str, ...]] = ("tsv",)
    holds: ClassVar[tuple[str, ...]] = ("judgments", "spans", "texts")

    def recognises(self, sample: Sample) -> bool:
        if any(heading <= sample.heading for heading in HEADINGS):
            # a table of errors without the texts is the user's own
            return sample.heading >= TEXT_COLUMNS | {"category", "severity"}
        cells = sample.cells
        return (
            len(cells) in (9, 10)
            and cells[2].isdecimal()
            and cells[3].isdecimal()
            and cells[8].strip().lower().replace("_", "-") in SEVERITIES
        )

    def read(self, files: Sequence[File]) -> ReadTables:
        reader = _Segments()
        for file in files:
            reader.add_file(file)
        return reader.tables()

    def write(self, tables: Mapping[str, pl.DataFrame], *, ending: str) -> WrittenFiles:
        judged = judged_translations(tables, controls=False)
        if not judged.rows:
            raise input_error("MQM files hold marked errors and judgments, and there are none")
        first = {_place(row): row for row in reversed(judged.rows)}
        rows = [line for row in reversed(first.values()) for line in _written(row)]
        lines = ["\t".join(map(_flat, row)) for row in (HEADING, *rows)]
        file = File("mqm.tsv", ("\n".join(lines) + "\n").encode())
        again = len(judged.rows) - len(first)
        return WrittenFiles(files=[file], notes=tuple(_unwritten(judged, again)))


class _Segments:
    """Collects the errors of each segment that a judge saw."""

    def __init__(self) -> None:
        self._judgments = LongRows(JUDGMENTS)
        self._spans = LongRows(SPANS)
        self._texts = LongRows(TEXTS)
        self._translations: Texts = {}
        self._pairs = False
        self._without_rater = self._canaries = self._further = 0

    def add_file(self, file: File) -> None:
        """Add the errors of one file; raises `InputError` with the lines that do not fit."""
        segments: dict[Key, list[_Error]] = {}
        rows = list(_errors(file))
        systems = {error.cells["system"] for error in rows}
        beside = {name: pair for name in systems if (pair := _pair(name, systems))}
        self._pairs |= bool(beside)
        by = _segment_column(rows)
        for error in rows:
            cells = error.cells
            # such rows carry only metadata of the whole file
            if not cells["judge"]:
                self._without_rater += 1
                continue
            if is_canary(cells["document"]):
                self._canaries += 1
                continue
            system, other = beside.get(cells["system"], (cells["system"], None))
            key = (cells["judge"], cells["document"] or None, cells[by], system, other)
            segments.setdefault(key, []).append(error)
        for key, errors in segments.items():
            self._add_segment(file, key, errors)

    def _add_segment(self, file: File, key: Key, errors: Sequence[_Error]) -> None:
        judge, document, segment, system, other = key
        times = [e.metadata.timestamp for e in errors if e.metadata.timestamp is not None]
        shared = {
            "judge": judge,
            "document": document,
            "segment": segment,
            "system": system,
            "beside": other,
            "question": "mqm",
            "decided_at": max(times) / 1000 if times else None,
        }
        # 0.0 - …, since the negative of no errors would be written -0.0
        value = 0.0 - sum(error.weight for error in errors)
        line = errors[0].line
        self._judgments.add(
            file.name, line, **shared, slot=_slot(system, other), value=round(value, 6)
        )
        source, target = (_MARK.sub("", errors[0].cells[n]) for n in ("source", "target"))
        self._translations.setdefault((document, segment, system), (source, target, None))
        for error in errors:
            if error.severity not in NO_ERROR:
                marks = (error.cells[n].count("<v>") - 1 for n in ("source", "target"))
                self._further += sum(max(more, 0) for more in marks)
                self._spans.add(file.name, error.line, **shared, **_span(error))
            for question, text in _comments(error):
                self._texts.add(
                    file.name, error.line, **{**shared, "question": question}, text=text
                )

    def tables(self) -> ReadTables:
        """All tables; of systems that were judged side by side, also preferences."""
        found = tables_of(self._judgments, self._spans, self._texts)
        if self._pairs:
            found[PREFERENCES.name] = _preferences(found[JUDGMENTS.name])
        found["translations"] = translation_table(self._translations)
        lost = {
            "rows without a rater": self._without_rater,
            "rows of canary lines": self._canaries,
            "marks of an error after its first": self._further,
        }
        return ReadTables(tables=found, notes=tuple(left_out(lost, "MQM")))


def _segment_column(rows: Sequence[_Error]) -> str:
    """The column that tells segments apart: Marot's files may have the same globalSegId in all."""
    within: dict[tuple[str, str], str] = {}
    for error in rows:
        cells = error.cells
        position = within.setdefault((cells["document"], cells["segment"]), cells["position"])
        if position != cells["position"]:
            return "position"
    return "segment"


def _errors(file: File) -> Iterator[_Error]:
    """The rows of a file; raises `InputError` with the lines that do not fit."""
    problems: list[Problem] = []
    names: Sequence[str] = (*COLUMNS, "more")
    # spreadsheets save it with commas
    rows = tsv_rows if "\t" in Sample(file).first_line else csv_rows
    for line, cells in rows(file):
        heading = [cell.strip().lower() for cell in cells]
        if line == 1 and {"system", "doc"} <= {*heading}:
            names = [NAMES.get(name, "more" if name in MORE else name) for name in heading]
            names += [] if "more" in names else ["more"]
            continue
        named = dict(zip(names, cells, strict=False))
        if not named.keys() >= {*COLUMNS}:
            message = f"{len(cells)} cells, where an MQM row has {len(COLUMNS)} or more"
            problems.append(Problem(message=message, file=file.name, line=line))
            continue
        metadata = _Metadata()
        if named.get("more", "").startswith("{"):
            metadata = decode_part(file, named.pop("more").encode(), _Metadata, line)
        error = _Error(line, named, metadata)
        if error.severity not in SEVERITIES:
            message = f"'{named['severity']}' is not a severity"
            problems.append(
                Problem(
                    message=message, file=file.name, line=line, field="severity",
                    value=error.severity, allowed=SEVERITIES[:-1],
                )
            )  # fmt: skip
        yield error
    raise_problems(shortened(problems, len(problems)))


def _span(error: _Error) -> dict[str, object]:
    """The cells of an error: where it is marked, or else the whole target."""
    cells = error.cells
    target = marked_part(cells["target"])
    source = marked_part(cells["source"])
    start, end = target or (0, 0 if source else len(cells["target"]))
    return {
        "start": start,
        "end": end,
        # only the source is marked where the target lacks something
        "missing": target is None and source is not None,
        "severity": error.severity,
        "category": cells["category"].strip() or None,
        "weight": error.weight,
        "source_start": source[0] if source else None,
        "source_end": source[1] if source else None,
    }


def marked_part(text: str) -> tuple[int, int] | None:
    """Start and end of what stands between `<v>` and `</v>`, in the text without marks."""
    before, opened, rest = text.partition("<v>")
    inside, closed, _ = rest.partition("</v>")
    if not opened:
        return None
    start = len(_MARK.sub("", before))
    return start, start + len(_MARK.sub("", inside if closed else rest))


def _comments(error: _Error) -> Iterator[tuple[str, str]]:
    told = {
        "comment": error.cells.get("more", "").strip(),
        "note": error.metadata.note,
        "corrected_translation": error.metadata.corrected_translation,
    }
    if feedback := error.metadata.feedback:
        told |= {"feedback": feedback.notes, "thumbs": feedback.thumbs}
    yield from ((question, text) for question, text in told.items() if text)


def _pair(name: str, systems: set[str]) -> tuple[str, str] | None:
    """The system and the one beside it, if both are named `A_with_B` and `B_with_A`."""
    found = _BESIDE.fullmatch(name)
    mirrored = found and f"{found[2]}_with_{found[1]}" in systems
    return (found[1], found[2]) if found and mirrored else None


def _slot(system: str, other: str | None) -> int | None:
    """The order of two systems beside each other: by name, since the file does not say it."""
    return None if other is None else 1 if system < other else 2


def _preferences(judgments: pl.DataFrame) -> pl.DataFrame:
    """Preferences between systems that were judged beside each other."""
    beside = judgments.filter(pl.col("beside").is_not_null())
    pair = pl.min_horizontal("system", "beside") + "|" + pl.max_horizontal("system", "beside")
    return with_pair_outcomes(beside.with_columns(pair.alias("pair")), within=("pair",))


def _written(row: JudgedTranslation) -> Iterator[tuple[str, ...]]:
    """A line for each error of a translation; one that says so if there is none."""
    place = _place(row)
    if not row.spans:
        metadata = msgspec.json.encode(_metadata(row)).decode()
        texts = (row.source or "", row.translation or "")
        yield (*place, *texts, "No-error", "No-error", metadata)
    for number, span in enumerate(row.spans):
        # what was said of the translation is said once, with the first error
        told = {} if number else _metadata(row)
        notes = [str(note) for note in (span.get("comment"), told.get("note")) if note]
        told |= {"note": "\n".join(notes)} if notes else {}
        metadata = msgspec.json.encode(told).decode()
        category = str(span.get("category") or "")
        yield (*place, *_marked(row, span), category, _severity(span), metadata)


def _place(row: JudgedTranslation) -> tuple[str, ...]:
    """The first cells of a line: what was judged, and by whom."""
    beside = row.text("beside")
    system = f"{row.text('system')}_with_{beside}" if beside else row.text("system")
    return system, row.text("document"), row.segment, row.segment, row.judge


def _metadata(row: JudgedTranslation) -> dict[str, object]:
    decided = row.seconds("decided_at")
    corrected = row.texts.get("corrected_translation")
    notes = [text for name, text in row.texts.items() if name != "corrected_translation"]
    told = {
        "timestamp": None if decided is None else round(decided * 1000),
        "note": "\n".join(notes) or None,
        "corrected_translation": corrected,
    }
    return {name: value for name, value in told.items() if value is not None}


def _marked(row: JudgedTranslation, span: Cells) -> tuple[str, str]:
    """The source and the target with marks around the error, in one of them or both."""
    source, target = row.source or "", row.translation or ""
    if row.translation is None:
        return source, target
    if span.get("source_start") is not None:
        source = _with_marks(source, span["source_start"], span["source_end"])
    elif span.get("missing"):
        # the place of what is missing in the source is not known: an empty mark at the end
        source = _with_marks(source, len(source), len(source))
    if span.get("missing"):
        return source, target
    return source, _with_marks(target, span["start"], span["end"])


def _with_marks(text: str, start: object, end: object) -> str:
    first, last = int(str(start)), int(str(end))
    return f"{text[:first]}<v>{text[first:last]}</v>{text[last:]}"


def _severity(span: Cells) -> str:
    """The severity, which is neutral where MQM does not know it."""
    told = str(span["severity"]).lower()
    return (told if told in WEIGHTS else "neutral").capitalize()


def _flat(cell: str) -> str:
    """A cell without tabs and line ends, which become one space each, so that offsets stay."""
    return re.sub(r"[\t\n\r]", " ", cell)


def _unwritten(judged: JudgedTranslations, again: int) -> Iterator[str]:
    """What MQM files do not hold; `again` are judgments of what a judge had judged before."""
    lost = Counter(
        {
            "further judgments of a translation by the same judge": again,
            "marks of errors in texts that are not known": judged.unplaced,
        }
    )
    unknown = {str(s["severity"]) for r in judged.rows for s in r.spans} - {*WEIGHTS}
    for row in judged.rows:
        told = [(str(span.get("category") or ""), _severity(span).lower()) for span in row.spans]
        total = sum(error_weight(category, severity) for category, severity in told)
        lost["scores that do not follow from the errors by MQM's weights"] += sum(
            round(value + total, 6) != 0 for value in row.answers.values()
        )
        lost["answers in words"] += len(row.labels)
    yield from left_out(lost, "MQM")
    if named := sorted(name for name in unknown if name.lower() not in WEIGHTS):
        yield f"MQM: severities that it does not know are written as neutral: {', '.join(named)}"
    if any(re.search(r"[\t\n\r]", row.translation or "") for row in judged.rows):
        yield "MQM: tabs and line ends in texts are written as spaces"
    yield from unheld(judged, "MQM", judged.derived, nobody=False)
