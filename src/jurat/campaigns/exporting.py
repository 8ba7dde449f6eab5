"""A campaign's judgments as the long tables from which everything is computed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

import polars as pl

from jurat.model import Item
from jurat.protocols import Protocol
from jurat.store import Adjudication, StoredDecision
from jurat.tables import TABLES, conform

CHUNK = 50_000
"""Decisions that are plain Python rows at a time: what bounds the memory of an export."""

NOT_TIMED = dict.fromkeys(("position", "shown_at", "seconds", "active_seconds"))
"""What an adjudication does not have: nobody's time is taken."""

Facts = Mapping[str, object]
Rows = defaultdict[str, list[dict[str, object]]]


def long_tables(
    campaign: str,
    decisions: Iterable[StoredDecision],
    adjudications: Iterable[Adjudication],
    protocols: Mapping[str, Protocol],
) -> dict[str, pl.DataFrame]:
    """Every table that has rows; `protocols` gives the protocol of each task."""
    frames: defaultdict[str, list[pl.DataFrame]] = defaultdict(list)
    for rows in _chunks(campaign, decisions, adjudications, protocols):
        for table, values in rows.items():
            frame = pl.DataFrame(values, infer_schema_length=None).cast({pl.Null: pl.String})
            frames[table].append(conform(frame, TABLES[table]))
    return {name: pl.concat(parts, how="diagonal_relaxed") for name, parts in frames.items()}


def _chunks(
    campaign: str,
    decisions: Iterable[StoredDecision],
    adjudications: Iterable[Adjudication],
    protocols: Mapping[str, Protocol],
) -> Iterator[Rows]:
    told: Iterator[tuple[StoredDecision | Adjudication, Facts]]
    told = chain(_decided(decisions), _settled(tuple(adjudications)))
    while chunk := list(islice(told, CHUNK)):
        rows: Rows = defaultdict(list)
        for one, facts in chunk:
            own: dict[str, object] = {"campaign": campaign, "task": one.task, "phase": one.phase}
            own |= {"decided_at": one.decided_at, "kit": one.kit, "item": item_name(one.item)}
            own |= {"control": one.item.control or None, **facts}
            for row in protocols[one.task].rows(one.answers, one.item):
                rows[row.table].append({**row.values, **own})
        yield rows


def _decided(decisions: Iterable[StoredDecision]) -> Iterator[tuple[StoredDecision, Facts]]:
    """Every decision with the columns that say who made it and when."""
    made: Counter[str] = Counter()
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for one in decisions:
        of_kit = numbers[one.assignment]
        if one.position > len(of_kit):  # a revision keeps the place of what it changes
            made[one.judge] += 1
            of_kit.append(made[one.judge])
        yield (
            one,
            {
                "judge": one.judge,
                "position": of_kit[one.position - 1],
                "shown_at": one.shown_at,
                "seconds": one.seconds,
                "active_seconds": one.active_seconds,
                "status": one.status,
                "step": one.position,
                "group": one.group or None,
                "site": one.site or None,
                "language": one.language or None,
                "revision": one.revision,
                "probability": one.probability,
                "reason": one.reason or None,
            },
        )


def _settled(adjudications: Sequence[Adjudication]) -> Iterator[tuple[Adjudication, Facts]]:
    """What adjudicators decided; of several about one item the last counts."""
    last = {(one.task, one.phase, one.kit, one.index): one.number for one in adjudications}
    for one in adjudications:
        counts = last[one.task, one.phase, one.kit, one.index] == one.number
        status = "adjudicated" if counts else "superseded"
        yield (
            one,
            {**NOT_TIMED, "judge": one.author, "status": status, "reason": one.reason or None},
        )


def item_name(item: Item) -> str:
    """What was judged, the same for every judge and for an item that a judge meets again."""
    systems = [item.translations[0].system] if len(item.translations) == 1 else []
    damaged = ["degraded"] if item.control == "degraded" else []
    parts = [item.document, item.segment, *systems, "+".join(item.references), *damaged]
    # escaped as the column maps do it, so that different parts never give the same whole
    return "|".join(part.replace("\\", "\\\\").replace("|", "\\|") for part in parts if part)
