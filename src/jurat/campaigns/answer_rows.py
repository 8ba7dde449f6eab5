"""What answers leave in the long tables: worked out once for each item and each answer to it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.model import Item
from jurat.protocols import Protocol
from jurat.tables import TABLES, conform

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
