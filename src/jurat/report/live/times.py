"""The seconds of decisions, beside the answers of the same rows or in tables of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from jurat.report.live.packed import Columns, packed_codes, packed_values, renamed, split_key
from jurat.report.pseudonyms import Pseudonyms
from jurat.stats import Evaluation
from jurat.stats.ratings import Codes, coded
from jurat.stats.time.decision_times import DecisionTimes, decision_times

# What tells that rows of two tables are the same decisions, in the same order.
SAME = ("judge", "item", "document", "seconds", "system_a", "system_b")
# The decisions of each question and split that no table has yet.
Times = dict[str, list[DecisionTimes]]


def timed_decisions(evaluation: Evaluation) -> Times:
    """The decisions with a time, by the name that the page has for their question and split."""
    found: Times = {}
    if "seconds" in evaluation.columns:
        for times in decision_times(evaluation):
            if len(times):
                found.setdefault(split_key(times.by, times.tags), []).append(times)
    return found


def own_seconds(
    times: Times, split: str, frame: pl.DataFrame, order: Codes, sections: list[str]
) -> dict[str, Any]:
    """The seconds of a table's rows, where these are all decisions with a time.

    They are then taken out of `times`, and "time" is added to the table's sections.
    """
    waiting = times.get(split, [])
    for one in waiting:
        if _same_rows(frame, one.frame):
            waiting.remove(one)
            sections.append("time")
            return {"seconds": packed_values(one.seconds[order])}
    return {}


def _same_rows(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    shared = [[name for name in SAME if name in frame.columns] for frame in (one, other)]
    return (
        one.height == other.height
        and shared[0] == shared[1]
        and one.select(shared[0]).equals(other.select(shared[1]))
    )


def other_tables(times: Times, names: Pseudonyms, *, by_segment: bool) -> Iterator[dict[str, Any]]:
    """A table for the decisions that no other table has, such as rankings."""
    for waiting in times.values():
        for one in waiting:
            yield _table(one, names, by_segment=by_segment)


def _table(times: DecisionTimes, names: Pseudonyms, *, by_segment: bool) -> dict[str, Any]:
    document, documents = times.grouped("document") if times.has("document") else (None, [])
    systems: list[str] = []
    system: tuple[Codes, ...] = ()
    if times.has("system"):
        codes, stand_ins = times.grouped("system")
        systems, shown = renamed(stand_ins, codes, names)
        system = (shown,)
    judge = None
    if times.has("judge"):
        own, who = coded(times.frame["judge"])
        judge = renamed(who, own, names)
    columns = Columns(
        frame=times.frame,
        sentence=times.item_codes,
        systems=system,
        judge=judge,
        document=document,
    )
    order = columns.order
    return {
        "sections": ["time"],
        "split": split_key(times.by, times.tags),
        "by": {**times.tags, **times.by},
        "systems": systems,
        "system": packed_codes(system[0][order]) if system else None,
        **columns.packed(),
        "documents": documents,
        "item": packed_codes(times.item_codes[order]),
        "seconds": packed_values(times.seconds[order]),
        "bySegment": by_segment,
    }
