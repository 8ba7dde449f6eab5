"""`jurat fatigue`: whether judges judge otherwise as they go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli._common import column_option, setting
from jurat.cli._common.analysis import analysis_options, evaluation_of, run, settings_of


@click.command(name="fatigue")
@column_option("--group", help="Tells what a judge saw.")
@click.option("--source", metavar="NAME", help="The group that saw the source [default: source].")
@setting(
    "--slices",
    default=5,
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
    from jurat.stats.fatigue.slices import FatigueSettings

    settings = settings_of(FatigueSettings, options)
    run("fatigue", evaluation_of(files, options), settings, options["form"])
