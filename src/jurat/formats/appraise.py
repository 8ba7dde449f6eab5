"""Appraise: result CSVs without a heading, with the campaign's batches and manifest beside them.

Appraise counts UTF-16 code units, and the end of a span is its last one; `<br>` is one character.
Marks in document ids (`#bad`, `#dup`, `-tutorial1`) say what an item is for.
"""

from __future__ import annotations

import csv
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar

import msgspec
import polars as pl

from jurat.errors import Problem, counted, input_error, quoted, raise_problems
from jurat.formats.appraise_batches import Batches, is_batches, is_manifest, read_batches
from jurat.formats.appraise_campaign import read_campaign
from jurat.formats.appraise_document_ids import document_marks
from jurat.formats.appraise_layouts import (
    CONTROLS,
    DOCUMENT_QUESTION,
    NOTHING_MARKED,
    PAIRWISE,
    PAIRWISE_DOCUMENT,
    PLAIN_DOCUMENT,
    SCORE_QUESTION,
    TIMES,
    Layout,
    layout_of,
)
from jurat.formats.appraise_writer import write_results
from jurat.formats.delimited_rows import csv_rows
from jurat.formats.file_format import FileFormat, ImportedCampaign, ReadTables, WrittenFiles
from jurat.formats.file_head import Sample
from jurat.formats.inclusive_spans import InclusiveSpan
from jurat.formats.json_values import decode_file, decode_part
from jurat.formats.long_rows import ITEM_PARTS, LongRows, Texts, tables_of, translation_table
from jurat.formats.score_preferences import with_pair_outcomes
from jurat.formats.span_weights import MQM_QUESTION, penalty
from jurat.formats.wmt_ids import is_canary
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, PREFERENCES, SPANS, shortened
from jurat.tables.suspicious_data import Partners

# The thumbs of the pairwise page for documents; with 1 more, the source was visible.
THUMBS = {40: -1.0, 50: 0.0, 60: 1.0}


class _Prefilled(msgspec.Struct):
    payload: list[InclusiveSpan] = []


class _Manifest(msgspec.Struct):
    name: str = msgspec.field(name="CAMPAIGN_NAME")


class Appraise(FileFormat):
    """The files of an Appraise campaign."""

    name: ClassVar[str] = "appraise"
    title: ClassVar[str] = "Appraise results"
    endings: ClassVar[tuple[str, ...]] = ("csv", "json")
    holds: ClassVar[tuple[str, ...]] = ("judgments", "spans", "texts", "work", "questions")

    def recognises(self, sample: Sample) -> bool:
        return bool(_delimiter(sample)) or is_batches(sample) or is_manifest(sample)

    def read(self, files: Sequence[File]) -> ReadTables:
        samples = [Sample(file) for file in files]
        batches = read_batches([s.file for s in samples if is_batches(s)])
        names = [decode_file(s.file, _Manifest).name for s in samples if is_manifest(s)]
        results = _Results(batches, names[0] if len(names) == 1 else None)
        for sample in samples:
            if not is_batches(sample) and not is_manifest(sample):
                results.add_file(sample.file)
        if not len(results.judgments):
            message = "there are no judgments here; give the CSV file of results, too"
            raise input_error(message, file=files[0].name)
        return results.tables()

    def campaign(self, files: Sequence[File]) -> ImportedCampaign:
        return read_campaign(files)

    def write(self, tables: Mapping[str, pl.DataFrame], *, ending: str) -> WrittenFiles:
        return write_results(tables, ending=ending)


def _delimiter(sample: Sample) -> str:
    """What separates the cells of results; empty if these are none. Excel may change it."""
    ways = {mark: csv.reader([sample.first_line], delimiter=mark) for mark in ",\t;"}
    try:
        return next((mark for mark, rows in ways.items() if layout_of(next(rows, []))), "")
    except csv.Error:
        return ""


class _Results:
    """Turns the rows of results into those of the long tables."""

    def __init__(self, batches: Batches, campaign: str | None) -> None:
        self.judgments = LongRows(JUDGMENTS)
        self._spans = LongRows(SPANS)
        self._batches = batches
        self._campaign = campaign
        self._counts: Counter[str] = Counter()
        self._translations: Texts = {}
        self._paired = False

    def add_file(self, file: File) -> None:
        """Add the rows of one file; raises `InputError` with the lines that do not fit."""
        rows, layout = [], None
        problems: list[Problem] = []
        seen: set[tuple[str, ...]] = set()
        for line, row in csv_rows(file, _delimiter(Sample(file)) or ","):
            layout = layout or layout_of(row)
            if layout is None or layout_of(row) != layout:
                problems.append(_unfit(file, line, row, layout))
            elif (*row,) in seen:
                self._counts["copies"] += 1
            else:
                named = dict(zip((*layout.columns, *layout.more), row, strict=False))
                problems += _not_numbers(file, line, named)
                rows.append((line, named))
            seen.add((*row,))
        raise_problems(shortened(problems, len(problems)))
        if layout is PAIRWISE_DOCUMENT and len({_pair(row) for _, row in rows}) == len(rows):
            # nothing was shown side by side
            layout = PLAIN_DOCUMENT
        if layout:
            self._add_rows(file, rows, layout)

    def _add_rows(
        self, file: File, rows: Sequence[tuple[int, Mapping[str, str]]], layout: Layout
    ) -> None:
        canaries = sum(is_canary(row.get("document")) for _, row in rows)
        self._counts["canaries"] += canaries
        marked = [
            (line, row, _marked(file, line, row))
            for line, row in rows
            if not is_canary(row.get("document"))
        ]
        # the score column of MQM campaigns is always 0 and means nothing
        is_mqm = any(spans for *_, spans in marked) and all(
            _number(row["score"]) == 0 for _, row, _ in marked
        )
        thumbs = layout is PAIRWISE_DOCUMENT and all(
            _number(row["score"]) // 10 * 10 in THUMBS and _number(row["score"]) % 10 <= 1
            for _, row, _ in marked
        )
        self._paired |= layout in (PAIRWISE, PAIRWISE_DOCUMENT)
        shown: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for _, row in rows if layout in (PAIRWISE, PAIRWISE_DOCUMENT) else ():
            shown[_pair(row)].append(row["system"])
        slots: Counter[tuple[str, ...]] = Counter()
        for line, row, spans in marked:
            pair = _pair(row)
            cells = self._cells(row, shown.get(pair, (row["system"],)))
            if pair in shown:
                slots[pair] += 1
                # systems with the same text have a row each, on the same side
                side = row.get("side", "")
                cells["slot"] = int(side) + 1 if side.isdecimal() else slots[pair]
            score = _number(row["score"])
            if thumbs:
                cells |= {"source_visible": "yes" if score % 10 else "no"}
                score = THUMBS[int(score // 10 * 10)]
            question = _question(row, is_mqm=is_mqm, thumbs=thumbs)
            value = penalty([span.severity for span in spans]) if is_mqm else score
            self._counts["unweighted"] += value is None
            self.judgments.add(file.name, line, **cells, question=question, value=value)
            self._add_spans(file, line, {**cells, "question": question}, row, spans)

    def _cells(self, row: Mapping[str, str], shown: Collection[str]) -> dict[str, object]:
        """What judgments and spans of a row share; `shown` are the systems on the screen."""
        document, mark, tutorial, incomplete = document_marks(row.get("document", ""), shown)
        whole = row.get("complete") == "True"
        return {
            "campaign": self._campaign,
            "phase": "tutorial" if tutorial else "evaluation",
            "judge": row["judge"],
            "document": document or None,
            "segment": None if whole else row["item"],
            "system": row["system"],
            # 0 stands for a time that is not known
            "shown_at": float(row["start"]) or None,
            "decided_at": float(row["end"]) or None,
            "control": mark or CONTROLS.get(row["type"]),
            "source_language": row["source_language"],
            "target_language": row["target_language"],
            "incomplete": "yes" if incomplete else None,
            **{name: row.get(name) or None for name in ("batch", "domain", "url", "rank")},
        }

    def _add_spans(
        self,
        file: File,
        line: int,
        cells: Mapping[str, object],
        row: Mapping[str, str],
        spans: Sequence[InclusiveSpan],
    ) -> None:
        source, text = self._batches.texts(row) or (None, None)
        if text is not None:
            key = tuple(str(cells[n]) if cells[n] else None for n in ITEM_PARTS)
            self._translations[key[0], key[1], key[2]] = (source, text, None)
        self._counts["found"] += text is not None
        for span in spans:
            self._spans.add(file.name, line, **cells, **span.cells(text))
            self._counts["unconverted"] += text is None and isinstance(span.start_i, int)

    def tables(self) -> ReadTables:
        """All tables, with the positions of judgments by their times."""
        found = {name: _positioned(t) for name, t in tables_of(self.judgments, self._spans).items()}
        if "spans" in found:
            found["spans"] = _positions_of(found["spans"], found["judgments"])
        notes = list(self._notes())
        if self._paired:
            found[PREFERENCES.name] = with_pair_outcomes(found["judgments"])
        if self._translations:
            found["translations"] = translation_table(self._translations)
        return ReadTables(tables=found, notes=tuple(notes))

    def _notes(self) -> Iterator[str]:
        if self._batches:
            partners = Partners(
                self._counts["found"], len(self.judgments), "judgments", "the batches"
            )
            yield partners.note("Appraise")
        if count := self._counts["copies"]:
            yield f"Appraise: left out, rows that repeat an earlier one in every column: {count:,}"
        if count := self._counts["canaries"]:
            yield f"Appraise: left out, judgments of canary lines: {count:,}"
        if count := self._counts["unweighted"]:
            yield (
                "Appraise: no score, since critical and undecided errors have no weight there: "
                f"{counted(count, 'judgment')}"
            )
        if count := self._counts["unconverted"]:
            yield (
                f"Appraise: the offsets of {counted(count, 'span')} count UTF-16 code units, which "
                "differ from characters after emoji; give batches.json, too, to convert them"
            )


def _pair(row: Mapping[str, str]) -> tuple[str, ...]:
    """What the rows of translations that were shown together have in common."""
    return tuple(row.get(n, "") for n in ("judge", "item", "document", "start", "end"))


def _unfit(file: File, line: int, row: Sequence[str], layout: Layout | None) -> Problem:
    if layout is None:
        message = "this is not a row of Appraise's results"
    else:
        wanted = len(layout.columns)
        allowed = f"{wanted} or, with batch information, {wanted + len(layout.more)}"
        message = f"{len(row)} cells, where {layout.name} results have {allowed}"
        if len(row) in (wanted, wanted + len(layout.more)):
            message = f"the row is not like the first ones, which are {layout.name} results"
    return Problem(message=message, file=file.name, line=line)


def _marked(file: File, line: int, row: Mapping[str, str]) -> list[InclusiveSpan]:
    """The spans in a row; those of a tutorial item are in its `payload`."""
    text = row.get("mqm", "").encode()
    if text.decode() in NOTHING_MARKED:
        return []
    if text[:1] == b"{":
        return decode_part(file, text, _Prefilled, line).payload
    return decode_part(file, text, list[InclusiveSpan], line)


def _not_numbers(file: File, line: int, row: Mapping[str, str]) -> Iterator[Problem]:
    for name in ("score", *TIMES):
        if not math.isfinite(_number(row[name])):
            message = f"{quoted(row[name])} is not a number"
            yield Problem(message=message, file=file.name, line=line, field=name)


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return math.nan


def _question(row: Mapping[str, str], *, is_mqm: bool, thumbs: bool) -> str:
    if row.get("complete") == "True":
        return DOCUMENT_QUESTION
    return MQM_QUESTION if is_mqm else "thumb" if thumbs else SCORE_QUESTION


def _positioned(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with the number of each decision among the judge's, as far as times tell it."""
    times = [name for name in ("decided_at", "shown_at") if name in frame.columns]
    if not times:
        return frame
    order = pl.struct(times).rank("dense").over("judge")
    return frame.with_columns(order.cast(pl.Int64).alias("position"))


def _positions_of(spans: pl.DataFrame, judgments: pl.DataFrame) -> pl.DataFrame:
    """The spans with the positions of their judgments."""
    if "position" not in spans.columns:
        return spans
    names = ("judge", "item", "question", "decided_at", "shown_at")
    keys = [name for name in names if name in spans.columns]
    places = judgments.select(*keys, "position").unique(keys)
    return spans.drop("position").join(places, on=keys, how="left", maintain_order="left")
