"""`jurat systems`: which system is better, and how sure that is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli._common import choice, names_option
from jurat.cli._common.analysis import (
    analysis_options,
    evaluation_of,
    rank_options,
    run,
    settings_of,
)


@click.command(name="systems")
@analysis_options
@names_option("--only", help="Compare only these systems.")
@click.option(
    "--lower-better", is_flag=True, help="Low values are good ones: errors, error weights, ranks."
)
@rank_options
@choice(
    "--tied",
    ["skip", "half"],
    "Tied comparisons in shares of wins: left out, or half a win for both.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "none"]),
    default=None,
    help="For many tests (default: holm; none with WMT's methods).",
)
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Which system is better, by how much, and how sure that is.

    Methods, one of each line, with commas between them:

    \b
      mean | segment-means                                     a system's score
      permutation | wilcoxon | wmt-rank-sum | wmt-signed-rank  tests of two systems
      trueskill | trueskill-sequential                         ratings

    \b
    Example:
      jurat systems ratings.csv --columns judge=judge_id,item=doc+seg,system=mt,value=rating
    """
    from jurat.stats.systems.settings import SystemSettings

    settings = settings_of(SystemSettings, options)
    evaluation = evaluation_of(files, options, takes=("judgments", "preferences"))
    run("systems", evaluation, settings, options["form"])
