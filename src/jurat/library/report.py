"""`jurat.report`: everything that the data tell, as results, and as the pages of `jurat report`."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from jurat.files import write_file
from jurat.library.data import Data, data_of, file_names, scores_of
from jurat.library.metric_scores import metric_scores
from jurat.library.options import (
    Columns,
    Names,
    ReportOptions,
    Source,
    checked,
    column_map,
    names,
)
from jurat.library.results import Results
from jurat.result_files import ending_of

if TYPE_CHECKING:
    from jurat.report.compute import Report
    from jurat.stats.metaeval.input_tables import MetricScores

# What a report is made from: whatever of these the data have.
TABLES = ("judgments", "preferences", "spans")
# The kinds of files that hold a whole report.
PAGES = ("html", "pdf")
# Settings of a report that are named as the options are.
_NAMED = ("seed", "bootstrap", "confidence", "unit")


class ReportResults(Results):
    """The results of all sections of a report, and the report itself as a file."""

    def __init__(self, report: Report) -> None:
        from jurat.report.tables import named_results

        super().__init__((result for _, result in named_results(report)), notes=report.notes)
        self._report = report

    @property
    def findings(self) -> tuple[str, ...]:
        """The main findings, each in a sentence, in the order of the report's first page."""
        from jurat.report.findings import findings

        return tuple(found.text for found in findings(self._report))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the whole report to an .html or .pdf file, or its numbers as `Results.save` does.

        An existing file is replaced. Raises `InputError` for another ending.
        """
        file = Path(path)
        ending = ending_of(file)
        if ending in PAGES:
            write_file(file, page(self._report, ending), force=True)
        else:
            super().save(file)

    def save_tables(self, folder: str | PathLike[str]) -> None:
        """Write every table as CSV and LaTeX, and a paragraph for a paper, to a folder."""
        from jurat.report.tables import table_files

        _write_all(table_files(self._report), folder)

    def save_paper(self, folder: str | PathLike[str]) -> None:
        """Write what a paper needs to a folder: tables, figures, a paragraph and BibTeX."""
        from jurat.report.paper import paper_files

        _write_all(paper_files(self._report), folder)

    def __repr__(self) -> str:
        """The findings, and how to see more."""
        more = f'{len(self)} results in all; save("report.html") writes the report'
        return "\n".join([*self.findings, more])

    def _repr_html_(self) -> str:
        found = "".join(f"<li>{escape(text)}</li>" for text in self.findings)
        return f"<ul>{found}</ul>{super()._repr_html_()}"


@checked
def report(
    data: Source = None,
    *,
    title: str = "",
    lower_better: bool = False,
    group: str = "",
    source: str | None = None,
    scores: Source = None,
    scores_columns: Columns = "",
    metrics: Names = (),
    judge_names: bool = False,
    hide_systems: bool = False,
    **options: Unpack[ReportOptions],
) -> ReportResults:
    """Compute everything that the data tell, for one report.

    `save("report.html")` (or .pdf) of what is returned writes the report.

    Args:
        data: judgments or preferences; anything that `jurat.read` takes.
        title: the title; the name of the file or campaign by default.
        lower_better: low values are better, as for errors or ranks.
        group: the column that says what judges saw, for reference bias.
        source: the group that saw the source; "source" by default.
        scores: metric scores of the same segments or systems, a table.
        scores_columns: as `columns`, for that table.
        metrics: the columns of `scores` that are metrics; all numbers by default.
        judge_names: show judges' names instead of pseudonyms.
        hide_systems: call systems A, B, C instead of their names.
        options: those of `jurat.read`, and `seed`, `bootstrap`, `confidence`, `unit`.
    """
    from jurat.report.compute import compute
    from jurat.report.settings import ReportSettings, report_date
    from jurat.tables.judge_kinds import JUDGE_KIND

    read = data_of(data, options)
    chosen: dict[str, Any] = {
        **{name: options.get(name) for name in _NAMED},
        "title": title,
        "lower_better": lower_better,
        "group": group,
        "source": source,
        "judge_names": judge_names,
        "hide_systems": hide_systems,
    }
    # what was not given is a campaign's, or the default; 0 resamples were given
    given = {
        n: value for n, value in chosen.items() if value not in (None, "") and value is not False
    }
    origin = read.origin
    told = campaign_facts(origin.store, origin.campaign) if origin.campaign else {}
    if origin.files:
        told["title"] = ", ".join(Path(file).stem for file in origin.files)
    evaluation, models = read.evaluation(TABLES), None
    if JUDGE_KIND in evaluation.columns or options.get("model_judges"):
        models = read.again(include_models=True).evaluation(TABLES, with_texts=True)
    settings = ReportSettings(
        **{**told, **given},
        models=models,
        scores=_scores(read, scores, scores_columns, metrics),
        files=(*origin.files, *file_names(scores)),
        made=report_date(),
    )
    return ReportResults(compute(evaluation, settings))


def page(report: Report, ending: str) -> bytes:
    """A whole report as the content of a file with that ending, one of `PAGES`."""
    from jurat.report.page import to_html
    from jurat.report.pdf import to_pdf

    return to_pdf(report) if ending == "pdf" else to_html(report)


def campaign_facts(store: str | None, campaign: str) -> dict[str, Any]:
    """The settings of a report that a campaign itself tells."""
    from jurat.campaigns.monitoring.report_file import campaign_facts, planned_facts
    from jurat.library.stores import open_service

    with open_service(store) as service:
        facts = campaign_facts(service.campaigns.definition(campaign))
        return facts | planned_facts(service, campaign)


def _scores(read: Data, scores: Source, columns: Columns, metrics: Names) -> MetricScores | None:
    if scores is None:
        return None
    table = scores_of(scores)
    told = column_map(columns, table.columns)
    return metric_scores(table, read.intake(), columns=told, metrics=names(metrics))


def _write_all(made: Iterable[tuple[str, bytes]], folder: str | PathLike[str]) -> None:
    for name, data in list(made):
        write_file(Path(folder) / name, data, force=True)
