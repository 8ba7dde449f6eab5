"""Marked errors in a form without JavaScript: a row of fields for each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, takewhile
from typing import NamedTuple

from jurat.word_boundaries import pieces

# Errors that a page without JavaScript has room for, if the protocol sets no limit.
FORM_ROWS = 8
ROW_FIELDS = ("from", "to", "severity", "category", "missing", "comment", "suggestion")
# What a word of the source, and a special mark, begin with in the lists to choose from.
IN_SOURCE, IS_MARK = "source:", "mark:"
_WORD = re.compile(r"(\d{1,6})-(\d{1,6})")


class Word(NamedTuple):
    """A word that can be chosen on a page without JavaScript: its place and its text."""

    start: int
    end: int
    text: str


def words_of(text: str) -> list[Word]:
    """The words and punctuation of a text, to choose from."""
    return [Word(start, end, text[start:end]) for start, end in pieces(text)]


def form_rows(given: Sequence[Mapping[str, object]], most: int | None) -> list[dict[str, object]]:
    """The rows of a form: those with an error, then empty ones."""
    room = FORM_ROWS if most is None else most
    return [*map(dict, given), *({} for _ in range(room - len(given)))]


def rows_sent(fields: Mapping[str, str], name: str) -> Iterator[dict[str, object]]:
    """The errors in the rows of a form whose fields begin with `name`; empty rows are none."""
    # the number of rows is not sent: a browser sends every row's field, even an empty one
    for n in takewhile(lambda n: f"{name}.{n}.from" in fields, count(1)):
        row = {part: fields.get(f"{name}.{n}.{part}", "") for part in ROW_FIELDS}
        # the number of a suggestion stays in a row that was emptied
        if any(value for part, value in row.items() if part != "suggestion"):
            yield _span_sent(row)


def _span_sent(row: Mapping[str, str]) -> dict[str, object]:
    """The error in a row of the form; the question's `check` rejects it if it is incomplete.

    Without a last word, it is the first word alone; an omission is before the first word.
    """
    more: dict[str, object] = {
        name: row[name] for name in ("category", "comment") if row[name].strip()
    }
    if row["suggestion"].isdecimal() and len(row["suggestion"]) < 7:
        more["suggestion"] = int(row["suggestion"])
    if row["from"].startswith(IS_MARK):
        return {"severity": row["severity"], "mark": row["from"].removeprefix(IS_MARK), **more}
    if row["from"].startswith(IN_SOURCE):
        more["side"] = "source"
    start, first_end = _word(row["from"])
    missing = bool(row["missing"])
    end = _word(row["to"])[1] if row["to"] else start if missing else first_end
    gap = {"missing": True} if missing else {}
    return {"start": start, "end": end, "severity": row["severity"], **more, **gap}


def _word(text: str) -> tuple[int, int]:
    found = _WORD.fullmatch(text.removeprefix(IN_SOURCE))
    # an empty span, which `check` refuses unless it is an omission
    return (int(found[1]), int(found[2])) if found else (0, 0)
