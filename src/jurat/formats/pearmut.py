"""Pearmut: annotations (JSON Lines, or the download), with the campaign and progress beside them.

Pearmut counts UTF-16 code units, and the end of a span is its last one. A span beyond the text
stands for the special token of that number, such as `[missing]`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, ClassVar, NamedTuple

import msgspec
import polars as pl

from jurat.errors import counted, input_error
from jurat.formats.file_format import FileFormat, ImportedCampaign, ReadTables, WrittenFiles
from jurat.formats.file_head import Sample
from jurat.formats.json_values import decode_file, decode_lines, decode_lists, refuse_empty
from jurat.formats.long_rows import Texts, translation_table
from jurat.formats.pearmut_campaign import read_campaign
from jurat.formats.pearmut_items import LONGEST_PAUSE, ItemTexts, item_names
from jurat.formats.pearmut_rows import COMMENT_QUESTION, VOID, PearmutRows
from jurat.formats.pearmut_spans import MISSING, PearmutSpan, span_places
from jurat.formats.pearmut_writer import write_annotations
from jurat.formats.span_weights import MQM_QUESTION, penalty
from jurat.formats.wmt_ids import split_id
from jurat.model import File

RESET = "__RESET__"
# The last action of a document that was not judged.
SKIP = "submit_skip"
# What an item of these documents is: the beginning of `item_i`.
PHASES, ATTENTION = {"welcome": "tutorial"}, "random"
# Settings that change the page, but no table.
NOT_CARRIED = ("show_model_names", "show_alignment", "word_level", "slider_colors", "template")

# A log has what was marked beforehand only in its items, which are not its answers.
BEFOREHAND = "translations' errors marked beforehand"

# Translations that are kept as Python's strings at one time.
CHUNK = 2_000
# Source, translation and reference.
_Texts = tuple[str | None, str, str | None]


class _Answer(msgspec.Struct, gc=False):
    score: float | None = None
    error_spans: list[PearmutSpan] | None = None
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
    error_spans: dict[str, list[PearmutSpan]] | None = None


class _Document(msgspec.Struct, gc=False):
    """One line: a document that a user submitted, or the reset of all they did before."""

    user_id: str | int
    annotation: str | list[dict[str, _Answer] | str | float | None]
    item: list[_Item] | None = None
    item_i: int | str | None = 0
    actions: list[_Action] | None = None
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
    holds: ClassVar[tuple[str, ...]] = (
        "judgments",
        "spans",
        "suggestions",
        "texts",
        "flags",
        "work",
        "questions",
    )

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
                told = decode_lists(sample.file, _Document)
                for name, own in groupby(told, key=itemgetter(0)):
                    reader.add_all(sample.file, name, ((line, one) for _, line, one in own))
        if not reader:
            given = any(_is_line(s) or _is_download(s) for s in samples)
            what = (
                "annotations with scores"
                if given
                else "annotations: give Pearmut's annotations file, too (where nobody has judged "
                "yet, jurat campaign import makes a campaign of it)"
            )
            refuse_empty(files[0], 0, what)
        return reader.tables()

    def campaign(self, files: Sequence[File]) -> ImportedCampaign:
        samples = [Sample(file) for file in files]
        declared = [s.file for s in samples if _is_campaign(s)]
        if not declared:
            raise input_error("give the campaign's own file, too", file=files[0].name)
        users = [user for s in samples if _is_progress(s) for user in _progress_users(s.file)]
        return read_campaign(declared, users)

    def write(self, tables: Mapping[str, pl.DataFrame], *, ending: str) -> WrittenFiles:
        return write_annotations(tables, ending=ending)


def _is_line(sample: Sample) -> bool:
    return {"annotation", "user_id"} <= sample.record.keys()


def _is_download(sample: Sample) -> bool:
    # campaigns in which nobody has judged yet are empty lists
    first = next((own for own in sample.json.values() if bytes(own)[:16].strip(b"[ ]\r\n")), None)
    return first is not None and b'"annotation"' in bytes(first)[:4096] and bytes(first)[:1] == b"["


def _is_campaign(sample: Sample) -> bool:
    told = sample.json or sample.first_of_list
    return {"info", "data"} <= told.keys() and "campaign_id" in told


def _is_progress(sample: Sample) -> bool:
    first = next(iter(sample.json.values()), None)
    return first is not None and b'"progress_welcome"' in bytes(first)[: 1 << 20]


def _progress_users(file: File) -> list[str]:
    """The users in a file of progress; a download has them by campaign."""
    told = decode_file(file, dict[str, dict[str, Any]])
    nested = [own for own in told.values() if "progress" not in own]
    return [user for own in nested for user in own] if nested else list(told)


def _campaigns(file: File) -> list[_Campaign]:
    if file.data.lstrip()[:1] == b"[":
        return decode_file(file, list[_Campaign])
    return [decode_file(file, _Campaign)]


class _Annotations:
    """Turns submitted documents into rows, one after the other."""

    def __init__(self, campaigns: Sequence[_Campaign]) -> None:
        self._rows = PearmutRows()
        self._campaigns = {campaign.campaign_id: campaign for campaign in campaigns}
        self._translations: Texts = {}
        self._seen: set[int] = set()
        self._chunks: list[pl.DataFrame] = []
        self._decisions: Counter[str] = Counter()
        self._resets: dict[str, int] = {}
        self._left_out: Counter[str] = Counter()

    def __bool__(self) -> bool:
        return bool(self._rows)

    def add_all(self, file: File, name: str, lines: Iterable[tuple[int, _Document]]) -> None:
        """Add the documents of one campaign; the name is empty where the file does not say it."""
        only = next(iter(self._campaigns.values()), None) if len(self._campaigns) == 1 else None
        campaign = self._campaigns.get(name, only)
        named = name or (campaign.campaign_id if campaign else None)
        # what Pearmut has where a campaign says nothing
        tokens = (campaign.info.special_tokens or (MISSING,)) if campaign else ()
        for line, document in lines:
            user = str(document.user_id)
            if document.annotation == RESET:
                self._resets[user] = self._decisions[user]
                continue
            self._decisions[user] += 1
            self._add(_Place(file.name, line, named, tokens), document)

    def _add(self, place: _Place, document: _Document) -> None:
        part, _, _ = str(document.item_i).partition("_")
        user = str(document.user_id)
        shared = (
            place.file,
            place.line,
            place.campaign,
            PHASES.get(part, "evaluation"),
            user,
            self._decisions[user],
            str(document.item_i),
            *_times(document.actions or ()),
        )
        number = self._rows.add_document(shared)
        items = document.item or []
        skipped = [action.action for action in document.actions or ()][-1:] == [SKIP]
        names = item_names(ItemTexts(one.item_id, one.src, one.tgt) for one in items)
        for item, name, answers in zip(items, names, document.annotation, strict=False):
            if not isinstance(answers, dict):
                self._left_out["answers of questionnaires"] += 1
                continue
            of, segment = split_id(name, names[0])
            for slot, (system, answer) in enumerate(answers.items(), 1):
                text = item.tgt.get(system, "")
                control = ("degraded", _expected(item, system)) if part == ATTENTION else _NONE
                cells = (number, of, segment, system, slot, *control)
                own = self._rows.add_answer(cells)
                if item.error_spans and item.error_spans.get(system):
                    self._left_out[BEFOREHAND] += 1
                self._add_answer(place, own, answer, text, skipped=skipped)
                if answer.textfield:
                    self._rows.add_text(own, "textfield", answer.textfield)
                self._add_text((of, segment, system), (item.src, text, item.ref))
        if document.comment and names:
            of, _ = split_id(names[0], names[0])
            self._rows.add_comment(number, of, COMMENT_QUESTION, document.comment)

    def _add_text(self, place: tuple[str | None, str, str], texts: _Texts) -> None:
        """Add the texts of a translation, unless it has been met before."""
        number = hash(place)
        if number in self._seen:
            return
        self._seen.add(number)
        self._translations[place] = texts
        # as columns they take half the memory of Python's strings
        if len(self._translations) >= CHUNK:
            self._chunks.append(translation_table(self._translations))
            self._translations = {}

    def _add_answer(
        self, place: _Place, number: int, answer: _Answer, text: str, *, skipped: bool
    ) -> None:
        """Add the scores and marks of an answer, which has that number."""
        question = "score"
        judgments = self._rows.judgments
        before = len(judgments)
        if answer.score is not None:
            judgments += (number, "score", answer.score)
        if answer.sliders:
            for question, value in answer.sliders.items():
                if value is not None:
                    judgments += (number, question, value)
        elif answer.score is None and answer.sliders == {} and not skipped:
            # a campaign without sliders asks for no score: errors alone are marked, as in MQM
            question = MQM_QUESTION
            marked = answer.error_spans or ()
            judgments += (number, question, penalty([span.severity for span in marked]))
        if len(judgments) == before:
            self._left_out["translations without a score"] += 1
        if answer.error_spans:
            place.add_marked(self._rows.spans, number, question, answer.error_spans, text)

    def tables(self) -> ReadTables:
        """All tables, and what was not carried over."""
        found = self._rows.tables(self._resets)
        last = translation_table(self._translations)
        found["translations"] = pl.concat([*self._chunks, last], rechunk=False)
        return ReadTables(tables=found, notes=tuple(self._notes(found["judgments"])))

    def _notes(self, judgments: pl.DataFrame) -> Iterator[str]:
        if count := int((judgments["status"] == VOID).sum()):
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


# What an answer that is no control has as control and expected score.
_NONE = (None, None)


class _Place(NamedTuple):
    """Where a document stands, and what its campaign says of it."""

    file: str
    line: int
    campaign: str | None
    tokens: Sequence[str]

    def add_marked(
        self,
        cells: list[object],
        number: int,
        question: str,
        spans: Sequence[PearmutSpan],
        text: str,
    ) -> None:
        """Add the cells of the spans of a text, in code points, for the answer of that number."""
        for span, place in zip(spans, span_places(spans, text, self.tokens), strict=True):
            severity = span.severity or "unspecified"
            cells += (number, question, *place, severity)


def _times(actions: Sequence[_Action]) -> tuple[float | None, float | None, float | None]:
    """When a document was shown and submitted, and for how long somebody worked on it."""
    if not actions:
        return None, None, None
    shown = next((a.time for a in actions if a.action == "load"), actions[0].time)
    active, before = 0.0, actions[0].time
    # a plain loop: this is done for every action of a log
    for action in actions:
        gap, before = action.time - before, action.time
        if gap > 0.0:
            active += gap if gap < LONGEST_PAUSE else LONGEST_PAUSE
    return shown, before, active


def _expected(item: _Item, system: str) -> float | None:
    """The middle of the scores that an attention check accepts."""
    check = (item.validation or {}).get(system)
    return sum(check.score) / 2 if check and check.score else None
