"""The layouts of Appraise's result CSVs, and what its item types mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

ITEM_TYPES = ("TGT", "BAD", "REF", "CHK")
# What an item of a type is for.
CONTROLS = {"BAD": "degraded", "REF": "easy", "CHK": "repeat"}
TYPES = {control: kind for kind, control in CONTROLS.items()}
# Cells that stand for an empty list of marked errors.
NOTHING_MARKED = ("", "None")
# What is asked in each kind of campaign.
SCORE_QUESTION, DOCUMENT_QUESTION = "score", "document score"

_USER = ("judge", "system", "item", "type", "source_language", "target_language", "score")
TIMES = ("start", "end")
_DOCUMENT = ("document", "complete")


class Layout(NamedTuple):
    """The columns of a kind of results; `--batch-info` adds `more` of them."""

    name: str
    columns: tuple[str, ...]
    more: tuple[str, ...] = ("batch", "batch_item")


_SIDE = ("batch", "batch_item", "side")
DIRECT = Layout("direct assessment", (*_USER, *TIMES))
DOCUMENT = Layout("document", (*_USER, *_DOCUMENT, "mqm", *TIMES))
# As campaigns of before ESA and MQM have it; the cells are those of documents side by side.
PLAIN_DOCUMENT = Layout("document", (*_USER, *_DOCUMENT, *TIMES))
PAIRWISE = Layout("pairwise", (*_USER, "errors", "source_errors", *TIMES), _SIDE)
PAIRWISE_DOCUMENT = Layout("pairwise document", (*_USER, *_DOCUMENT, *TIMES), _SIDE)
DATA = Layout(
    "data",
    ("judge", "domain", "url", "system", "item", "type", "source_language", "target_language",
     "score", "rank", *TIMES),
)  # fmt: skip


def layout_of(row: Sequence[str]) -> Layout | None:
    """The kind of results that a row belongs to, by its number of cells and what they hold."""
    fits: dict[Layout, Callable[[Sequence[str]], bool]] = {
        DATA: lambda row: row[5] in ITEM_TYPES,
        DOCUMENT: lambda row: row[3] in ITEM_TYPES and _is_marked(row[9]),
        PAIRWISE_DOCUMENT: lambda row: row[3] in ITEM_TYPES and row[8] in ("True", "False"),
        PLAIN_DOCUMENT: lambda row: row[3] in ITEM_TYPES and row[8] in ("True", "False"),
        DIRECT: lambda row: row[3] in ITEM_TYPES and _is_time(row[7]),
        PAIRWISE: lambda row: row[3] in ITEM_TYPES and _is_time(row[9]),
    }
    for layout, fit in fits.items():
        if len(row) - len(layout.columns) in (0, len(layout.more)) and fit(row):
            return layout
    return None


def _is_marked(cell: str) -> bool:
    return cell[:1] in ("[", "{") or cell in NOTHING_MARKED


def _is_time(cell: str) -> bool:
    # Unix seconds have at least nine digits before the point, batch numbers have not; 0.0 stands
    # for a time that is not known
    return re.fullmatch(r"\d{9,}(\.\d+)?|0\.0", cell) is not None
