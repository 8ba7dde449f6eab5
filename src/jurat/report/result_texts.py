"""The words of a result as pages show them: headlines without advice, tables without repeats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_lowercase

from jurat.report.labels import heading, value_words, with_ways_in_words
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
# What a page says in other words than a command, whose sentences stand alone. A rank has no n: it
# would be the number of systems, which is said anyway.
_REWORDED = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"(\b(?:has|have) rank [^()]*)\(n = [\d,]+; ", r"\1("),
        (r"(\(smallest adjusted p [^,;)]+), (\d+) judges\b", r"\1; judges tested: \2"),
        (
            r"Of (\d+) judges (\d+) by its rule alone, which may be chance\.",
            r"Its rule alone names \2 of \1 judges, which may be chance.",
        ),
        (r"the rest: all 2 form one cluster", "the rest: both form one cluster"),
        (
            r"(\d+) documents a judge say little about others",
            r"\1 documents per judge are too few to generalize from",
        ),
        (
            r"(\d+) documents cannot speak for others",
            r"\1 documents are too few to generalize from",
        ),
    )
)


def names_adjusted_scores(result: Result) -> bool:
    """Whether the headline ranks all systems by their adjusted scores instead of their means."""
    return "adjusted score," in result.headline


def told(headline: str, asked: str = "") -> str:
    """A headline in a page's words, without advice on commands nor the question asked above.

    The finding comes first, and what to beware of after it.
    """
    plain = _ADVICE.sub("", headline).removeprefix(asked).strip()
    for pattern, words in _REWORDED:
        plain = pattern.sub(words, plain)
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
