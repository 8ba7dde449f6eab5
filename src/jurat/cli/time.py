"""`jurat time`: how long judges take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli._common import POSITIVE, column_option, names_option, setting, split_names
from jurat.cli._common.analysis import (
    analysis_options,
    evaluation_of,
    run,
    settings_of,
)


def estimates(value: str) -> dict[str, float]:
    """`30`, or `adequacy=40,preference=25`: expected seconds a decision by question."""
    found: dict[str, float] = {}
    for part in split_names(value):
        question, _, seconds = part.rpartition("=")
        try:
            found[question.strip()] = float(seconds)
        except ValueError:
            message = f"'{part}' is no estimate: write seconds, or question=seconds"
            raise click.BadParameter(message) from None
    return found


@click.command(name="time")
@setting(
    "--cap",
    type=POSITIVE,
    default=120.0,
    help="Seconds; longer decisions are left out of seconds-capped, and counted.",
)
@column_option(
    "--length",
    help="How long an item is: a number, a name, or a text whose words are counted "
    "(default: length or words).",
)
@names_option("--parts", help="Columns with the seconds on parts of the screen.")
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
    from jurat.stats.time.decision_times import TimeSettings, decisions

    takes = ("judgments", "preferences")
    evaluation = evaluation_of(files, options, takes=takes, prepare=decisions)
    run("time", evaluation, settings_of(TimeSettings, options), options["form"])
