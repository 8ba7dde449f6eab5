"""`jurat diagnose`: which judges stand out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli._common import expression_option, setting
from jurat.cli._common.analysis import analysis_options, evaluation_of, run, settings_of


@click.command(name="diagnose")
@analysis_options
@setting("--k", default=1.0, help="Deviations from the mean that make an outlier.")
@expression_option(
    "--easy",
    help="Items that deserve the top score (default: the column easy, or control == 'easy').",
)
@click.option("--top", type=float, help="The top score (default: the highest that was given).")
@expression_option("--controls", help="Items spoilt on purpose (default: control == 'degraded').")
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Which judges stand out, in what ways, and what leaving them out would do.

    \b
    Example:
      jurat diagnose ratings.csv --columns judge=judge_id,item=doc+seg+mt,value=rating
    """
    from jurat.stats.judges.settings import JudgeSettings

    settings = settings_of(JudgeSettings, options)
    run("judges", evaluation_of(files, options), settings, options["form"])
