"""`jurat agreement`: how far judges agree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import file_option
from jurat.cli._common.analysis import analysis_options, evaluation_of, run, settings_of
from jurat.cli._common.files import read_file

if TYPE_CHECKING:
    import polars as pl


@click.command(name="agreement")
@analysis_options
@file_option(
    "--spans",
    help="The marked errors that belong to the judgments: judgments.spans.csv of an export.",
)
def command(files: tuple[Path, ...], **options: Any) -> None:
    """How far judges agree, with each other and with themselves.

    \b
    Example:
      jurat agreement ratings.csv --columns judge=judge_id,item=doc+seg+mt,value=rating
    """
    from jurat.stats import Settings

    evaluation = evaluation_of(files, options, takes=("judgments", "spans"))
    if options["spans"]:
        evaluation = replace(evaluation, spans=_spans(options["spans"]))
    run("agreement", evaluation, settings_of(Settings, options), options["form"])


def _spans(path: Path) -> pl.DataFrame:
    from jurat.tables import SPANS, conform, read_table

    return conform(read_table(read_file(path)), SPANS)
