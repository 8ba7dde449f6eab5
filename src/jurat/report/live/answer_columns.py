"""The columns that every table of answers to one question has on the page."""

from __future__ import annotations

from typing import Any

from jurat.report.live.packed import (
    Columns,
    Named,
    packed_codes,
    packed_values,
    renamed,
    split_key,
)
from jurat.report.pseudonyms import Pseudonyms
from jurat.stats.ratings import Codes, Ratings


def answer_columns(
    ratings: Ratings, judge: Named, names: Pseudonyms
) -> tuple[Codes, dict[str, Any]]:
    """The order of the rows in the file, and in that order what is known of each answer.

    `judge` has the judges' names as the report shows them, and whose each answer is.
    """
    known = ratings.has("document")
    document, documents = ratings.coded("document") if known else (None, [])
    systems: list[str] = []
    system: tuple[Codes, ...] = ()
    if ratings.has("system") and not ratings.frame["system"].null_count():
        codes, stand_ins = ratings.coded("system")
        systems, shown = renamed(stand_ins, codes, names)
        system = (shown,)
    columns = Columns(
        frame=ratings.frame,
        sentence=ratings.item_codes,
        systems=system,
        judge=judge,
        document=document,
    )
    order = columns.order
    return order, {
        "split": split_key(ratings.by, ratings.tags),
        "by": {**ratings.tags, **ratings.by},
        "systems": systems,
        "system": packed_codes(system[0][order]) if system else None,
        **columns.packed(),
        "documents": documents,
        "values": packed_values(ratings.values[order]),
        "labels": list(ratings.points) if ratings.nominal else None,
    }
