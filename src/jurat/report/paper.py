"""Everything of a report that goes into a paper, as files: tables, figures, paragraph, BibTeX."""

from __future__ import annotations

from collections.abc import Iterator

from jurat.latex import latex_text
from jurat.report.compute import Report
from jurat.report.paper_figures import figure_files
from jurat.report.paragraph import paragraph_text
from jurat.report.references import bibtex
from jurat.report.tables import table_files


def paper_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """The name and content of each file."""
    yield "references.bib", bibtex(report).encode()
    yield "human-evaluation.tex", f"{latex_text(paragraph_text(report))}\n".encode()
    yield from table_files(report)
    yield from figure_files(report)
