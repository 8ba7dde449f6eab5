"""The long tables as writers of other formats need them: what a judge said of a translation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TypeAlias

import msgspec
import polars as pl

from jurat.formats.losses import UNKNOWN, left_out
from jurat.formats.span_weights import MQM_QUESTION, penalty
from jurat.model import Suggestion

Cells: TypeAlias = Mapping[str, object]

# What the rows of one translation in one decision have in common. `item` is as the file names it;
# document and segment are left out, since tables that lack them differ in what stands for them.
_DECISION = (
    "judge", "phase", "item", "system", "control", "position", "shown_at", "decided_at", "beside",
)  # fmt: skip
# What all that was shown together has in common.
_SCREEN = ("judge", "phase", "position", "shown_at", "decided_at")
# Tables of the texts, of what judges are still to judge, and of what they are asked.
TRANSLATIONS, WORK, QUESTIONS = "translations", "work", "questions"
# The same number, but for the error of adding weights.
_CLOSE = 1e-6


@dataclass(slots=True)
class JudgedTranslation:
    """All answers of a judge about one translation in one decision, and its texts."""

    cells: Cells
    """The columns of its first row: judge, document, segment, system, times and tags."""
    answers: dict[str, float] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    spans: list[Cells] = field(default_factory=list)
    suggestions: list[Cells] = field(default_factory=list)
    """Errors that were marked before the judge saw it."""
    texts: dict[str, str] = field(default_factory=dict)
    source: str | None = None
    translation: str | None = None
    reference: str | None = None

    def text(self, name: str) -> str:
        """A column as a text; empty if it is missing."""
        value = self.cells.get(name)
        return "" if value is None else str(value)

    def seconds(self, name: str) -> float | None:
        """A time as Unix seconds."""
        value = self.cells.get(name)
        return value.timestamp() if isinstance(value, datetime) else None

    def answer(self, question: str, cells: Cells) -> None:
        """Add the answer in a row of judgments: a number, or else a label."""
        if cells.get("value") is not None:
            self.answers[question] = float(str(cells["value"]))
        elif cells.get("label") is not None:
            self.labels[question] = str(cells["label"])

    @property
    def judge(self) -> str:
        """Who judged; a word for those who are not known."""
        return self.text("judge") or UNKNOWN

    @property
    def segment(self) -> str:
        """The segment; a table that names only items has these."""
        return self.text("segment") or ("" if self.text("document") else self.text("item"))

    @property
    def moved_marks(self) -> int:
        """The marks of something missing that are not at the end of the text.

        Formats that say only that something is missing have them there when they are read.
        """
        end = len(self.translation or "")
        marks = (s for s in self.spans if s.get("missing") and s.get("source_start") is None)
        return sum((s["start"], s["end"]) != (end, end) for s in marks)

    @property
    def penalty_by_severity(self) -> float | None:
        """Minus the sum of the usual weights of its errors; None where one has none."""
        return penalty([str(span["severity"]) for span in self.spans])

    @property
    def penalty(self) -> float:
        """The sum of the weights of its errors."""
        return sum(float(str(span.get("weight") or 0)) for span in self.spans)


@dataclass(frozen=True)
class JudgedTranslations:
    """The translations of tables, in the order of their judgments, and what was left out."""

    rows: list[JudgedTranslation]
    notes: tuple[str, ...] = ()
    asked: tuple[Cells, ...] = ()
    """The questions of the campaign, as `QUESTIONS` has them; none where they are not known."""
    work: tuple[Cells, ...] = ()
    """What judges are still to judge, as `WORK` has it."""

    @property
    def campaign(self) -> str:
        """The name of the campaign; empty where the first row does not say one."""
        return str(next(self._cells, {}).get("campaign") or "")

    @property
    def _cells(self) -> Iterator[Cells]:
        yield from (row.cells for row in self.rows)
        yield from self.work

    @property
    def unplaced(self) -> int:
        """The number of spans in translations whose texts are not known."""
        return sum(len(row.spans) for row in self.rows if row.translation is None)

    @cached_property
    def questions(self) -> list[str]:
        """The questions with numbers that do not follow from marked errors; else all of them.

        Where nothing is judged yet, they are those of the campaign.
        """
        answered = (name for row in self.rows for name in row.answers)
        asked = (str(one["question"]) for one in self.asked)
        every = dict.fromkeys(answered if self.rows else asked)
        return [name for name in every if name not in self.derived] or list(every)

    @cached_property
    def numbers(self) -> list[str]:
        """The questions with numbers that judges gave; none where they marked errors alone.

        Where the campaign is not known, sums of errors are no numbers if the errors, which are
        written, tell them.
        """
        sums = {*self.derived, MQM_QUESTION}
        if self.asked or self._are_told(sums):
            return [name for name in self.questions if name not in sums]
        return self.questions

    def _are_told(self, sums: set[str]) -> bool:
        """Whether all these answers follow from severities of errors in known texts."""
        asked = [
            (row, row.answers[name]) for row in self.rows for name in sums & row.answers.keys()
        ]
        marked = any(row.spans for row, _ in asked) and not self.unplaced
        return marked and all(row.penalty_by_severity == value for row, value in asked)

    @property
    def _marking(self) -> Iterator[str]:
        return (str(one["question"]) for one in self.asked if one["errors"])

    @cached_property
    def derived(self) -> frozenset[str]:
        """The questions whose answers are minus the sum of the weights of marked errors."""
        marked = {str(s["question"]) for row in self.rows for s in row.spans if s.get("weight")}
        # before anybody has marked an error, only the campaign knows what follows from errors
        return frozenset(self._marking) | frozenset(
            question
            for question in marked
            if all(
                abs(row.answers[question] + row.penalty) < _CLOSE
                for row in self.rows
                if question in row.answers
            )
        )

    def languages(self) -> tuple[str, str]:
        """The source and the target language, where the rows say one; else `und`, undetermined."""
        names = ("source_language", "target_language", "language_pair")
        for cells in self._cells:
            source, target, both = (str(cells.get(name) or "") for name in names)
            pair = both.partition("-")
            if source or target or pair[0]:
                return source or pair[0] or "und", target or pair[2] or "und"
        return "und", "und"


def judged_translations(
    tables: Mapping[str, pl.DataFrame], *, controls: bool = True
) -> JudgedTranslations:
    """The translations that were judged, of rows that count, with their spans and texts.

    The tables are those of `counting_tables`. Without `controls`, controls and repeated items are
    left out, as systems' scores leave them out: a format that cannot mark them needs that.
    """
    asked = tables.get("judgments", pl.DataFrame()).height
    if not controls:
        tables = {name: _without_controls(rows) for name, rows in tables.items()}
    judgments = tables.get("judgments", pl.DataFrame())
    rows: dict[tuple[object, ...], JudgedTranslation] = {}
    for cells in judgments.iter_rows(named=True):
        judged = _place(rows, cells)
        question = str(cells["question"])
        # without times, somebody's second answer can only be known by the question
        if question in judged.answers or question in judged.labels:
            rows[*_key(cells), len(rows)] = judged = JudgedTranslation(cells)
        judged.answer(question, cells)
    lost = Counter({"answers to controls and repeated items": asked - judgments.height})
    shown: dict[tuple[object, ...], JudgedTranslation] = {}
    for row in rows.values():
        shown.setdefault(_key(row.cells, _SCREEN), row)
    for name in ("spans", "suggestions", "texts"):
        for cells in tables.get(name, pl.DataFrame()).iter_rows(named=True):
            found = rows.get(_key(cells)) if judgments.height else _place(rows, cells)
            # a comment may be about all that was shown together
            if found is None and cells.get("system") is None:
                found = shown.get(_key(cells, _SCREEN))
            if found is None:
                lost[f"{name} without a judgment that counts"] += 1
            elif name == "spans":
                found.spans.append(cells)
            elif name == "suggestions":
                found.suggestions.append(cells)
            else:
                found.texts[str(cells["question"])] = str(cells["text"])
    _add_texts(rows.values(), tables.get(TRANSLATIONS))
    questions, work = (tables.get(name, pl.DataFrame()).to_dicts() for name in (QUESTIONS, WORK))
    return JudgedTranslations(
        list(rows.values()), tuple(left_out(lost)), tuple(questions), tuple(work)
    )


def _without_controls(rows: pl.DataFrame) -> pl.DataFrame:
    if "control" not in rows.columns:
        return rows
    return rows.filter(pl.col("control").cast(pl.String).fill_null("") == "")


def suggestion_cells(row: Cells) -> list[Cells]:
    """What was marked beforehand in a row of `work`, as the table of suggestions has it."""
    told = str(row.get("suggestions") or "[]")
    found: list[Cells] = []
    for one in msgspec.json.decode(told, type=list[Suggestion]):
        # no other tool has them in the source
        if one.side == "translation":
            missing = one.missing or bool(one.mark)
            cells = {"start": one.start, "end": one.end, "severity": one.severity}
            found.append({**cells, "missing": missing, "category": one.mark or one.category})
    return found


def of_own_questions(table: pl.DataFrame, tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The rows of a table that do not follow from judgments: those of questions of its own."""
    if "judgments" not in tables or "question" not in table.columns:
        return table
    asked = tables["judgments"]["question"].unique()
    return table.filter(~pl.col("question").is_in(asked.to_list()))


def _key(cells: Cells, names: Sequence[str] = _DECISION) -> tuple[object, ...]:
    return tuple(cells.get(name) for name in names)


def _place(rows: dict[tuple[object, ...], JudgedTranslation], cells: Cells) -> JudgedTranslation:
    return rows.setdefault(_key(cells), JudgedTranslation(cells))


def _add_texts(rows: Iterable[JudgedTranslation], texts: pl.DataFrame | None) -> None:
    """Add source, translation and reference, where they are known."""
    if texts is None:
        return
    known: dict[tuple[object, ...], Cells] = {}
    for cells in texts.iter_rows(named=True):
        # a degraded translation is another text of the same system
        known.setdefault((*_about(cells), cells.get("control") == "degraded"), cells)
    for row in rows:
        about, degraded = _about(row.cells), row.cells.get("control") == "degraded"
        found = known.get((*about, degraded)) or known.get((*about, False))
        if found:
            row.source, row.translation, row.reference = (
                None if found[name] is None else str(found[name])
                for name in ("source", "translation", "reference")
            )


def _about(cells: Cells) -> Sequence[object]:
    return [cells.get(name) for name in ("document", "segment", "system")]
