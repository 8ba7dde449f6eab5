"""Pearmut: annotations (JSON Lines, or the download), with the campaign and progress beside them.

Pearmut counts UTF-16 code units, and the end of a span is its last one. A span beyond the text
stands for the special token of that number, such as `[missing]`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar, NamedTuple

import msgspec
import polars as pl

from jurat.errors import counted
from jurat.formats.file_format import FileFormat, ReadTables, WrittenFiles
from jurat.formats.item_ids import split_id
from jurat.formats.json_values import decode_file, decode_lines, refuse_empty
from jurat.formats.long_rows import LongRows, Texts, tables_of, translation_table
from jurat.formats.offsets import code_points, utf16_length
from jurat.formats.pearmut_writer import write_annotations
from jurat.formats.sample import Sample
from jurat.model import File
from jurat.tables.schema import JUDGMENTS, SPANS, TEXTS

RESET = "__RESET__"
# Seconds of a pause that count as work at most, as in Pearmut's own active time.
LONGEST_PAUSE = 61.0
# What an item of these documents is: the beginning of `item_i`.
PHASES, ATTENTION = {"welcome": "tutorial"}, "random"
# Settings that change the page, but no table.
NOT_CARRIED = ("show_model_names", "show_alignment", "word_level", "slider_colors", "template")

# The hidden column of the document on the screen, and of what makes an earlier answer void.
SCREEN, _LATEST, _RESET = "\0screen", "\0latest", "\0reset"


class _Span(msgspec.Struct, gc=False):
    start_i: int
    end_i: int
    severity: str | None = None
    category: str | None = None


class _Answer(msgspec.Struct, gc=False):
    score: float | None = None
    error_spans: list[_Span] = []
    textfield: str | None = None
    sliders: dict[str, float | None] | None = None


class _Action(msgspec.Struct, gc=False):
    time: float
    action: str = ""


class _Check(msgspec.Struct, gc=False):
    score: tuple[float, float] | None = None


class _Item(msgspec.Struct, gc=False):
    tgt: dict[str, str] = {}
    item_id: str | int | None = None
    src: str | None = None
    ref: str | None = None
    validation: dict[str, _Check] | None = None


class _Document(msgspec.Struct, gc=False):
    """One line: a document that a user submitted, or the reset of all they did before."""

    user_id: str
    annotation: str | list[dict[str, _Answer] | str | float | None]
    item: list[_Item] = []
    item_i: int | str = 0
    actions: list[_Action] = []
    comment: str | None = None


class _Info(msgspec.Struct):
    special_tokens: list[str] | None = None
    show_model_names: bool | None = None
    show_alignment: bool | None = None
    word_level: bool | None = None
    slider_colors: object = None
    template: str | None = None


class _Campaign(msgspec.Struct):
    campaign_id: str
    info: _Info


class Pearmut(FileFormat):
    """The files of a Pearmut campaign."""

    name: ClassVar[str] = "pearmut"
    title: ClassVar[str] = "Pearmut annotations"
    endings: ClassVar[tuple[str, ...]] = ("jsonl", "json")
    holds: ClassVar[tuple[str, ...]] = ("judgments", "spans", "texts")

    def recognises(self, sample: Sample) -> bool:
        return (
            _is_line(sample) or _is_download(sample) or _is_campaign(sample) or _is_progress(sample)
        )

    def read(self, files: Sequence[File]) -> ReadTables:
        samples = [Sample(file) for file in files]
        campaigns = [c for s in samples if _is_campaign(s) for c in _campaigns(s.file)]
        reader = _Annotations(campaigns)
        for sample in samples:
            if _is_line(sample) and not _is_campaign(sample):
                reader.add_all(sample.file, "", decode_lines(sample.file, _Document))
            elif _is_download(sample):
                for name, documents in decode_file(sample.file, dict[str, list[_Document]]).items():
                    reader.add_all(sample.file, name, ((n, d) for n, d in enumerate(documents, 1)))
        if not len(reader.judgments):
            refuse_empty(files[0], 0, "annotations: give Pearmut's annotations file, too")
        return reader.tables()

    def write(self, tables: Mapping[str, pl.DataFrame], *, ending: str) -> WrittenFiles:
        return write_annotations(tables, ending=ending)


def _is_line(sample: Sample) -> bool:
    return {"annotation", "user_id"} <= sample.record.keys()


def _is_download(sample: Sample) -> bool:
    first = next(iter(sample.json.values()), None)
    return first is not None and b'"annotation"' in bytes(first)[:4096] and bytes(first)[:1] == b"["


def _is_campaign(sample: Sample) -> bool:
    told = sample.json or sample.first_of_list
    return {"info", "data"} <= told.keys() and "campaign_id" in told


def _is_progress(sample: Sample) -> bool:
    first = next(iter(sample.json.values()), None)
    return first is not None and b'"progress_welcome"' in bytes(first)[: 1 << 20]


def _campaigns(file: File) -> list[_Campaign]:
    if file.data.lstrip()[:1] == b"[":
        return decode_file(file, list[_Campaign])
    return [decode_file(file, _Campaign)]


class _Annotations:
    """Turns submitted documents into rows, one after the other."""

    def __init__(self, campaigns: Sequence[_Campaign]) -> None:
        self.judgments = LongRows(JUDGMENTS)
        self._spans = LongRows(SPANS)
        self._texts = LongRows(TEXTS)
        self._campaigns = {campaign.campaign_id: campaign for campaign in campaigns}
        self._translations: Texts = {}
        self._decisions: Counter[str] = Counter()
        self._resets: dict[str, int] = {}
        self._left_out: Counter[str] = Counter()

    def add_all(self, file: File, name: str, lines: Iterable[tuple[int, _Document]]) -> None:
        """Add the documents of one campaign; the name is empty where the file does not say it."""
        only = next(iter(self._campaigns.values()), None) if len(self._campaigns) == 1 else None
        campaign = self._campaigns.get(name, only)
        named = name or (campaign.campaign_id if campaign else None)
        tokens = (campaign.info.special_tokens if campaign else None) or ()
        for line, document in lines:
            if document.annotation == RESET:
                self._resets[document.user_id] = self._decisions[document.user_id]
                continue
            self._decisions[document.user_id] += 1
            self._add(_Place(file.name, line, named, tokens), document)

    def _add(self, place: _Place, document: _Document) -> None:
        part, _, _ = str(document.item_i).partition("_")
        shared: dict[str, object] = {
            "campaign": place.campaign,
            "phase": PHASES.get(part, "evaluation"),
            "judge": document.user_id,
            "position": self._decisions[document.user_id],
            SCREEN: str(document.item_i),
            **_times(document.actions),
        }
        names = [_name(item) for item in document.item]
        for item, name, answers in zip(document.item, names, document.annotation, strict=False):
            if not isinstance(answers, dict):
                self._left_out["answers of questionnaires"] += 1
                continue
            about = dict(zip(("document", "segment"), split_id(name, names[0]), strict=True))
            for slot, (system, answer) in enumerate(answers.items(), 1):
                text = item.tgt.get(system, "")
                cells = {**shared, **about, "system": system, "slot": slot}
                if part == ATTENTION:
                    cells |= {"control": "degraded", "expected": _expected(item, system)}
                self._add_answer(place, cells, answer, text)
                key = (about["document"], about["segment"], system)
                self._translations.setdefault(key, (item.src, text, item.ref))
        if document.comment and names:
            self._texts.add(
                place.file,
                place.line,
                **shared,
                item=names[0],
                question="comment",
                text=document.comment,
            )

    def _add_answer(
        self, place: _Place, cells: dict[str, object], answer: _Answer, text: str
    ) -> None:
        given = {"score": answer.score, **(answer.sliders or {})}
        told = {question: value for question, value in given.items() if value is not None}
        for question, value in told.items():
            self.judgments.add(place.file, place.line, **cells, question=question, value=value)
        if not told:
            self._left_out["translations without a score"] += 1
        for span in answer.error_spans:
            marked = place.marked(span, text)
            self._spans.add(place.file, place.line, **cells, question="score", **marked)
        if answer.textfield:
            self._texts.add(
                place.file, place.line, **cells, question="textfield", text=answer.textfield
            )

    def tables(self) -> ReadTables:
        """All tables, and what was not carried over."""
        found = with_statuses(tables_of(self.judgments, self._spans, self._texts), self._resets)
        found["translations"] = translation_table(self._translations)
        return ReadTables(tables=found, notes=tuple(self._notes(found["judgments"])))

    def _notes(self, judgments: pl.DataFrame) -> Iterator[str]:
        if count := int((judgments["status"] == "superseded").sum()):
            yield (
                f"Pearmut: {counted(count, 'score')} of {judgments.height:,} were reset or given "
                "again later and do not count; its dashboard counts the last score of a "
                "translation, whoever gave it"
            )
        for what, count in self._left_out.items():
            yield f"Pearmut: left out, {what}: {count:,}"
        for campaign in self._campaigns.values():
            if ignored := [name for name in NOT_CARRIED if getattr(campaign.info, name)]:
                yield f"Pearmut: settings that no table holds: {', '.join(ignored)}"


class _Place(NamedTuple):
    """Where a document stands, and what its campaign says of it."""

    file: str
    line: int
    campaign: str | None
    tokens: Sequence[str]

    def marked(self, span: _Span, text: str) -> dict[str, object]:
        """The cells of a span of a text, in code points."""
        length = utf16_length(text)
        if span.start_i >= length:
            token = span.start_i - length
            named = self.tokens[token] if token < len(self.tokens) else f"special token {token + 1}"
            cells = {"start": len(text), "end": len(text), "category": named, "missing": True}
        else:
            cells = {
                "start": code_points(text, span.start_i),
                "end": code_points(text, span.end_i + 1),
                "category": span.category,
                "missing": False,
            }
        return {**cells, "severity": span.severity or "unspecified"}


def with_statuses(
    tables: Mapping[str, pl.DataFrame], resets: Mapping[str, int]
) -> dict[str, pl.DataFrame]:
    """The tables with a status: superseded where the judge was reset, or judged again later.

    `resets` are the numbers of the last decisions of judges before they were reset.
    """
    keys = ["judge", SCREEN, "item"]
    there = [t.select(*keys, "position") for n, t in tables.items() if n != "texts"]
    latest = pl.concat(there).group_by(keys).agg(pl.col("position").max().alias(_LATEST))
    void = pl.DataFrame(
        {"judge": list(resets), _RESET: list(resets.values())},
        schema={"judge": pl.String, _RESET: pl.Int64},
    )
    again = (pl.col("position") < pl.col(_LATEST)) | (pl.col("position") <= pl.col(_RESET))
    status = pl.when(again.fill_null(value=False)).then(pl.lit("superseded"))
    told: dict[str, pl.DataFrame] = {}
    for name, table in tables.items():
        # only the keys are joined: a join of the whole table would copy it
        joined = (
            table.select(*keys, "position")
            .join(latest, on=keys, how="left", maintain_order="left")
            .join(void, on="judge", how="left", maintain_order="left")
        )
        statuses = joined.select(status.otherwise(pl.lit("valid")).alias("status")).to_series()
        told[name] = table.drop(SCREEN).with_columns(statuses)
    return told


def _times(actions: Sequence[_Action]) -> dict[str, float]:
    """When a document was shown and submitted, and for how long somebody worked on it."""
    if not actions:
        return {}
    moments = [action.time for action in actions]
    shown = next((a.time for a in actions if a.action == "load"), moments[0])
    gaps = (later - earlier for earlier, later in pairwise(moments))
    active = sum(min(max(gap, 0.0), LONGEST_PAUSE) for gap in gaps)
    return {"shown_at": shown, "decided_at": moments[-1], "active_seconds": active}


def _name(item: _Item) -> str:
    """The id of an item; an item without one is known by its source."""
    return str(item.item_id) if item.item_id is not None else item.src or ""


def _expected(item: _Item, system: str) -> float | None:
    """The middle of the scores that an attention check accepts."""
    check = (item.validation or {}).get(system)
    return sum(check.score) / 2 if check and check.score else None
