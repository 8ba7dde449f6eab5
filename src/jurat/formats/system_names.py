"""Names of systems, from the names of the files that hold their translations."""

from __future__ import annotations

import re

_TEXT_FILE = re.compile(
    r"\.(txt|hyp|out|sgm|json|jsonl|csv|tsv|score|log|xlf|xliff|mqxliff|sdlxliff|mxliff)$",
    re.IGNORECASE,
)


def system_of(name: str) -> str:
    """The name without folders and without the ending of a text file: `A.0` of `x/A.0.txt`."""
    return _TEXT_FILE.sub("", re.split(r"[/\\]", name)[-1])
