"""`jurat bias`: whether the reference that judges saw changes their judgments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli.shell.analysis import analysis_options, evaluation_of, run, settings_of
from jurat.cli.shell.intake import names


@click.command(name="bias")
@click.option("--group", required=True, metavar="COLUMN", help="Tells what a judge saw.")
@click.option("--source", metavar="NAME", help="The group that saw the source [default: source].")
@click.option(
    "--texts",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A table of the segments' texts; a reference's column is called like its group.",
)
@click.option("--references", type=names, default="", help="Columns of texts that are references.")
@click.option("--metric", default="", metavar="COLUMN", help="Scores to set beside group means.")
@click.option(
    "--similarity",
    default="word-f1",
    show_default=True,
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
    from jurat.cli.shell.files import read_file
    from jurat.metrics.options import parse_metrics
    from jurat.stats.bias.texts import BiasSettings
    from jurat.tables import read_table

    evaluation = evaluation_of(files, options)
    table = read_table(read_file(options["texts"])) if options["texts"] else None
    chosen = {name: options[name] for name in ("group", "source", "metric", "references")}
    alike = tuple(parse_metrics(options["similarity"], read_file))
    settings = BiasSettings(texts=table, similarity=alike, **chosen, **settings_of(options))
    run("bias", evaluation, settings, options["form"])
