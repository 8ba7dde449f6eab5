"""The layouts of Appraise's result CSVs, and what its item types mean."""

from __future__ import annotations

from typing import NamedTuple

ITEM_TYPES = ("TGT", "BAD", "REF", "CHK")
# What an item of a type is for.
CONTROLS = {"BAD": "degraded", "REF": "easy", "CHK": "repeat"}
TYPES = {control: kind for kind, control in CONTROLS.items()}
# What is asked in each kind of campaign.
SCORE_QUESTION, MQM_QUESTION, DOCUMENT_QUESTION = "score", "mqm", "document score"

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
PAIRWISE = Layout("pairwise", (*_USER, "errors", "source_errors", *TIMES), _SIDE)
PAIRWISE_DOCUMENT = Layout("pairwise document", (*_USER, *_DOCUMENT, *TIMES), _SIDE)
DATA = Layout(
    "data",
    ("judge", "domain", "url", "system", "item", "type", "source_language", "target_language",
     "score", "rank", *TIMES),
)  # fmt: skip
