"""What `help(jurat.agreement)` says about the options that analyses share."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping

_WORDS: Mapping[str, str] = {
    "columns": 'Jurat\'s names and the table\'s: {"judge": "rater", "item": ["doc", "seg"]}, or '
    '"judge=rater,item=doc+seg".',
    "questions": "columns that each hold the answers to one question.",
    "systems": "columns that each hold one system's scores.",
    "judges": "columns that each hold one judge's answers.",
    "sum": "a column that is added up per judge and item.",
    "weights": 'what the words of `sum` count: {"minor": 1, "major": 5}.',
    "items": "use only these items: a file, a table, or a list of ids.",
    "where": "use only rows that meet this condition: \"genre == 'news'\".",
    "exclude": "judges to leave out.",
    "model_judges": "judges that are models, where no column `judge_kind` says so.",
    "include_models": "whether model judges count beside people.",
    "fold": 'maps the scale to another: "7to5", [1, 1, 2, 3, 3], {"A": 2, "B": 1} or '
    '"0-49=1,50-100=2".',
    "header": "names of the columns of a file that has no heading.",
    "sheet": "the sheet of a spreadsheet.",
    "read_as": 'the format of a file that is recognised wrongly: "pearmut", … or "table".',
    "by": "columns by which the results are split.",
    "standardise_where": "rows for judges' means and deviations; all rows by default.",
    "campaign": "the name of a campaign, in place of data.",
    "store": "the campaign's store: a file or an address; the user's own by default.",
    "seed": "the random seed; the same seed gives the same intervals.",
    "bootstrap": "resamples for intervals; 0 for no intervals.",
    "confidence": "the confidence level of intervals.",
    "unit": "what tests and intervals take as independent; documents where known by default.",
    "method": "another way to compute, where a statistic has several.",
    "executor": 'a Dask cluster that resamples, "dask://HOST:PORT"; the numbers are the same.',
    "statistics": "the names of the results to compute (`jurat.statistics`); all by default.",
}


def with_option_docs(doc: str, options: Iterable[str]) -> str:
    """A docstring whose entry `options` is replaced by an entry for each option.

    A docstring without such an entry stays as it is.
    """
    lines = doc.splitlines()
    found = next((n for n, line in enumerate(lines) if line.lstrip().startswith("options:")), None)
    if found is None:
        return doc
    indent = lines[found][: -len(lines[found].lstrip())]
    after = found + 1
    while after < len(lines) and lines[after].startswith(f"{indent} "):
        after += 1
    told = [line for name in options for line in _entry(name, indent)]
    return "\n".join([*lines[:found], *told, *lines[after:]])


def _entry(name: str, indent: str) -> list[str]:
    text = f"{name}: {_WORDS[name]}"
    return textwrap.wrap(text, 96, initial_indent=indent, subsequent_indent=f"{indent}    ")
