"""Spans as Appraise and WMT write them: UTF-16 code units, with the last one as the end."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from jurat.formats.offsets import code_points, code_units

# What stands for the offsets of something missing.
MISSING = "missing"
# Appraise shows `<br>` as a line break, which counts as one character.
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


def with_line_breaks(text: str) -> str:
    """A text as offsets count it: each `<br>` is one line break."""
    return _BREAK.sub("\n", text)


class InclusiveSpan(msgspec.Struct, gc=False):
    """A marked error; `start_i` and `end_i` are numbers, or `missing`."""

    start_i: int | str
    end_i: int | str
    severity: str | None = None
    error_type: str | list[str | None] | None = None

    def __post_init__(self) -> None:
        # numbers that are written as texts are numbers
        self.start_i, self.end_i = _number(self.start_i), _number(self.end_i)

    def cells(self, text: str | None) -> dict[str, object]:
        """The cells of the span; of something missing, the place is the end of the text."""
        kinds = self.error_type if isinstance(self.error_type, list) else [self.error_type]
        is_missing = not isinstance(self.start_i, int) or not isinstance(self.end_i, int)
        start = end = len(text or "")
        if isinstance(self.start_i, int) and isinstance(self.end_i, int):
            start, end = self.start_i, self.end_i + 1
            if text is not None:
                start, end = code_points(text, start), code_points(text, end)
        return {
            "start": start,
            "end": end,
            "missing": is_missing,
            "severity": self.severity or "undecided",
            "category": "/".join(kind for kind in kinds if kind) or None,
        }


def _number(place: int | str) -> int | str:
    return int(place) if isinstance(place, str) and place.isdecimal() else place


def inclusive_span(cells: Mapping[str, object], text: str | None) -> InclusiveSpan:
    """A row of the table of spans as Appraise writes it; offsets need the text to be exact."""
    category = cells.get("category")
    kinds: list[str | None] | None = [*str(category).split("/")] if category else None
    severity = str(cells["severity"])
    if cells.get("missing"):
        return InclusiveSpan(MISSING, MISSING, severity, kinds)
    start, end = int(str(cells["start"])), int(str(cells["end"]))
    if text is not None:
        start, end = code_units(text, start), code_units(text, end)
    return InclusiveSpan(start, end - 1, severity, kinds)
