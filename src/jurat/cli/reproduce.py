"""`jurat reproduce`: a study's published numbers beside those that Jurat computes from its data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from jurat.cli._common import PATH, file_option, force_option, json_option
from jurat.cli._common.terminal_output import print_json, print_table, tracked
from jurat.cli._studies import STUDIES, Study
from jurat.cli._studies.reproduction import COLUMNS, reproduction
from jurat.cli.report import ENDINGS
from jurat.files import writable
from jurat.result_files import ending_of


@click.command(name="reproduce")
@click.argument("name", type=click.Choice(sorted(STUDIES)), metavar="NAME")
@click.option(
    "--data",
    type=PATH,
    metavar="DIR",
    required=True,
    help="Folder with the study's data and its golden.csv.",
)
@file_option("--out", help="Also write the report of it to this file: .html or .pdf.")
@force_option
@json_option
def command(name: str, data: Path, **options: Any) -> None:
    """Recompute the published numbers of a study from its data.

    \b
    NAME is one of:
      esa2024        error span annotation
      fomicheva2016  reference bias
      guzman2015     eye-tracking
      hamon2008      kappas and rules for judges
      heval2013      HEval
      mqm-ted        MQM of TED talks
      sun2010        pairs by metric difference
      wmt16          rankings
      wmt22-da       direct assessment
      wmt23-metrics  metrics against MQM

    \b
    Example:
      jurat reproduce fomicheva2016 --data tradopad
    """
    out = options["out"]
    if out:
        ending_of(out, ENDINGS)
        writable(out, force=options["force"])
    found = reproduction(name, data, lambda some, total: tracked(some, "recomputing", total=total))
    if options["as_json"]:
        print_json({"study": found.title, "rows": found.rows, "apart": found.apart})
    else:
        cells = [[row[column] for column in COLUMNS] for row in found.rows]
        print_table(COLUMNS, cells, title=found.title, numbers=COLUMNS[1:])
        click.echo(found.summary)
    if out:
        published = tuple(tuple(row[column] for column in COLUMNS) for row in found.rows)
        summary = found.summary
        _write_report(STUDIES[name], data, options, published=published, published_summary=summary)


def _write_report(study: Study, data: Path, options: dict[str, Any], **published: Any) -> None:
    """The report of the study's judgments, with its published numbers; without any, these alone."""
    from jurat.cli import report
    from jurat.report.compute import without_judgments
    from jurat.report.settings import ReportSettings, report_date

    if not study.files:
        settings = ReportSettings(title=study.title, made=report_date(), **published)
        ending = ending_of(options["out"], report.ENDINGS)
        report.write_files(without_judgments(settings), ending, options)
        return
    with TemporaryDirectory() as folder:
        files = [str(_renamed(data / file, study.headings, Path(folder))) for file in study.files]
        _report_on(files, study, options, published)


def _renamed(file: Path, headings: Mapping[str, str], folder: Path) -> Path:
    """The file, or one of the same name in the folder with these headings for its own."""
    if not headings:
        return file
    import polars as pl

    made = folder / file.name
    pl.read_csv(file, infer_schema=False).rename(dict(headings)).write_csv(made)
    return made


def _report_on(
    files: Sequence[str], study: Study, options: dict[str, Any], published: dict[str, Any]
) -> None:
    from jurat.cli import report

    scores = ("--scores", files[0]) if study.dataset == "wmt23_metrics_ende" else ()
    given = [*files, *study.options, *scores, "--title", study.title, "--out", str(options["out"])]
    given += ["--force"] if options["force"] else []
    with report.command.make_context("report", given) as context:
        read = dict(context.params)
        report.write_report(read.pop("files"), read, **published)
