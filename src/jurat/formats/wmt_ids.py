"""Ids of WMT's campaigns, which join language pair, domain, document and segment."""

from __future__ import annotations

import re

# The marks between the parts; the last part is the segment.
MARKS = ("_###_", "_#_")
# The document of lines that only show whether a model was trained on the test set.
CANARY = "canary"


def split_id(name: str, first: str | None = None) -> tuple[str | None, str]:
    """The document and the segment of an id; without marks, `first` is the document."""
    for mark in MARKS:
        document, found, segment = name.rpartition(mark)
        if found:
            return document or None, segment
    return first, name


def join_id(document: str, segment: str) -> str:
    """The id that `split_id` splits into this document, empty if there is none, and segment."""
    longer, usual = MARKS
    return f"{document}{longer if longer in document + segment else usual}{segment}"


def id_tags(name: str) -> dict[str, str]:
    """The language pair and the domain in an id of WMT25 (`en-cs_CZ_#_news_#_doc_#_0`)."""
    for mark in MARKS:
        parts = name.split(mark)
        if len(parts) == 4:
            return {"language_pair": parts[0], "domain": parts[1]}
    return {}


def is_canary(document: str | None) -> bool:
    """Whether a document is one of canary lines, which nobody translates."""
    # Appraise joins the system to it: `canary#ONLINE-B`
    return document is not None and CANARY in re.split("[-_#]", document.lower())
