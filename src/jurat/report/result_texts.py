"""The words of a result as pages show them: headlines without advice, tables without repeats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_lowercase

from jurat.report.key_words import heading, value_words, with_ways_in_words
from jurat.results import Result, readable

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


def names_adjusted_scores(result: Result) -> bool:
    """Whether the headline ranks all systems by their adjusted scores instead of their means."""
    return "adjusted score," in result.headline


def told(headline: str, asked: str = "") -> str:
    """A headline without what only the user of a command can do, nor the question asked above.

    The finding comes first, and what to beware of after it.
    """
    plain = _ADVICE.sub("", headline).removeprefix(asked).strip()
    return with_ways_in_words(_CAVEAT.sub(r"\2 \1", plain))


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
    keys = [columns[n].removeprefix("by.").removeprefix("tags.") for n in kept]
    heads = [heading(key) for key in keys]
    if heads.count("n") > 1:
        # of n-agreement, beside the n that counts
        heads[heads.index("n")] = "at most apart"
    return heads, [
        [value_words(key, row[n]) for key, n in zip(keys, kept, strict=True)] for row in rows
    ]
