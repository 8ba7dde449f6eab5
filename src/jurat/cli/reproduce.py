"""`jurat reproduce`: a study's published numbers beside those that Jurat computes from its data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import PATH, file_option, force_option, json_option
from jurat.cli._common.terminal_output import print_json, print_table, tracked
from jurat.cli._studies import STUDIES, Study
from jurat.cli.report import ENDINGS
from jurat.errors import input_error
from jurat.files import writable
from jurat.result_files import ending_of

if TYPE_CHECKING:
    from jurat.cli._studies.golden import Row
    from jurat.cli._studies.printed import Answer

COLUMNS = ("number", "published", "recomputed", "difference")
_NUMBER = re.compile(r"[-−]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")


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
    study, out = STUDIES[name], options["out"]
    if out:
        ending_of(out, ENDINGS)
        writable(out, force=options["force"])
    if not data.is_dir():
        raise input_error("there is no such folder", file=str(data))
    found = list(tracked(_answers(name, study, data), "recomputing", total=_count(data)))
    rows = [_compared(row, answer) for row, answer in found]
    apart = [row.id for row, answer in found if _apart(row, answer)]
    if options["as_json"]:
        print_json({"study": study.title, "rows": rows, "apart": apart})
    else:
        cells = [[row[column] for column in COLUMNS] for row in rows]
        print_table(COLUMNS, cells, title=study.title, numbers=COLUMNS[1:])
        click.echo(_summary(found, apart))
    if out:
        published = tuple(tuple(row[column] for column in COLUMNS) for row in rows)
        summary = _summary(found, apart)
        _write_report(study, data, options, published=published, published_summary=summary)


def _answers(name: str, study: Study, data: Path) -> Iterator[tuple[Row, Answer]]:
    """The golden rows that the study's modules answer for, with their answers."""
    from jurat.cli._studies.golden import golden_rows

    rows = {row.id: row for row in golden_rows(data)}
    for module in study.modules:
        for key, answer in import_module(f"jurat.cli._studies.{module}").recomputed(data):
            if key not in rows:
                message = f"golden.csv has no row '{key}': is this the folder {study.dataset}?"
                raise input_error(message, file=str(data / "golden.csv"))
            yield rows[key], answer
    if name == "hamon2008":
        from jurat.cli._studies.hamon_panel import made_up

        yield from made_up()


def _count(data: Path) -> int:
    from jurat.cli._studies.golden import golden_rows

    return sum(1 for _ in golden_rows(data))


def _apart(row: Row, answer: Answer) -> str:
    from jurat.cli._studies.golden import difference

    return difference(row, answer)


def _compared(row: Row, answer: Answer) -> dict[str, str]:
    """A line of the table; a number that others computed from the data is marked."""
    published = row.published
    if row.kind == "computed":
        published = f"{row.recomputed} (computed)"
    elif row.kind == "by hand":
        published = f"{row.published} (by hand)"
    elif not row.reproduces:
        published = f"{row.published} (does not follow from the data)"
    return {
        "number": f"{row.id}: {row.statistic}" if row.statistic not in row.id else row.id,
        "published": published,
        "recomputed": _in_words(answer),
        "difference": _difference(row, answer),
    }


def _in_words(answer: Answer) -> str:
    parts = answer if isinstance(answer, tuple) else (answer,)
    return " / ".join(part if isinstance(part, str) else f"{part:.6g}" for part in parts)


def _difference(row: Row, answer: Answer) -> str:
    """Recomputed − published, where both are one number; else whether they are the same."""
    text = row.recomputed if row.kind == "computed" else row.published
    numbers = _NUMBER.findall(re.sub(r"±\s*\S+", "", text))
    if len(numbers) == 1 and isinstance(answer, float):
        return f"{answer - float(numbers[0].replace('−', '-')):+.2g}"
    return "differs" if _apart(row, answer) else "none"


def _summary(found: list[tuple[Row, Answer]], apart: list[str]) -> str:
    unlike = [row.id for row, _ in found if not row.reproduces]
    same = len(found) - len(apart) - len([key for key in unlike if key not in apart])
    told = f"{same} of {len(found)} numbers come out within their tolerance."
    if unlike:
        told += f" {len(unlike)} in print do not follow from the published data."
    return f"{told} Not the same: {', '.join(apart)}." if apart else told


def _write_report(study: Study, data: Path, options: dict[str, Any], **published: Any) -> None:
    """The report of the study's judgments, with its published numbers; without any, these alone."""
    from jurat.cli import report
    from jurat.report.compute import without_judgments
    from jurat.report.settings import ReportSettings

    if not study.files:
        settings = ReportSettings(title=study.title, made=date.today().isoformat(), **published)
        ending = ending_of(options["out"], report.ENDINGS)
        report.write_files(without_judgments(settings), ending, options)
        return
    files = [str(data / file) for file in study.files]
    scores = ("--scores", files[0]) if study.dataset == "wmt23_metrics_ende" else ()
    given = [*files, *study.options, *scores, "--title", study.title, "--out", str(options["out"])]
    given += ["--force"] if options["force"] else []
    with report.command.make_context("report", given) as context:
        read = dict(context.params)
        report.write_report(read.pop("files"), read, **published)
