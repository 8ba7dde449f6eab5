"""A campaign's judgments as long tables, from which all statistics are computed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice

import numpy as np
import polars as pl

from jurat.campaigns.answer_rows import AnswerRows, Remark, rows, stack, to_frame
from jurat.model import Kit, KitSteps, TestSet
from jurat.protocols import Protocol
from jurat.store import Adjudication, Store
from jurat.store.change_feed import (
    EXCLUDED,
    Changes,
    Checkpoint,
    RawAssignment,
    RawDecision,
    RawJudge,
)
from jurat.store.judge_deletion import DELETED
from jurat.tables import TABLES
from jurat.tables.schema import TIME

# Decisions that are Python objects at one time, which bounds the memory of an export.
CHUNK = 50_000

# Columns that are the same for all decisions of an assignment.
ASSIGNMENT_COLUMNS = ("task", "phase", "kit", "probability")
# Columns that are the same for all decisions of a judge, with the judge's attribute.
JUDGE_COLUMNS = {"judge": "pin", "group": "group", "site": "site"}
# Columns that come from the decision, not from the answers.
DECISION_COLUMNS = (
    "campaign",
    *ASSIGNMENT_COLUMNS,
    *JUDGE_COLUMNS,
    "position",
    "shown_at",
    "decided_at",
    "seconds",
    "active_seconds",
    "played_seconds",
    "status",
    "step",
    "language",
    "revision",
    "reason",
)
# Columns that come last, in this order.
LAST_COLUMNS = (
    "kit",
    "control",
    "suggested",
    "step",
    "group",
    "site",
    "language",
    "revision",
    "reason",
)
_ASSIGNMENT, _CODE = "\0assignment", "\0code"
_NONE = pl.DataFrame()


class JudgmentTables:
    """The long tables of a campaign, which grow: each decision is read from the store once."""

    def __init__(self, store: Store, campaign: str, protocols: Mapping[str, Protocol]) -> None:
        """For a campaign with the protocols of its tasks, by task."""
        self._store = store
        self._campaign = campaign
        self._protocols = protocols
        self._answer_rows = AnswerRows(protocols, store.contents, without=DECISION_COLUMNS)
        self._people: dict[int, RawJudge] = {}
        self._assignments: dict[int, RawAssignment] = {}
        self._seen: dict[int, Checkpoint] = {}
        self._numbers: defaultdict[int, list[int]] = defaultdict(list)
        self._made: Counter[int] = Counter()
        self._decisions: list[pl.DataFrame] = []
        self._tables: dict[str, pl.DataFrame] = {}
        self._adjudicated: dict[str, pl.DataFrame] = {}

    @property
    def decisions(self) -> int:
        """The judgments read so far: a revised one once, none of kits that were excluded."""
        return sum(
            len(self._numbers.get(key, ()))
            for key, one in self._assignments.items()
            if one.state not in EXCLUDED
        )

    @property
    def last(self) -> datetime | None:
        """The time of the last decision read so far; None without decisions."""
        known = [part["decided_at"].max() for part in self._decisions]
        return max((moment for moment in known if isinstance(moment, datetime)), default=None)

    def tables(self) -> dict[str, pl.DataFrame]:
        """Every table that has rows, up to date with the store."""
        self._store.changes(self._campaign, self._seen, self._add)
        names = dict.fromkeys((*self._tables, *self._read_adjudications()))
        return {
            name: _without_unplayed(
                stack(self._tables.get(name, _NONE), self._adjudicated.get(name, _NONE))
            )
            for name in names
        }

    def _add(self, news: Changes) -> None:
        """Add what is new since the last call; rows are made again only where old ones change."""
        old_rows_change = self._update_people(news)
        if gone := [one.id for one in news.assignments if one.reason == DELETED]:
            kept = ~pl.col(_ASSIGNMENT).is_in(gone)
            self._decisions = [part.filter(kept) for part in self._decisions]
            old_rows_change = True
        new: list[pl.DataFrame] = []
        while chunk := list(islice(news.decisions, CHUNK)):
            new.append(self._chunk(chunk))
        for one, changes in news.versions.items():
            self._seen[one] = Checkpoint(changes, self._seen.get(one, Checkpoint()).number)
        self._decisions += new
        if old_rows_change or any((part["revision"] > 1).any() for part in new):
            new = self._decisions = [pl.concat(self._decisions)] if self._decisions else []
            self._tables = {}
        for part in new:
            for name, frame in self._rows_of(part).items():
                self._tables[name] = stack(self._tables.get(name, _NONE), frame)

    def _update_people(self, news: Changes) -> bool:
        """Take over judges and assignments; whether rows that were made before change by that."""
        people = {one.id: one for one in news.judges}
        moved = any(people[known] != one for known, one in self._people.items())
        before = {
            one.id: self._assignments[one.id]
            for one in news.assignments
            if one.id in self._assignments
        }
        self._people = people
        self._assignments |= {one.id: one for one in news.assignments}
        return moved or any(
            _exclusion(one) != _exclusion(self._assignments[name]) for name, one in before.items()
        )

    def _chunk(self, chunk: Sequence[RawDecision]) -> pl.DataFrame:
        """Decisions as columns, with a code for the answers."""
        codes, positions = [], []
        for one in chunk:
            assignment = self._assignments[one.assignment_id]
            index, _ = KitSteps(assignment.size, assignment.stages, assignment.advance).step(
                one.position
            )
            remark = Remark(one.flag, one.comment, bool(one.skipped))
            kit = (assignment.task, assignment.kit_id)
            codes.append(self._answer_rows.code(*kit, index, one.answers, remark))
            positions.append(self._position(one, assignment.judge_id))
            self._seen[one.assignment_id] = Checkpoint(number=one.number)
        columns = dict(zip(RawDecision._fields, zip(*chunk, strict=True), strict=True))
        return pl.DataFrame(
            {
                _ASSIGNMENT: pl.Series(columns["assignment_id"], dtype=pl.Int64),
                _CODE: pl.Series(codes, dtype=pl.Int64),
                "position": pl.Series(positions, dtype=pl.Int64),
                "shown_at": pl.Series(columns["shown_at"], dtype=pl.Int64).cast(TIME),
                "decided_at": pl.Series(columns["decided_at"], dtype=pl.Int64).cast(TIME),
                "seconds": pl.Series(columns["seconds"], dtype=pl.Float64),
                "active_seconds": pl.Series(columns["active_seconds"], dtype=pl.Float64),
                "played_seconds": pl.Series(columns["played_seconds"], dtype=pl.Float64),
                "step": pl.Series(columns["position"], dtype=pl.Int64),
                "language": _text_column(columns["language"]),
                "revision": pl.Series(columns["revision"], dtype=pl.Int64),
                "reason": _text_column(columns["reason"]),
            }
        )

    def _position(self, one: RawDecision, judge: int) -> int:
        """The number of the decision among the judge's, from 1; a revision keeps its number."""
        of_kit = self._numbers[one.assignment_id]
        if one.position > len(of_kit):
            self._made[judge] += 1
            of_kit.append(self._made[judge])
        return of_kit[one.position - 1]

    def _rows_of(self, part: pl.DataFrame) -> dict[str, pl.DataFrame]:
        """Decisions as rows of the long tables."""
        ids, at = np.unique(part[_ASSIGNMENT].to_numpy(), return_inverse=True)
        assignment = [self._assignments[one] for one in ids.tolist()]
        people = [self._people[one.judge_id] for one in assignment]
        gone, why = zip(*map(_exclusion, assignment), strict=True)
        left = pl.Series(gone)[at]
        told = part.with_columns(
            pl.lit(self._campaign).alias("campaign"),
            *(
                pl.Series(name, [getattr(one, name) for one in assignment])[at]
                for name in ASSIGNMENT_COLUMNS
            ),
            *(
                _text_column([getattr(p, of) for p in people])[at].alias(n)
                for n, of in JUDGE_COLUMNS.items()
            ),
            _status(part, left),
            _text_column(why)[at].zip_with(left, part["reason"]).alias("reason"),
        )
        found = self._answer_rows.expanded(part[_CODE].to_numpy())
        return {
            name: _in_column_order(name, pl.concat([told[of], frame], how="horizontal"))
            for name, (of, frame) in found.items()
        }

    def _read_adjudications(self) -> Iterable[str]:
        """Read all adjudications; the names of the tables with rows of them."""
        adjudications = self._store.adjudications(self._campaign)
        made: defaultdict[str, list[dict[str, object]]] = defaultdict(list)
        for one, facts in _adjudicated(adjudications):
            own = {"campaign": self._campaign, **facts}
            for table, values in rows(self._protocols[one.task], one.answers, one.item).items():
                made[table] += ({**_without_decision_columns(row), **own} for row in values)
        self._adjudicated = {
            table: _in_column_order(table, to_frame(table, of)) for table, of in made.items()
        }
        return self._adjudicated


def _without_unplayed(frame: pl.DataFrame) -> pl.DataFrame:
    """A table without the column of playing times, where nothing was played."""
    unplayed = "played_seconds" in frame and frame["played_seconds"].is_null().all()
    return frame.drop("played_seconds") if unplayed else frame


def translations(kits: Iterable[Kit]) -> pl.DataFrame:
    """The texts in kits: a row for each translation, and one for each degraded one."""
    rows: dict[tuple[str, str, str, str | None], tuple[str | None, str, str | None]] = {}
    for item in (item for kit in kits for item in kit.items):
        reference = next(iter(item.references.values()), None)
        control = item.control if item.control == "degraded" else None
        for shown in item.translations:
            # by each system, and by the name that judgments of all of them have
            for system in dict.fromkeys((*shown.systems, shown.name)):
                place = (item.document, item.segment, system, control)
                rows.setdefault(place, (item.source, shown.text, reference))
    names = ("document", "segment", "system", "control", "source", "translation", "reference")
    cells = [(*place, *texts) for place, texts in rows.items()]
    return pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String), orient="row")


def with_languages(
    tables: Mapping[str, pl.DataFrame], test_set: TestSet
) -> dict[str, pl.DataFrame]:
    """The tables with the languages of the test set as tags, where it names them."""
    told = {
        "source_language": test_set.source_language,
        "target_language": test_set.target_language,
    }
    return {
        name: frame.with_columns(
            pl.lit(value).alias(tag) for tag, value in told.items() if value and tag not in frame
        )
        for name, frame in tables.items()
    }


def _without_decision_columns(row: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name not in DECISION_COLUMNS}


def _exclusion(assignment: RawAssignment) -> tuple[bool, str]:
    """Whether the decisions of an assignment are excluded, and why."""
    return (True, assignment.reason) if assignment.state in EXCLUDED else (False, "")


def _text_column(values: Sequence[object]) -> pl.Series:
    return pl.Series([value or None for value in values], dtype=pl.String)


def _status(part: pl.DataFrame, gone: pl.Series) -> pl.Series:
    """`valid`; `superseded` by a later revision; `excluded` with the assignment."""
    status = pl.Series("status", ["valid"]).new_from_index(0, len(part))
    if (part["revision"] > 1).any():
        last = part.select(pl.col("revision").max().over(_ASSIGNMENT, "step")).to_series()
        status = status.set(part["revision"] < last, "superseded")
    return status.set(gone, "excluded")


def _in_column_order(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    """The table's own columns, then tags, then `LAST_COLUMNS`."""
    own = [name for name in TABLES[table].schema if name in frame.columns]
    extra = [name for name in LAST_COLUMNS if name in frame.columns]
    tags = [name for name in frame.columns if name not in (*own, *extra, _ASSIGNMENT, _CODE)]
    return frame.select(*own, *tags, *extra)


def _adjudicated(
    adjudications: Sequence[Adjudication],
) -> Iterator[tuple[Adjudication, Mapping[str, object]]]:
    """Adjudications with their columns; of several of one item only the last counts."""
    last = {(one.task, one.phase, one.kit, one.index): one.number for one in adjudications}
    for one in adjudications:
        counts = last[one.task, one.phase, one.kit, one.index] == one.number
        status = "adjudicated" if counts else "superseded"
        yield (
            one,
            {
                "task": one.task,
                "phase": one.phase,
                "decided_at": one.decided_at,
                "kit": one.kit,
                "judge": one.author,
                "status": status,
                "reason": one.reason or None,
            },
        )
