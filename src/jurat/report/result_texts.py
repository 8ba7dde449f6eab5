"""The words of a result as pages show them: headlines without advice, tables without repeats."""

from __future__ import annotations

import re

from jurat.results import Result, readable

# What a headline tells the user of a command to type next.
_ADVICE = re.compile(r" To see any figure without, exclude .*$| Which judges differ, .* shows\.$")


def told(headline: str, asked: str = "") -> str:
    """A headline without what only the user of a command can do, nor the question asked above."""
    return _ADVICE.sub("", headline).removeprefix(asked).strip()


def result_table(result: Result) -> tuple[list[str], list[list[str]]]:
    """Headings in words and rows, without a question that is the same in all rows."""
    columns, rows = readable(result)
    kept = [
        n
        for n, name in enumerate(columns)
        if name != "question" or len({row[n] for row in rows}) > 1
    ]
    heads = [columns[n].removeprefix("by.").removeprefix("tags.").replace("_", " ") for n in kept]
    return heads, [[row[n] for n in kept] for row in rows]
