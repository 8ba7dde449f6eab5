"""The words of a result as pages show them: headlines without advice, tables without repeats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase

from jurat.report.labels import MEASURES, NUMBERS, heading, value_words, with_ways_in_words
from jurat.results import Figure, Result, readable

# Letters of a remark in a table; a longer one is a footnote.
LONG_REMARK = 24
MOST_FOOTNOTES = 8
Rows = list[list[str]]
_SIDES = re.compile(r"(?:^|; )(a is [^;]+)")
_P_NAME = re.compile(r"-p(-|$)|^sign-test|p-adjusted")
# A number that is zero but for the computer's rounding.
_ROUNDING = re.compile(r"-?\b\d\.\de-(?:1\d|[2-9]\d)\b")
_COUNTED = re.compile(r"\bn counts ([^;:(]+?)(?= \(|[;:.]|$)")
_P_VALUES = re.compile(r" \([^()]* p [<=] [^()]*\)")

# What a headline tells the user of a command to type next.
_ADVICE = re.compile(
    r" To see any figure without, exclude .*$| Which judges differ, .* shows\.$"
    r"|; [\w-]+-p says whether chance alone would give such differences(?=\.$)"
    r"|; preference-wins tells which(?=\.$)"
    r"| A plan says how many sentences would do\.| With so many, try another cap\."
    r"|; a diagnosis of the judges says more(?=\.$)"
)
# What to beware of, which stands before the finding where a command prints it.
_CAVEAT = re.compile(r"^(Systems were judged [^.]*\.) (.+)$", re.DOTALL)
# Why an interval may hold less often: pages say it below tables and beside the findings.
_DOUBT = re.compile(
    r" \((?=[^()]*(?:interval may hold less|commonest category|documents are unknown))[^()]*\)"
)
# What a page says in other words than a command, whose sentences stand alone. A rank has no n: it
# would be the number of systems, which is said anyway.
_REWORDED = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"(\b(?:has|have) rank [^()]*)\(n = [\d, …]+; ", r"\1("),
        (r"(\(smallest adjusted p [^,;)]+), (\d+) judges\b", r"\1; judges tested: \2"),
        (
            r"Of \d+ judges 0 by its rule alone, which may be chance\.",
            "Nobody is beyond the usual limits; that is not tested.",
        ),
        (
            r"Of (\d+) judges (\d+) by its rule alone, which may be chance\.",
            r"\2 of \1 judges are beyond the usual limits; that is not tested and may be chance.",
        ),
        (r"Beyond chance nobody, of \d+ judges; 0 by its rule alone\.", "Nobody."),
        (
            r"Beyond chance nobody, of (\d+) judges; (\d+) by its rule alone\.",
            r"Nobody beyond chance; \2 of \1 judges are beyond the usual limits.",
        ),
        (
            r"Beyond chance (.+), of (\d+) judges; (\d+) by its rule alone\.",
            r"Beyond chance: \1. \3 of \2 judges are beyond the usual limits.",
        ),
        (r"^Of \d+ judges each way finds( \([^()]*\)): (?:[^,]* 0(?:, |\.$))+$", r"Nobody\1."),
        (r"^Of (\d+) judges each way finds( \([^()]*\)):", r"Of \1 judges each rule names\2:"),
        (
            r"Among equal judges somebody is named in about one campaign of twenty",
            "If all judges were alike, somebody would still be named in one campaign of twenty",
        ),
        (
            r"Means as far apart with judges grouped at random: p = ([\d.]+);",
            r"Of all references together, judges grouped at random would have means as far apart "
            r"with p = \1:",
        ),
        (r"(p = \d\.\d{3})\d\b", r"\1"),
        (r"\bof judges who saw the same is\b", "of judges who saw the same reference is"),
        (r"(took longer and are left out[^;]*); the median is", r"\1; the median of all is"),
        (r"^1 of (\d+) pairs of groups differ ", r"1 of \1 pairs of groups differs "),
        (r"\bin the slice (\d+)-(\d+) % of (their|a judge's) work", r"from \1 to \2 % of \3 work"),
        (r"\b(lowest|least|and [\d.]+ s) in (\d+)-(\d+) %", r"\1 from \2 to \3 %"),
        (r"^The pair that agrees least([^:]*): (.+); the one that agrees most: \2\.", r"\2\1."),
        (r"\b1 of (\d+) judges are\b", r"1 of \1 judges is"),
        (r"mean times range from .+ \((.+ s)\) to .+ \(\1\)\.", r"all mean times are \1."),
        (r"\bdiffers by ([\d.]+)-([\d.]+)", r"differs by \1–\2"),
        (r"^Highest SPA:", "Highest soft pairwise accuracy (SPA):"),
        (r"^Highest PDP:", "Highest pairwise difference Pearson (PDP):"),
        (r"\[(-?[\d.]+) %, (-?[\d.]+) %\]", r"[\1, \2]"),
        (r"the rest: all 2 form one cluster", "the rest: both form one cluster"),
        (
            r"(\d+) documents a judge say little about others",
            r"\1 documents per judge are too few to generalize from",
        ),
    )
)
# The same of notes, which stand beside numbers.
_NOTES = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\b1 (\w+) cannot speak for others", r"1 \1 is too little to generalize from"),
        (r"(\w+) cannot speak for others", r"\1 are too few to generalize from"),
        (r"\bsay little about others", "are few to generalize from"),
        (
            r"^there is no variation to judge by$",
            "values are all alike, from which nothing follows",
        ),
        (
            r"few cases outside the commonest category, or few about which both differ",
            "nearly all answers are the same, or judges differ about few items",
        ),
        (r"few cases outside the commonest category", "nearly all answers are the same"),
        (r"(few judges \([^()]*\)): little power", r"\1: only large differences are noticed"),
        (
            r"\bfor these judges only \(fewer than (\d+)\)",
            r"fewer than \1 judges: what is found holds for these only",
        ),
        (r"^for these judges only$", "what is found holds for these judges only"),
        (
            r"hardly any shared sentences: right only if they were assigned at random",
            "hardly any sentence was judged of both systems: differences are right only if "
            "sentences were assigned at random",
        ),
        (r"hardly any judge scored both: for", "hardly any judge scored both systems: holds for"),
        (
            r"(?: \(first: [^()]*\))?: if .* else they count as answers given twice",
            ": they count as given twice",
        ),
    )
)
# A note of one part of a widened interval, where the whole has one.
_NO_INTERVAL = re.compile(r"(?:; |^)no interval: [^;]*")


def noted(note: str, *, interval: bool = False) -> str:
    """A note on a number in a page's words; of one with an interval without why it has none."""
    plain = _NO_INTERVAL.sub("", note) if interval else note
    for pattern, words in _NOTES:
        plain = pattern.sub(words, plain)
    return plain


def names_adjusted_scores(result: Result) -> bool:
    """Whether the headline ranks all systems by their adjusted scores instead of their means."""
    return "adjusted score," in result.headline


def told(headline: str, asked: str = "") -> str:
    """A headline in a page's words, without advice on commands nor the question asked above.

    The finding comes first, and what to beware of after it.
    """
    plain = _DOUBT.sub("", _ADVICE.sub("", headline)).removeprefix(asked).strip()
    plain = with_ways_in_words(plain)
    for pattern, words in (*_REWORDED, *_NOTES):
        plain = pattern.sub(words, plain)
    return _without_p(_CAVEAT.sub(r"\2 \1", plain))


def _without_p(headline: str) -> str:
    """Names of judges to look at first without their p-values, of which the table has all."""
    named, stop, rest = headline.partition(". ")
    if not named.startswith("Look first at "):
        return headline
    return f"{_P_VALUES.sub('', named)}{stop}{rest}"


def with_footnotes(columns: Sequence[str], rows: Rows) -> tuple[Rows, str]:
    """The rows with letters in place of long remarks, and the remarks, for below the table."""
    if not columns or columns[-1]:
        return rows, ""
    if len({row[-1] for row in rows if len(row[-1]) > LONG_REMARK}) > MOST_FOOTNOTES:
        # they name what each row is of
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


def value_heading(result: Result) -> str:
    """What the numbers of a result are, as its figure's axis or a list of words says it."""
    if _P_NAME.search(result.name):
        return "p"
    if result.name in NUMBERS or result.name in MEASURES:
        return NUMBERS.get(result.name) or MEASURES[result.name]
    figure = result.figure()
    title = next(_axis_titles(figure), "") if figure else ""
    # in brackets stands what a figure shows of several
    return MEASURES.get(title, title.partition(" (")[0]) or "value"


def _axis_titles(part: Figure | Sequence[Figure]) -> Iterator[str]:
    """The titles of the axes on which a figure's values lie."""
    if isinstance(part, Mapping):
        if part.get("field") == "value" and part.get("title"):
            yield str(part["title"])
        for key, one in part.items():
            if key != "data" and isinstance(one, Mapping | list):
                yield from _axis_titles(one)
    else:
        for one in part:
            if isinstance(one, Mapping | list):
                yield from _axis_titles(one)


def result_table(result: Result) -> tuple[list[str], list[list[str]]]:
    """Headings in words and rows, without a question that is the same in all rows."""
    columns, rows = readable(result)
    kept = [
        n
        for n, name in enumerate(columns)
        if name != "question" or len({row[n] for row in rows} - {""}) > 1
    ]
    keys = [columns[n].removeprefix("by.").removeprefix("tags.") for n in kept]
    heads = [heading(key) for key in keys]
    if heads.count("n") > 1:
        # of n-agreement, beside the n that counts
        heads[heads.index("n")] = "at most apart"
    said = [[value_words(key, row[n]) for key, n in zip(keys, kept, strict=True)] for row in rows]
    if not _P_NAME.search(result.name):
        said = [[_ROUNDING.sub("0.00", cell) for cell in row] for row in said]
    elif "value" in heads:
        at = heads.index("value")
        for row in said:
            # no reader needs to know how many noughts follow
            row[at] = "<0.001" if "e-" in row[at] else row[at]
    if heads and not heads[-1]:
        told_at = heads.index("interval") if "interval" in heads else None
        for row in said:
            row[-1] = noted(row[-1], interval=told_at is not None and bool(row[told_at]))
    return heads, said


def counted(result: Result) -> str:
    """What n counts in a table of the result, and which sides it speaks of, as its method says."""
    sides = _SIDES.search(result.method)
    found = _COUNTED.search(result.method)
    of_sides = f"In the table {sides[1]}." if sides else ""
    what = f"n counts {found[1].strip()}." if found and found[1] != "them" else ""
    return " ".join(filter(None, (what, of_sides)))
