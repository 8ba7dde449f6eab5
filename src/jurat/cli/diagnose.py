"""`jurat diagnose`: which judges stand out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli.shell.analysis import analysis_options, evaluation_of, run, settings_of

OWN = ("k", "easy", "controls", "top")


@click.command(name="diagnose")
@analysis_options
@click.option(
    "--k", default=1.0, show_default=True, help="Deviations from the mean that make an outlier."
)
@click.option(
    "--easy",
    default="",
    metavar="EXPR",
    help="Items that deserve the top score (default: the column easy, or control == 'easy').",
)
@click.option("--top", type=float, help="The top score (default: the highest that was given).")
@click.option(
    "--controls",
    default="",
    metavar="EXPR",
    help="Items spoilt on purpose (default: control == 'degraded').",
)
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Which judges stand out, in what ways, and what leaving them out would do.

    \b
    Example:
      jurat diagnose ratings.csv --columns judge=judge_id,item=doc+seg+mt,value=rating
    """
    from jurat.stats.judges.diagnosing import Diagnosing

    own = {name: options[name] for name in OWN}
    settings = Diagnosing(**settings_of(options), **own)
    run("judges", evaluation_of(files, options), settings, options["form"])
