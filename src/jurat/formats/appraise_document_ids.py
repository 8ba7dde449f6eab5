"""Marks in the ids of Appraise's documents, which say what an item is for."""

from __future__ import annotations

import re
from collections.abc import Collection

# What an item with a mark in its document's id is for.
MARKS = {"bad": "degraded", "dup": "repeat", "duplicate": "repeat"}
_MARK = re.compile(r"(bad|dup|duplicate|incomplete)\d*")
_TUTORIAL = re.compile(r"-tutorial\d*(?=#|$)")


def document_marks(name: str, systems: Collection[str]) -> tuple[str, str | None, bool, bool]:
    """A document's id without marks and systems; its control; whether it is a tutorial or cut.

    `systems` are those that are shown together.
    """
    kept: list[str] = []
    control, incomplete = None, False
    tutorial = bool(_TUTORIAL.search(name))
    for part in name.split("#"):
        own = _TUTORIAL.sub("", part)
        if found := _MARK.fullmatch(part):
            control = MARKS.get(found[1], control)
            incomplete |= found[1] == "incomplete"
        # systems are compared on the same documents, so the id must not name one
        elif not kept or not own or not any(one.endswith(own) for one in systems):
            kept.append(part)
    return "#".join(kept), control, tutorial, incomplete
