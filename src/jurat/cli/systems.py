"""`jurat systems`: which system is better, and how sure that is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli.shell.analysis import analysis_options, evaluation_of, rank_options, run, settings_of
from jurat.cli.shell.intake import names

CHOICES = ("only", "ties", "ranks", "tied", "correction", "lower_better")


@click.command(name="systems")
@analysis_options
@click.option("--only", type=names, default="", help="Compare only these systems.")
@click.option(
    "--lower-better", is_flag=True, help="Low values are good ones: errors, error weights, ranks."
)
@rank_options
@click.option(
    "--tied",
    type=click.Choice(["skip", "half"]),
    default="skip",
    show_default=True,
    help="Tied comparisons in shares of wins: left out, or half a win for both.",
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
    from jurat.stats.systems.choices import SystemSettings

    chosen = {name: options[name] for name in CHOICES if options[name] is not None}
    settings = SystemSettings(**settings_of(options), **chosen)
    evaluation = evaluation_of(files, options, takes=("judgments", "preferences"))
    run("systems", evaluation, settings, options["form"])
