"""The rows of the long tables that answers become."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.model import JOIN, Item
from jurat.protocols import Protocol
from jurat.tables import TABLES, conform
from jurat.tables.schema import SAME_OUTPUT

Codes = NDArray[np.int64]
# Kits whose items stay in memory: several judges do the same kit at about the same time.
KITS = 2048

# Chunks of a growing frame; beyond this they are joined, which copies the whole frame.
PIECES = 32

# Tables of answers about one translation.
OF_ONE_TRANSLATION = ("judgments", "spans", "suggestions", "texts")

_item = msgspec.json.Decoder(Item).decode


class Remark(NamedTuple):
    """What a judge said about an item itself; empty without a flag."""

    flag: str
    comment: str
    skipped: bool


class AnswerRows:
    """The table rows of all answers so far. Equal answers to an item share one code and one entry.

    Most answers to an item are the same few; their rows are worked out once.
    """

    def __init__(
        self,
        protocols: Mapping[str, Protocol],
        contents: Callable[[int], Sequence[str]],
        *,
        without: Collection[str],
    ) -> None:
        """`contents` gives the items of a kit as JSON.

        Columns named in `without` come from the decision, even where a tag has the same name.
        """
        self._protocols = protocols
        self._contents = lru_cache(KITS)(contents)
        self._without = frozenset(without)
        self._answers: dict[tuple[str, Remark], int] = {}
        self._known: dict[tuple[int, int, int], int] = {}
        self._tables: dict[str, _Rows] = {}

    def code(self, task: str, kit_id: int, index: int, answers: str, remark: Remark) -> int:
        """The code of answers to an item of a kit, with what was said about the item."""
        said = self._answers.setdefault((answers, remark), len(self._answers))
        key = (kit_id, index, said)
        code = self._known.get(key)
        if code is None:
            code = self._known[key] = len(self._known)
            item = _item(self._contents(kit_id)[index])
            made = rows(self._protocols[task], msgspec.json.decode(answers), item)
            if remark.flag:
                made["flags"] = [_flag_row(remark, item)]
            self._keep(code, made)
        return code

    def expanded(self, codes: Codes) -> dict[str, tuple[Codes, pl.DataFrame]]:
        """By table, the rows of these codes, and for each row the index of its code in `codes`."""
        known = len(self._known)
        found = {name: kept.expanded(codes, known) for name, kept in self._tables.items()}
        return {name: pair for name, pair in found.items() if len(pair[0])}

    def _keep(self, code: int, made: Mapping[str, list[dict[str, object]]]) -> None:
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
        self._flush()
        # the rows of code c are those from first[c] to first[c + 1]: codes are sorted
        first = np.searchsorted(np.asarray(self._codes, dtype=np.int64), np.arange(known + 1))
        counts = first[codes + 1] - first[codes]
        of = np.repeat(np.arange(len(codes)), counts)
        begins = np.repeat(first[codes] - (np.cumsum(counts) - counts), counts)
        return of, self._frame[begins + np.arange(len(of))]

    def _flush(self) -> None:
        if self._new:
            self._frame = stack(self._frame, to_frame(self._table.name, self._new))
            self._new = []


def rows(
    protocol: Protocol, answers: Mapping[str, object], item: Item
) -> dict[str, list[dict[str, object]]]:
    """The rows of each table for the answers to an item.

    Systems with the same output have one row, with their names joined by `+` and `same_output`.
    """
    made: dict[str, list[dict[str, object]]] = {}
    shared: dict[str, object] = {"control": item.control or None}
    if item.suggested is not None:
        shared["suggested"] = item.suggested
    named = _named(item)
    several = {shown.name for shown in item.translations if shown.also}
    for row in protocol.rows(answers, named):
        # an answer about one translation is about that, even if others are on the screen
        alone = str(row.values["system"]) if row.table in OF_ONE_TRANSLATION else ""
        own = {"item": item_name(item, alone, row.values.get("segment")), **shared}
        if several:
            sides = {row.values.get(name) for name in ("system", "system_a", "system_b")}
            own[SAME_OUTPUT] = not several.isdisjoint(sides)
        made.setdefault(row.table, []).append({**row.values, **own})
    return made


def _named(item: Item) -> Item:
    """The item with each translation under the name that the tables give it."""
    if not any(shown.also for shown in item.translations):
        return item
    shown = (msgspec.structs.replace(one, system=one.name, also=()) for one in item.translations)
    return msgspec.structs.replace(item, translations=tuple(shown))


def _flag_row(remark: Remark, item: Item) -> dict[str, object]:
    """The row of a flagged item in the table `flags`."""
    return {
        "item": item_name(item),
        "document": item.document,
        "segment": item.segment,
        "system": JOIN.join(shown.name for shown in item.translations),
        "flag": remark.flag,
        "comment": remark.comment or None,
        "skipped": remark.skipped,
        "control": item.control or None,
    }


def to_frame(table: str, values: Sequence[Mapping[str, object]]) -> pl.DataFrame:
    """Rows as a data frame with the types of the table's columns."""
    frame = pl.DataFrame(values, infer_schema_length=None).cast({pl.Null: pl.String})
    return conform(frame, TABLES[table])


def stack(*frames: pl.DataFrame) -> pl.DataFrame:
    """Frames one below the other; columns that one does not have are null there."""
    there = [frame for frame in frames if frame.height]
    whole = pl.concat(there, how="diagonal_relaxed") if there else pl.DataFrame()
    return whole.rechunk() if whole.n_chunks() > PIECES else whole


def item_name(item: Item, system: str = "", segment: object = None) -> str:
    """An identifier of what was judged, the same for every judge and for repeated items.

    With a `system`, that is its translation alone; else everything on the screen. With a `segment`,
    that is this one of a whole document.
    """
    alone = item.translations[0].name if len(item.translations) == 1 else ""
    systems = [name] if (name := system or alone) else []
    damaged = ["degraded"] if item.control == "degraded" else []
    place = item.segment if segment is None else str(segment)
    parts = [item.document, place, *systems, "+".join(item.references), *damaged]
    # escaped as the column maps do it, so that different parts never give the same whole
    return "|".join(part.replace("\\", "\\\\").replace("|", "\\|") for part in parts if part)
