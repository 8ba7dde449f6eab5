"""The words of a result as pages show them: headlines without advice, tables without repeats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from string import ascii_lowercase

from jurat.i18n import DEFAULT, languages
from jurat.results import Result, readable

# Columns that name the rule by which a judge stands out.
WAYS = ("way", "way_a", "way_b")

# Letters of a remark in a table; a longer one is a footnote.
LONG_REMARK = 24
Rows = list[list[str]]

# What a headline tells the user of a command to type next.
_ADVICE = re.compile(
    r" To see any figure without, exclude .*$| Which judges differ, .* shows\.$"
    r"|; [\w-]+-p says whether chance alone would give such differences(?=\.$)"
)
# What to beware of, which stands before the finding where a command prints it.
_CAVEAT = re.compile(r"^(Systems were judged [^.]*\.) (.+)$", re.DOTALL)


def told(headline: str, asked: str = "") -> str:
    """A headline without what only the user of a command can do, nor the question asked above.

    The finding comes first, and what to beware of after it.
    """
    return _CAVEAT.sub(r"\2 \1", _ADVICE.sub("", headline).removeprefix(asked).strip())


@cache
def way_words(way: object) -> str:
    """The rule by which a judge stands out in words, such as `mid-scale answers` for `middle`."""
    english, key = languages()[DEFAULT], f"desk-way-{way}"
    return str(english.say(key)) if key in english.keys else str(way)


def with_footnotes(columns: Sequence[str], rows: Rows) -> tuple[Rows, str]:
    """The rows with letters in place of long remarks, and the remarks, for below the table."""
    if not columns or columns[-1]:
        return rows, ""
    notes: list[str] = []
    short = [[*row[:-1], _footnote(row[-1], notes)] for row in rows]
    return short, " ".join(f"{_letter(n)}: {note}." for n, note in enumerate(notes))


def _footnote(text: str, notes: list[str]) -> str:
    if len(text) <= LONG_REMARK:
        return text
    if text not in notes:
        notes.append(text)
    return _letter(notes.index(text))


def _letter(n: int) -> str:
    return f"{ascii_lowercase[n % 26]}{n // 26 or ''}"


def result_table(result: Result) -> tuple[list[str], list[list[str]]]:
    """Headings in words and rows, without a question that is the same in all rows."""
    columns, rows = readable(result)
    kept = [
        n
        for n, name in enumerate(columns)
        if name != "question" or len({row[n] for row in rows}) > 1
    ]
    heads = [columns[n].removeprefix("by.").removeprefix("tags.").replace("_", " ") for n in kept]
    if heads.count("n") > 1:
        # of n-agreement, beside the n that counts
        heads[heads.index("n")] = "at most apart"
    ways = [columns[n] in WAYS for n in kept]
    cells = [[row[n] for n in kept] for row in rows]
    return heads, [
        [way_words(cell) if way else cell for cell, way in zip(row, ways, strict=True)]
        for row in cells
    ]
