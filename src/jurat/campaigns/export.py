"""A campaign's judgments as the long tables from which everything is computed, kept up to date."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import islice

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.model import Item, KitSteps
from jurat.protocols import Protocol
from jurat.store import Adjudication, Store
from jurat.store.changes import (
    EXCLUDED,
    Changes,
    Checkpoint,
    RawAssignment,
    RawDecision,
    RawJudge,
)
from jurat.tables import TABLES, conform
from jurat.tables.schema import TIME

Codes = NDArray[np.int64]
# Kits whose items are at hand: judges do many kits at the same time, and each of them again.
KITS = 2048

# Pieces of a frame that grows; more of them are put together, which copies all of it.
PIECES = 32

_item = msgspec.json.Decoder(Item).decode


class Sayings:
    """Everything that was said so far, by a code; those who said the same share one."""

    def __init__(
        self,
        protocols: Mapping[str, Protocol],
        contents: Callable[[int], Sequence[str]],
        *,
        without: Collection[str],
    ) -> None:
        """For tasks with these protocols, and kits whose items can be had as JSON.

        Columns of the names in `without` are told by the decision, whatever a tag is called.
        """
        self._protocols = protocols
        self._contents = lru_cache(KITS)(contents)
        self._without = frozenset(without)
        self._answers: dict[str, int] = {}
        self._known: dict[tuple[int, int, int], int] = {}
        self._tables: dict[str, _Rows] = {}

    def code(self, task: str, kit_id: int, index: int, answers: str) -> int:
        """The code of answers to an item of a kit."""
        said = self._answers.setdefault(answers, len(self._answers))
        key = (kit_id, index, said)
        code = self._known.get(key)
        if code is None:
            code = self._known[key] = len(self._known)
            item = _item(self._contents(kit_id)[index])
            self._add(code, rows(self._protocols[task], msgspec.json.decode(answers), item))
        return code

    def expanded(self, codes: Codes) -> dict[str, tuple[Codes, pl.DataFrame]]:
        """By table, the rows of these codes, and for each row which of the codes it is of."""
        known = len(self._known)
        found = {name: kept.expanded(codes, known) for name, kept in self._tables.items()}
        return {name: pair for name, pair in found.items() if len(pair[0])}

    def _add(self, code: int, made: Mapping[str, list[dict[str, object]]]) -> None:
        for table, values in made.items():
            for row in values:
                for name in self._without.intersection(row):
                    del row[name]
            if table not in self._tables:
                self._tables[table] = _Rows(table)
            self._tables[table].add(code, values)


class _Rows:
    """The rows of one table, in the order of their codes."""

    def __init__(self, table: str) -> None:
        self._table = TABLES[table]
        self._codes: list[int] = []
        self._new: list[dict[str, object]] = []
        self._frame = pl.DataFrame()

    def add(self, code: int, values: list[dict[str, object]]) -> None:
        self._codes += [code] * len(values)
        self._new += values

    def expanded(self, codes: Codes, known: int) -> tuple[Codes, pl.DataFrame]:
        self._gather()
        first = np.searchsorted(np.asarray(self._codes, dtype=np.int64), np.arange(known + 1))
        counts = first[codes + 1] - first[codes]
        of = np.repeat(np.arange(len(codes)), counts)
        begins = np.repeat(first[codes] - (np.cumsum(counts) - counts), counts)
        return of, self._frame[begins + np.arange(len(of))]

    def _gather(self) -> None:
        if self._new:
            self._frame = under(self._frame, framed(self._table.name, self._new))
            self._new = []


def rows(
    protocol: Protocol, answers: Mapping[str, object], item: Item
) -> dict[str, list[dict[str, object]]]:
    """What answers to an item leave in each table."""
    made: dict[str, list[dict[str, object]]] = {}
    own = {"item": item_name(item), "control": item.control or None}
    for row in protocol.rows(answers, item):
        made.setdefault(row.table, []).append({**row.values, **own})
    return made


def framed(table: str, values: Sequence[Mapping[str, object]]) -> pl.DataFrame:
    """Rows as a frame with the table's columns."""
    frame = pl.DataFrame(values, infer_schema_length=None).cast({pl.Null: pl.String})
    return conform(frame, TABLES[table])


def under(*frames: pl.DataFrame) -> pl.DataFrame:
    """Frames one under the other; what one of them does not have is missing in it."""
    there = [frame for frame in frames if frame.height]
    whole = pl.concat(there, how="diagonal_relaxed") if there else pl.DataFrame()
    return whole.rechunk() if whole.n_chunks() > PIECES else whole


def item_name(item: Item) -> str:
    """What was judged, the same for every judge and for an item that a judge meets again."""
    systems = [item.translations[0].system] if len(item.translations) == 1 else []
    damaged = ["degraded"] if item.control == "degraded" else []
    parts = [item.document, item.segment, *systems, "+".join(item.references), *damaged]
    # escaped as the column maps do it, so that different parts never give the same whole
    return "|".join(part.replace("\\", "\\\\").replace("|", "\\|") for part in parts if part)


__all__ = ["CHUNK", "Ledger", "item_name"]

# Decisions that are plain Python rows at a time: what bounds the memory of an export.
CHUNK = 50_000

# Columns that are the same for all decisions of an assignment.
HELD = ("task", "phase", "kit", "probability")
# Columns that are the same for all decisions of a judge, and what they are of him.
PERSON = {"judge": "pin", "group": "group", "site": "site"}
# Columns that the decision tells, and not the answer.
TOLD = (
    "campaign",
    *HELD,
    *PERSON,
    "position",
    "shown_at",
    "decided_at",
    "seconds",
    "active_seconds",
    "status",
    "step",
    "language",
    "revision",
    "reason",
)
# Columns that come after all others, in this order.
EXTRA = ("kit", "control", "step", "group", "site", "language", "revision", "probability", "reason")
_HELD, _SAID = "\0held", "\0said"


class Ledger:
    """The long tables of a campaign; what is new is added to them, and nothing read twice."""

    def __init__(self, store: Store, campaign: str, protocols: Mapping[str, Protocol]) -> None:
        """For a campaign with the protocols of its tasks."""
        self._store = store
        self._campaign = campaign
        self._protocols = protocols
        self._sayings = Sayings(protocols, store.contents, without=TOLD)
        self._people: dict[int, RawJudge] = {}
        self._held: dict[int, RawAssignment] = {}
        self._seen: dict[int, Checkpoint] = {}
        self._numbers: defaultdict[int, list[int]] = defaultdict(list)
        self._made: Counter[int] = Counter()
        self._decisions: list[pl.DataFrame] = []
        self._tables: dict[str, pl.DataFrame] = {}
        self._settled: dict[str, pl.DataFrame] = {}

    @property
    def decisions(self) -> int:
        """How many are in it."""
        return sum(map(len, self._decisions))

    @property
    def last(self) -> datetime | None:
        """When the last of them was made."""
        known = [part["decided_at"].max() for part in self._decisions]
        return max((moment for moment in known if isinstance(moment, datetime)), default=None)

    def tables(self) -> dict[str, pl.DataFrame]:
        """Every table that has rows, as everything stands now."""
        self._store.changes(self._campaign, self._seen, self._take)
        names = dict.fromkeys((*self._tables, *self._settle()))
        return {
            name: under(self._tables.get(name, _NONE), self._settled.get(name, _NONE))
            for name in names
        }

    def _take(self, news: Changes) -> None:
        reads_differently = self._note(news)
        new: list[pl.DataFrame] = []
        while chunk := list(islice(news.decisions, CHUNK)):
            new.append(self._chunk(chunk))
        for one, changes in news.versions.items():
            self._seen[one] = Checkpoint(changes, self._seen.get(one, Checkpoint()).number)
        self._decisions += new
        if reads_differently or any((part["revision"] > 1).any() for part in new):
            new = self._decisions = [pl.concat(self._decisions)] if self._decisions else []
            self._tables = {}
        for part in new:
            for name, frame in self._told(part).items():
                self._tables[name] = under(self._tables.get(name, _NONE), frame)

    def _note(self, news: Changes) -> bool:
        """Take in people and assignments; whether what was told of them reads differently now."""
        people = {one.id: one for one in news.judges}
        moved = any(people[known] != one for known, one in self._people.items())
        before = {one.id: self._held[one.id] for one in news.assignments if one.id in self._held}
        self._people = people
        self._held |= {one.id: one for one in news.assignments}
        return moved or any(_gone(one) != _gone(self._held[name]) for name, one in before.items())

    def _chunk(self, chunk: Sequence[RawDecision]) -> pl.DataFrame:
        """Decisions as columns, with a code for what was said."""
        codes, positions = [], []
        for one in chunk:
            held = self._held[one.assignment_id]
            index, _ = KitSteps(held.size, held.stages, held.advance).step(one.position)
            codes.append(self._sayings.code(held.task, held.kit_id, index, one.answers))
            positions.append(self._position(one, held.judge_id))
            self._seen[one.assignment_id] = Checkpoint(number=one.number)
        columns = dict(zip(RawDecision._fields, zip(*chunk, strict=True), strict=True))
        return pl.DataFrame(
            {
                _HELD: pl.Series(columns["assignment_id"], dtype=pl.Int64),
                _SAID: pl.Series(codes, dtype=pl.Int64),
                "position": pl.Series(positions, dtype=pl.Int64),
                "shown_at": pl.Series(columns["shown_at"], dtype=pl.Int64).cast(TIME),
                "decided_at": pl.Series(columns["decided_at"], dtype=pl.Int64).cast(TIME),
                "seconds": pl.Series(columns["seconds"], dtype=pl.Float64),
                "active_seconds": pl.Series(columns["active_seconds"], dtype=pl.Float64),
                "step": pl.Series(columns["position"], dtype=pl.Int64),
                "language": _words(columns["language"]),
                "revision": pl.Series(columns["revision"], dtype=pl.Int64),
                "reason": _words(columns["reason"]),
            }
        )

    def _position(self, one: RawDecision, judge: int) -> int:
        """The how-manieth decision of the judge's it is; a revision keeps its place."""
        of_kit = self._numbers[one.assignment_id]
        if one.position > len(of_kit):
            self._made[judge] += 1
            of_kit.append(self._made[judge])
        return of_kit[one.position - 1]

    def _told(self, part: pl.DataFrame) -> dict[str, pl.DataFrame]:
        """Decisions as rows of the long tables."""
        ids, at = np.unique(part[_HELD].to_numpy(), return_inverse=True)
        held = [self._held[one] for one in ids.tolist()]
        people = [self._people[one.judge_id] for one in held]
        gone, why = zip(*map(_gone, held), strict=True)
        left = pl.Series(gone)[at]
        told = part.with_columns(
            pl.lit(self._campaign).alias("campaign"),
            *(pl.Series(name, [getattr(one, name) for one in held])[at] for name in HELD),
            *(_words([getattr(p, of) for p in people])[at].alias(n) for n, of in PERSON.items()),
            _status(part, left),
            _words(why)[at].zip_with(left, part["reason"]).alias("reason"),
        )
        found = self._sayings.expanded(part[_SAID].to_numpy())
        return {
            name: _ordered(name, pl.concat([told[of], frame], how="horizontal"))
            for name, (of, frame) in found.items()
        }

    def _settle(self) -> Iterable[str]:
        """What adjudicators decided, read again whenever there is more of it."""
        adjudications = self._store.adjudications(self._campaign)
        made: defaultdict[str, list[dict[str, object]]] = defaultdict(list)
        for one, facts in _settled(adjudications):
            own = {"campaign": self._campaign, **facts}
            for table, values in rows(self._protocols[one.task], one.answers, one.item).items():
                made[table] += ({**_untold(row), **own} for row in values)
        self._settled = {table: _ordered(table, framed(table, of)) for table, of in made.items()}
        return self._settled


_NONE = pl.DataFrame()


def _untold(row: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name not in TOLD}


def _gone(held: RawAssignment) -> tuple[bool, str]:
    """Whether the decisions of an assignment count no longer, and why."""
    return (True, held.reason) if held.state in EXCLUDED else (False, "")


def _words(values: Sequence[object]) -> pl.Series:
    return pl.Series([value or None for value in values], dtype=pl.String)


def _status(part: pl.DataFrame, gone: pl.Series) -> pl.Series:
    """Whether a row counts: not in a kit that is gone, nor where it was changed later."""
    status = pl.Series("status", ["valid"]).new_from_index(0, len(part))
    if (part["revision"] > 1).any():
        last = part.select(pl.col("revision").max().over(_HELD, "step")).to_series()
        status = status.set(part["revision"] < last, "superseded")
    return status.set(gone, "excluded")


def _ordered(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    """The table's own columns, then tags, then what only a campaign tells."""
    own = [name for name in TABLES[table].schema if name in frame.columns]
    extra = [name for name in EXTRA if name in frame.columns]
    tags = [name for name in frame.columns if name not in (*own, *extra, _HELD, _SAID)]
    return frame.select(*own, *tags, *extra)


def _settled(
    adjudications: Sequence[Adjudication],
) -> Iterator[tuple[Adjudication, Mapping[str, object]]]:
    """What adjudicators decided; of several about one item the last counts."""
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
