"""`jurat fatigue`: whether judges judge otherwise as they go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli.shell.analysis import analysis_options, evaluation_of, run, settings_of


@click.command(name="fatigue")
@click.option("--group", default="", metavar="COLUMN", help="Tells what a judge saw.")
@click.option("--source", metavar="NAME", help="The group that saw the source [default: source].")
@click.option(
    "--slices",
    default=5,
    show_default=True,
    type=click.IntRange(2, 50),
    help="Into how many slices each judge's work is cut.",
)
@analysis_options
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Whether judges judge otherwise as they go on.

    \b
    Example:
      jurat fatigue --campaign sample --slices 4
    """
    from jurat.stats.fatigue.slices import Slicing

    evaluation = evaluation_of(files, options)
    chosen = {name: options[name] for name in ("group", "source", "slices")}
    run("fatigue", evaluation, Slicing(**chosen, **settings_of(options)), options["form"])
