"""Marks in the ids of Appraise's documents, which say what an item is for."""

from __future__ import annotations

import re

# What an item with a mark in its document's id is for.
MARKS = {"bad": "degraded", "dup": "repeat", "duplicate": "repeat"}
_MARK = re.compile(r"(bad|dup|duplicate|incomplete)\d*")
_TUTORIAL = re.compile(r"-tutorial\d*$")


def document_marks(name: str, system: str) -> tuple[str, str | None, bool, bool]:
    """A document's id without marks and system; its control; whether it is a tutorial or cut."""
    kept: list[str] = []
    control, incomplete = None, False
    for part in name.split("#"):
        if found := _MARK.fullmatch(part):
            control = MARKS.get(found[1], control)
            incomplete |= found[1] == "incomplete"
        # systems are compared on the same documents, so the id must not name one
        elif not kept or not part or not system.endswith(part):
            kept.append(part)
    return "#".join(kept), control, bool(_TUTORIAL.search(name)), incomplete
