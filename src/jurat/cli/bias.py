"""`jurat bias`: whether the reference that judges saw changes their judgments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli._common import column_option, file_option, names_option, setting
from jurat.cli._common.analysis import (
    analysis_options,
    evaluation_of,
    run,
    settings_of,
)
from jurat.cli._common.files import read_file


@click.command(name="bias")
@click.option("--group", required=True, metavar="COLUMN", help="Tells what a judge saw.")
@click.option("--source", metavar="NAME", help="The group that saw the source [default: source].")
@file_option(
    "--texts", help="A table of the segments' texts; a reference's column is called like its group."
)
@names_option("--references", help="Columns of texts that are references.")
@column_option("--metric", help="Scores to set beside group means.")
@setting(
    "--similarity",
    default="word-f1",
    metavar="NAMES",
    help="Metrics, as of `jurat score`, that tell how alike references are.",
)
@analysis_options
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Whether judges who saw different references judge differently.

    With --method sampled, agreement comes from pairs of judges drawn at random, as in the paper.

    \b
    Example:
      jurat bias --campaign sample --group reference
    """
    from jurat.metrics import parse_metrics
    from jurat.stats.settings import BiasSettings
    from jurat.tables import read_table

    evaluation = evaluation_of(files, options)
    table = read_table(read_file(options["texts"])) if options["texts"] else None
    alike = tuple(parse_metrics(options["similarity"], read_file))
    settings = settings_of(BiasSettings, options, texts=table, similarity=alike)
    run("bias", evaluation, settings, options["form"])
