"""Writes judgments as Pearmut keeps them: annotations, and the campaign and progress for them.

`pearmut add-existing` takes the three files. Every decision becomes a document that a user has
submitted; the campaign gives every user the documents that they have judged.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec
import polars as pl

from jurat.errors import input_error
from jurat.formats.export_rows import (
    Cells,
    JudgedTranslation,
    JudgedTranslations,
    judged_translations,
    suggestion_cells,
)
from jurat.formats.file_format import WrittenFiles
from jurat.formats.losses import left_out, unheld
from jurat.formats.offsets import code_units, utf16_length
from jurat.formats.pearmut_items import LONGEST_PAUSE
from jurat.formats.pearmut_spans import MISSING
from jurat.formats.wmt_ids import join_id
from jurat.model import File

# The question that is Pearmut's score, and the texts that it keeps.
SCORE, TEXT_FIELD, COMMENT = "score", "textfield", "comment"
# The ends of its scale.
SCORE_ENDS = (0.0, 100.0)
# The name of a campaign whose judgments do not say one.
UNNAMED = "jurat"
# Characters of an address that need not be escaped.
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~")


def write_annotations(tables: Mapping[str, pl.DataFrame], *, ending: str) -> WrittenFiles:
    """The annotations as JSON Lines if that is the ending; else three files for a folder.

    Raises `InputError` if there are no judgments with numbers, no marked errors, and nothing that
    is left to judge in a folder.
    """
    judged = judged_translations(_with_comments(tables))
    is_going_on = bool(judged.work) and ending != "jsonl"
    if not is_going_on and not any(row.answers or row.spans for row in judged.rows):
        raise input_error("Pearmut holds scores and marked errors, and there are none")
    log = _Log(judged)
    lines = list(log.lines())
    notes = (*log.notes(), *left_out(_flags_without_words(tables), "Pearmut"))
    if ending == "jsonl":
        data = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        return WrittenFiles(files=[File("annotations.jsonl", data)], notes=notes)
    left = log.documents_left()
    campaign = log.campaign(lines, left)
    name = campaign["campaign_id"]
    files = {
        "annotations.json": {name: lines},
        "campaign.json": campaign,
        "progress.json": {name: log.progress(name, lines, left)},
    }
    encoded = [File(path, msgspec.json.encode(content)) for path, content in files.items()]
    return WrittenFiles(files=encoded, notes=notes)


def _with_comments(tables: Mapping[str, pl.DataFrame]) -> Mapping[str, pl.DataFrame]:
    """The tables with judges' words about items among the texts, as comments."""
    flags = tables.get("flags")
    if flags is None or "comment" not in flags.columns:
        return tables
    words = flags.filter(pl.col("comment").fill_null("") != "").drop(
        "flag", "skipped", strict=False
    )
    about = words.rename({"comment": "text"}).with_columns(pl.lit(COMMENT).alias("question"))
    # what several systems are joined in is about all that was shown
    told = [about.with_columns(pl.lit(None, pl.String).alias("system")), tables.get("texts")]
    texts = pl.concat([frame for frame in told if frame is not None], how="diagonal_relaxed")
    return {**tables, "texts": texts}


def _flags_without_words(tables: Mapping[str, pl.DataFrame]) -> dict[str, int]:
    """How often judges said by a flag alone what is wrong with an item."""
    flags = tables.get("flags", pl.DataFrame({"flag": []}))
    kinds = flags.filter(pl.col("flag") != COMMENT)["flag"]
    return {f"flags ({kind})": int((kinds == kind).sum()) for kind in kinds.unique().sort()}


class _Log:
    """Turns judged translations into submitted documents."""

    def __init__(self, judged: JudgedTranslations) -> None:
        self._judged = judged
        # what was marked beforehand in what is left to judge
        self._work = [(row, suggestion_cells(row)) for row in judged.work]
        asked = judged.questions
        self._questions = {str(one["question"]): one for one in judged.asked}
        self._is_mqm = bool(asked) and not judged.numbers
        # one question, whatever its name, is the score that Pearmut shows
        one = len(judged.numbers) == 1 and self._ends(asked[0]) == SCORE_ENDS
        self._score = asked[0] if one and SCORE not in asked else SCORE
        self._sliders = [] if self._is_mqm else [name for name in asked if name != self._score]
        marked = [one for row in judged.rows for one in (*row.spans, *row.suggestions)]
        marked += [one for _, told in self._work for one in told]
        self._is_marked = bool(marked) or any(one["errors"] for one in judged.asked)
        self._categories = _listed(judged.asked, "categories")
        if self._is_mqm and not self._categories:
            named = (str(one["category"]) for one in marked if one.get("category"))
            self._categories = [name for name in dict.fromkeys(named) if name != MISSING]
        names = [str(one.get("category")) for one in marked if _is_missing(one)]
        told = dict.fromkeys((*_listed(judged.asked, "marks"), *names))
        known = ("None", MISSING, *self._categories)
        self._tokens = [MISSING, *(name for name in told if name not in known)]

    def _ends(self, question: str) -> tuple[float, float]:
        """The ends of a question's scale, where they are known; else those of Pearmut's score."""
        told = self._questions.get(question, {})
        return float(str(told.get("low") or 0)), float(str(told.get("high") or SCORE_ENDS[1]))

    def lines(self) -> Iterator[dict[str, Any]]:
        """The documents in the order in which they were submitted."""
        numbers: Counter[tuple[str, str]] = Counter()
        # rows of a decision follow each other in every table
        for _, group in groupby(self._judged.rows, key=_screen):
            rows = list(group)
            user, part = rows[0].judge, _part(rows[0])
            number = numbers[user, part]
            numbers[user, part] += 1
            yield {
                "annotation": [self._answers(own) for own in _segments(rows)],
                "actions": _actions(rows[0]),
                "item": [self._item(own) for own in _segments(rows)],
                "comment": next((r.texts[COMMENT] for r in rows if COMMENT in r.texts), ""),
                "user_id": user,
                "item_i": f"{part}_{number}" if part else number,
            }

    def _answers(self, rows: Sequence[JudgedTranslation]) -> dict[str, Any]:
        """The answers by system, in the order on the screen."""
        answers: dict[str, Any] = {}
        for row in sorted(rows, key=lambda row: int(row.text("slot") or 0)):
            told: dict[str, Any] = {
                # without a score and without sliders, errors alone are marked
                "score": None if self._is_mqm else row.answers.get(self._score),
                "error_spans": [
                    self._span(span, row.translation)
                    for span in row.spans
                    if row.translation is not None
                ],
                "textfield": row.texts.get(TEXT_FIELD),
            }
            if self._sliders or self._is_mqm:
                told["sliders"] = {n: row.answers[n] for n in self._sliders if n in row.answers}
            answers[row.text("system")] = told
        return answers

    def _span(self, span: Cells, text: str) -> dict[str, object]:
        """A span in UTF-16 code units, with its last one as the end."""
        severity = None if span["severity"] == "unspecified" else span["severity"]
        if _is_missing(span):
            named = str(span.get("category") or MISSING)
            kind = None if named in self._tokens else named
            at = utf16_length(text) + (0 if kind else self._tokens.index(named))
            return {"start_i": at, "end_i": at, "severity": severity, "category": kind}
        start, end = (code_units(text, int(str(span[name]))) for name in ("start", "end"))
        marked = {"start_i": start, "end_i": end - 1}
        return {**marked, "severity": severity, "category": span.get("category")}

    def _item(self, rows: Sequence[JudgedTranslation]) -> dict[str, Any]:
        first = rows[0]
        item: dict[str, Any] = {
            "item_id": join_id(first.text("document"), first.segment),
            "tgt": {row.text("system"): row.translation or "" for row in rows},
        }
        item |= {"src": first.source} if first.source is not None else {}
        item |= {"ref": first.reference} if first.reference is not None else {}
        before = {
            row.text("system"): [self._span(one, row.translation) for one in row.suggestions]
            for row in rows
            if row.suggestions and row.translation is not None
        }
        item |= {"error_spans": before} if before else {}
        accepted = {
            row.text("system"): {"score": [row.cells["expected"], row.cells["expected"]]}
            for row in rows
            if row.cells.get("expected") is not None
        }
        return {**item, "validation": accepted} if accepted else item

    def documents_left(self) -> dict[str, list[Any]]:
        """The documents that each user is still to judge: a kit is one."""
        found: defaultdict[str, list[Any]] = defaultdict(list)
        for (judge, _), shown in groupby(
            self._work, key=lambda one: (one[0]["judge"], one[0]["kit"])
        ):
            segments: dict[str, dict[str, Any]] = {}
            for row, before in shown:
                name = join_id(str(row["document"]), str(row["segment"]))
                item = segments.setdefault(name, {"item_id": name, "tgt": {}})
                system, text = str(row["system"]), str(row["translation"])
                item["tgt"][system] = text
                told = {"src": row["source"], "ref": row["reference"]}
                item |= {field: text for field, text in told.items() if text is not None}
                if before:
                    spans = [self._span(one, text) for one in before]
                    item.setdefault("error_spans", {})[system] = spans
            found[str(judge)].append(list(segments.values()))
        return found

    def campaign(
        self, lines: Sequence[Mapping[str, Any]], work: Mapping[str, Sequence[Any]]
    ) -> dict[str, Any]:
        """The campaign in which users were given what they have judged, and then what is left."""
        users: defaultdict[str, list[Any]] = defaultdict(list)
        others: dict[str, list[Any]] = {"welcome": [], "random": []}
        for line in lines:
            part, mark, _ = str(line["item_i"]).partition("_")
            (others[part] if mark else users[line["user_id"]]).append(line["item"])
        for user, documents in work.items():
            users[user] += documents
        marked = self._is_marked
        info: dict[str, Any] = {
            "assignment": "task-based",
            "protocol": self._protocol(_shown(lines, work)) if marked else "DA",
            "users": list(users),
            "shuffle": False,
            "special_tokens": self._tokens if marked else [],
        }
        if self._sliders or self._is_mqm:
            info["sliders"] = list(map(self._slider, self._sliders))
        if marked and self._categories:
            severities = _listed(self._judged.asked, "severities")
            info |= {"mqm_severities": severities} if severities else {}
            info["mqm_categories"] = _by_main_category(self._categories)
        if others["random"]:
            info["data_random_prob"] = 0.0
        name = self._judged.campaign or UNNAMED
        more = {f"data_{part}": documents for part, documents in others.items() if documents}
        return {"campaign_id": name, "info": info, "data": dict(users), **more}

    def _protocol(self, shown: Iterable[Mapping[str, Any]]) -> str:
        """Pearmut's name of marking errors: of one translation, or of several on a screen."""
        if self._is_mqm or self._categories:
            return "MQM"
        return "cESA" if any(len(item["tgt"]) > 1 for item in shown) else "ESA"

    def _slider(self, name: str) -> dict[str, object]:
        if name in self._questions:
            low, high = self._ends(name)
            return {"name": name, "min": low, "max": high, "step": 1}
        values = [row.answers[name] for row in self._judged.rows if name in row.answers]
        return {"name": name, "min": min(values), "max": max(values), "step": 1}

    def progress(
        self, name: str, lines: Sequence[Mapping[str, Any]], work: Mapping[str, Sequence[Any]]
    ) -> dict[str, Any]:
        """How far every user is: they have completed the documents that they have judged."""
        done: Counter[str] = Counter(dict.fromkeys(work, 0))
        active: Counter[str] = Counter()
        moments: defaultdict[str, list[float]] = defaultdict(list)
        for line in lines:
            done[line["user_id"]] += not isinstance(line["item_i"], str)
            times = [action["time"] for action in line["actions"]]
            moments[line["user_id"]] += times
            if len(times) > 1:
                active[line["user_id"]] += min(times[1] - times[0], LONGEST_PAUSE)
        return {
            user: {
                "progress": ["completed"] * count + [None] * len(work.get(user, ())),
                "progress_welcome": [],
                "progress_goodbye": [],
                "time_start": min(moments[user], default=None),
                "time_end": max(moments[user], default=None),
                "time": active[user],
                "url": f"annotate?campaign_id={_escaped(name)}&user_id={_escaped(user)}",
                "token_correct": "",
                "token_incorrect": "",
                "note": None,
            }
            for user, count in done.items()
        }

    def notes(self) -> Iterator[str]:
        """What Pearmut's files do not hold."""
        rows = self._judged.rows
        if self._score != SCORE:
            yield f"Pearmut: the question '{self._score}' is written as Pearmut's score"
        # an offset beyond the text would be a special token
        lost = Counter({"spans in texts that are not known": self._judged.unplaced})
        for row in rows:
            lost["answers in words"] += len(row.labels)
            lost["texts that are no comment"] += len({*row.texts} - {COMMENT, TEXT_FIELD})
            control = row.text("control")
            lost[f"marks of controls ({control})"] += control not in ("", "degraded")
            lost["places in the source"] += sum(
                span.get("source_start") is not None for span in row.spans
            )
            lost["places of something missing"] += row.moved_marks if row.translation else 0
            lost["comments on marked errors"] += sum(bool(s.get("comment")) for s in row.spans)
            if self._is_mqm and row.answers:
                lost["sums of errors by other weights than usual"] += (
                    row.penalty_by_severity not in (row.answers.values())
                )
        yield from left_out(lost, "Pearmut")
        held = self._judged.questions if self._is_mqm else (self._score, *self._sliders)
        yield from unheld(self._judged, "Pearmut", held, nobody=False)
        if any(row.cells.get("active_seconds") is not None for row in rows):
            yield "Pearmut: active time is what Pearmut computes from showing and submitting"


def _shown(
    lines: Iterable[Mapping[str, Any]], work: Mapping[str, Iterable[Any]]
) -> Iterator[Mapping[str, Any]]:
    """The items that were judged, and those that are left."""
    yield from (item for line in lines for item in line["item"])
    yield from (item for documents in work.values() for own in documents for item in own)


def _listed(questions: Sequence[Cells], field: str) -> list[str]:
    """The kinds of errors that questions have."""
    own = (str(one.get(field) or "[]") for one in questions)
    return list(dict.fromkeys(name for told in own for name in msgspec.json.decode(told)))


def _by_main_category(names: Sequence[str]) -> dict[str, list[str]]:
    """Categories by what stands before their stroke; one with nothing below it has its own name."""
    found: dict[str, list[str]] = {}
    for main, _, own in (name.partition("/") for name in names):
        found.setdefault(main, []).extend([own] if own not in ("", main) else [])
    return found


def _escaped(text: str) -> str:
    """A text as a part of an address."""
    return "".join(c if c in _PLAIN else "".join(f"%{b:02X}" for b in c.encode()) for c in text)


def _is_missing(span: Cells) -> bool:
    return bool(span.get("missing"))


def _part(row: JudgedTranslation) -> str:
    """The part of Pearmut's campaign that a judgment belongs to; empty for the evaluation."""
    if row.text("phase") == "tutorial":
        return "welcome"
    return "random" if row.text("control") == "degraded" else ""


def _screen(row: JudgedTranslation) -> tuple[object, ...]:
    """What the translations that were shown together have in common."""
    shared = ("judge", "document", "position", "shown_at", "decided_at")
    alone = (row.segment, row.text("system")) if row.cells.get("position") is None else ()
    return (_part(row), *(row.cells.get(name) for name in shared), *alone)


def _segments(rows: Sequence[JudgedTranslation]) -> list[list[JudgedTranslation]]:
    """The rows of each segment, in the order in which the segments come."""
    found: dict[str, list[JudgedTranslation]] = {}
    for row in rows:
        found.setdefault(row.segment, []).append(row)
    return list(found.values())


def _actions(row: JudgedTranslation) -> list[dict[str, object]]:
    """Loading and submitting, as far as their times are known."""
    times = {"load": row.seconds("shown_at"), "submit": row.seconds("decided_at")}
    return [{"time": time, "action": action} for action, time in times.items() if time is not None]
