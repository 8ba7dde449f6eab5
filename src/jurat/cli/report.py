"""`jurat report`: findings, figures and tables of an evaluation in one file, and for a paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import (
    PATH,
    bootstrap_option,
    column_option,
    confidence_option,
    file_option,
    force_option,
    names_option,
    setting,
)
from jurat.cli._common.analysis import (
    campaign_option,
    evaluation_of,
    intake_of,
    reading_options,
    standardise_option,
    tables_of,
)
from jurat.cli._common.store_address import store_option
from jurat.cli._common.terminal_output import tracker
from jurat.errors import counted
from jurat.files import read_sources, writable, write_file
from jurat.result_files import ending_of

if TYPE_CHECKING:
    from jurat.report.compute import Report
    from jurat.stats.metaeval.input_tables import MetricScores

# The kinds of files that hold a whole report.
ENDINGS = ("html", "pdf")


@click.command(name="report")
@click.argument("files", nargs=-1, metavar="FILE...", type=PATH)
@file_option("--out", required=True, help="The file to write: .html or .pdf.")
@click.option(
    "--tables",
    type=PATH,
    metavar="DIR",
    help="Also write every table as CSV and LaTeX, and a paragraph for a paper, to this folder.",
)
@click.option(
    "--paper",
    type=PATH,
    metavar="DIR",
    help="Also write what a paper needs: tables, figures (SVG, PNG), a paragraph and BibTeX.",
)
@click.option("--title", default="", metavar="TEXT", help="Title [default: the file's name].")
@reading_options
@campaign_option
@names_option("--by", help="Split the results by these columns.")
@standardise_option
@click.option("--lower-better", is_flag=True, help="Low values are better, as for errors or ranks.")
@column_option("--group", help="Column that says what judges saw, for reference bias.")
@click.option("--source", metavar="NAME", help="Group that saw the source [default: source].")
@file_option("--scores", help="Metric scores of the same segments or systems.")
@click.option("--scores-columns", default="", metavar="MAP", help="--columns for that file.")
@names_option("--metrics", help="Columns of --scores that are metrics (default: all numbers).")
@click.option("--judge-names", is_flag=True, help="Show judges' names instead of pseudonyms.")
@click.option("--hide-systems", is_flag=True, help="Call systems A, B, C instead of their names.")
@setting("--seed", default=1, help="Random seed; the same seed gives the same intervals.")
@bootstrap_option("Bootstrap resamples for intervals; 0 for none.")
@confidence_option("Confidence level of the intervals.")
@click.option(
    "--unit",
    type=click.Choice(["document", "segment"]),
    help="What tests and intervals take as independent [default: documents where known].",
)
@force_option
@store_option
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Write a report: findings, figures and tables in one HTML or PDF file.

    The file needs no network and can be sent by mail. Sections that do not apply are listed with
    what they would need. Judges have pseudonyms.

    \b
    Example:
      jurat report --campaign sample --out report.html
    """
    write_report(files, options)


def write_report(files: Sequence[Path], options: dict[str, Any], **published: Any) -> None:
    """Write what the options of the command ask for; `published` are settings of a study."""
    from jurat.library.report import TABLES, campaign_facts
    from jurat.report.compute import compute, steps
    from jurat.report.settings import ReportSettings, report_date
    from jurat.tables.judge_kinds import JUDGE_KIND

    # before the computation, which may take a while
    ending = ending_of(options["out"], ENDINGS)
    writable(options["out"], force=options["force"])
    read = tables_of(files, options)
    evaluation = evaluation_of(files, options, takes=TABLES, read=read)
    models = None
    if JUDGE_KIND in evaluation.columns or options["model_judges"]:
        every = {**options, "include_models": True}
        models = evaluation_of(files, every, takes=TABLES, read=read, with_texts=True)
    named = ("seed", "bootstrap", "confidence", "lower_better", "group", "source")
    chosen: dict[str, Any] = {name: options[name] for name in named}
    chosen |= {"judge_names": options["judge_names"], "hide_systems": options["hide_systems"]}
    facts = campaign_facts(options["url"], options["campaign"]) if options["campaign"] else {}
    chosen |= {name: value for name, value in facts.items() if not chosen.get(name)}
    title = options["title"] or chosen.pop("title", "") or ", ".join(file.stem for file in files)
    settings = ReportSettings(
        **{**chosen, **published, "title": title},
        unit=options["unit"] or "",
        scores=_scores(options),
        models=models,
        translations=read.tables.get("translations"),
        files=tuple(file.name for file in (*files, options["scores"]) if file),
        made=report_date(),
    )
    with tracker("computing", steps()) as advance:
        report = compute(evaluation, settings, advance)
    write_files(report, ending, options)


def write_files(report: Report, ending: str, options: dict[str, Any]) -> None:
    """Write a report to the files and folders that the options name."""
    from jurat.library.report import page
    from jurat.report.paper import paper_files
    from jurat.report.tables import table_files

    data, force = page(report, ending), options["force"]
    write_file(options["out"], data, force=force)
    if options.get("tables"):
        _write_folder(table_files(report), options["tables"], force=force)
    if options.get("paper"):
        _write_folder(paper_files(report), options["paper"], force=force)
    there = [section for section in report.sections if section.answers]
    size = f"{len(data) / 1e6:.1f} MB"
    click.echo(f"{options['out']}: {counted(len(there), 'section')}, {size}", err=True)


def _write_folder(made: Iterable[tuple[str, bytes]], folder: Path, *, force: bool) -> None:
    files = list(made)
    # all are checked first, so that a folder is written whole or not at all
    for name, _ in files:
        writable(folder / name, force=force)
    for name, data in files:
        write_file(folder / name, data, force=force)
    click.echo(f"{folder}: {counted(len(files), 'file')}", err=True)


def _scores(options: dict[str, Any]) -> MetricScores | None:
    from jurat.formats import read_scores_table
    from jurat.library.metric_scores import metric_scores

    if not options["scores"]:
        return None
    return metric_scores(
        read_scores_table(read_sources([options["scores"]])),
        intake_of(options),
        columns=options["scores_columns"],
        metrics=options["metrics"],
    )
