"""`jurat heval`: eleven features of a translation, and what they tell of systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli.shell.analysis import analysis_options, evaluation_of, rank_options, run, settings_of
from jurat.cli.shell.intake import names


@click.command(name="heval")
@analysis_options
@click.option(
    "--level",
    type=click.Choice(["system", "document", "segment"]),
    default="system",
    show_default=True,
    help="What has a score of its own.",
)
@click.option(
    "--average",
    type=click.Choice(["sentences", "documents"]),
    default="sentences",
    show_default=True,
    help="What counts alike in a system's score.",
)
@click.option(
    "--features", type=names, default="", help="The questions that are features (default: all)."
)
@click.option(
    "--with", "compared", type=names, default="", help="Questions to correlate the scores with."
)
@click.option("--only", type=names, default="", help="Seek the best among these systems.")
@rank_options
@click.option(
    "--construct",
    default="construct",
    show_default=True,
    metavar="COLUMN",
    help="Tells what kind of sentence it is.",
)
@click.option("--top", default=4.0, show_default=True, help="The best point of a feature.")
def command(files: tuple[Path, ...], **options: Any) -> None:
    """HEval: scores from eleven features, and what each system gets wrong.

    \b
    Example:
      jurat heval features.csv --questions tense,voice,order
    """
    from jurat.stats.heval.sheets import HEvalSettings

    own = ("level", "average", "features", "compared", "only", "ties", "ranks", "construct", "top")
    evaluation = evaluation_of(files, options)
    settings = HEvalSettings(**settings_of(options), **{name: options[name] for name in own})
    run("heval", evaluation, settings, options["form"])
