"""Who is still to judge what: for another tool, in which a campaign goes on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from jurat.kits.suggestions import as_tag
from jurat.model import Item, Kit
from jurat.store import Account

SCHEMA = {
    "judge": pl.String,
    "kit": pl.Int64,
    **dict.fromkeys(
        ("document", "segment", "system", "source", "translation", "reference", "suggestions"),
        pl.String,
    ),
    "side_by_side": pl.Boolean,
}
# Judge, task, phase and kit.
_Held = tuple[str, str, str, int]


def work_left(
    campaign: str,
    kits: Sequence[Kit],
    people: Sequence[Account],
    *,
    wanted: Mapping[str, int | None],
    tables: Mapping[str, pl.DataFrame],
) -> pl.DataFrame:
    """A row for each translation of a campaign that a judge is still to judge, as kits have them.

    Kits that somebody has begun stay theirs. The places of others go to those judges of the kit's
    group who have the fewest; `wanted` are the judges for a kit of each task, of whom None are as
    many as there are. Tutorials and control items are left out.
    """
    judged = _judged(tables)
    judges = [one for one in people if one.role == "judge" and one.active]
    load = dict.fromkeys((one.pin for one in judges), 0)
    rows: list[tuple[object, ...]] = []
    for kit in (kit for kit in kits if kit.phase == "evaluation"):
        place = (kit.task, kit.phase, kit.number)
        having = [one.pin for one in judges if (one.pin, *place) in judged]
        others = [o.pin for o in judges if kit.group in ("", o.group) and o.pin not in having]
        most = wanted.get(kit.task)
        free = len(others) if most is None else max(most - len(having), 0)
        chosen = sorted(others, key=lambda pin: load[pin])[:free]
        for pin in (*having, *chosen):
            seen = judged.get((pin, *place), frozenset())
            left = [item for item in kit.items if not item.control and _place(item) not in seen]
            load[pin] += bool(left)
            rows += ((pin, kit.number, *cells) for item in left for cells in _cells(item))
    table = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    return table.with_columns(pl.lit(campaign).alias("campaign"))


def _judged(tables: Mapping[str, pl.DataFrame]) -> dict[_Held, frozenset[tuple[str, str]]]:
    """The segments that judges have judged, by kit."""
    found: defaultdict[_Held, set[tuple[str, str]]] = defaultdict(set)
    names = ["judge", "task", "phase", "kit", "document", "segment"]
    for name, frame in tables.items():
        if name != "translations" and {*names, "status"} <= {*frame.columns}:
            counting = frame.filter(pl.col("status") == "valid")
            for judge, task, phase, kit, *place in counting.select(names).unique().iter_rows():
                found[judge, task, phase, int(kit)].add((place[0], place[1]))
    return {held: frozenset(places) for held, places in found.items()}


def _place(item: Item) -> tuple[str, str]:
    return item.document, item.segment


def _cells(item: Item) -> Iterator[tuple[object, ...]]:
    reference = next(iter(item.references.values()), None)
    for shown in item.translations:
        told = as_tag(shown.suggestions) if item.suggested else None
        texts = (shown.system, item.source, shown.text, reference)
        yield (*_place(item), *texts, told, len(item.translations) > 1)
