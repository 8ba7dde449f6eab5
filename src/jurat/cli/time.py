"""`jurat time`: how long judges take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli.shell.analysis import analysis_options, evaluation_of, run, settings_of
from jurat.cli.shell.intake import names


def estimates(value: str) -> dict[str, float]:
    """`30`, or `adequacy=40,preference=25`: expected seconds a decision by question."""
    found: dict[str, float] = {}
    for part in names(value):
        question, _, seconds = part.rpartition("=")
        try:
            found[question.strip()] = float(seconds)
        except ValueError:
            message = f"'{part}' is no estimate: write seconds, or question=seconds"
            raise click.BadParameter(message) from None
    return found


@click.command(name="time")
@click.option(
    "--cap",
    type=click.FloatRange(0, min_open=True),
    default=120.0,
    show_default=True,
    help="Seconds; longer decisions are left out of seconds-capped, and counted.",
)
@click.option(
    "--length",
    default="",
    metavar="COLUMN",
    help="How long an item is: a number, a name, or a text whose words are counted "
    "(default: length or words).",
)
@click.option(
    "--parts", type=names, default="", help="Columns with the seconds on parts of the screen."
)
@click.option(
    "--estimated",
    type=estimates,
    default="",
    metavar="SECONDS",
    help="Expected seconds a decision: 30, or adequacy=40,preference=25.",
)
@analysis_options
def command(files: tuple[Path, ...], **options: Any) -> None:
    """How long decisions take, by question, system, length, judge and document.

    \b
    Example:
      jurat time --campaign sample --estimated adequacy=40,preference=25
    """
    from jurat.stats.time.decisions import decisions
    from jurat.stats.time.timing import Timing

    given = {name: options[name] for name in ("cap", "length", "parts", "estimated")}
    takes = ("judgments", "preferences")
    evaluation = evaluation_of(files, options, takes=takes, prepare=decisions)
    run("time", evaluation, Timing(**given, **settings_of(options)), options["form"])
