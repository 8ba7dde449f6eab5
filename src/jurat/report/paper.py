"""Everything of a report that goes into a paper, as files: tables, figures, paragraph, BibTeX."""

from __future__ import annotations

from collections.abc import Iterator

from jurat.report.compute import Report
from jurat.report.paper_figures import figure_files
from jurat.report.tables import table_files


def paper_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """The name and content of each file."""
    yield from table_files(report)
    yield from figure_files(report)
