"""Every table of a report as files for a paper: CSV, and LaTeX for the package booktabs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from jurat.report.compute import Report
from jurat.report.paragraph import paragraph_text
from jurat.results import Result, to_csv, to_latex

PARAGRAPH = "human-evaluation.txt"


def table_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """The name and content of each file: two for every table, and the paragraph for a paper."""
    yield PARAGRAPH, f"{paragraph_text(report)}\n".encode()
    for name, result in named_results(report):
        yield f"{name}.csv", to_csv([result]).encode()
        yield f"{name}.tex", to_latex([result]).encode()


def named_results(report: Report) -> Iterator[tuple[str, Result]]:
    """Each result with a value, under its section and name; a second of a name is numbered."""
    counts: Counter[str] = Counter()
    for section in report.sections:
        for answer in section.answers:
            for result in answer.known:
                name = f"{section.kind.name}-{result.name}"
                counts[name] += 1
                yield (name if counts[name] == 1 else f"{name}-{counts[name]}"), result
