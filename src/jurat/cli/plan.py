"""`jurat plan`: the segments, judges, kits and hours that a wanted precision needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import BETWEEN_0_AND_1, POSITIVE, Command, file_option, setting
from jurat.cli._common.analysis import (
    analysing_options,
    campaign_option,
    evaluation_of,
    method_option,
    print_analysis,
    settings_of,
)
from jurat.cli._common.result_output import result_options
from jurat.cli._common.store_address import store_option

if TYPE_CHECKING:
    from jurat.stats import Evaluation

COUNT = click.IntRange(1)


def reading_options(command: Command) -> Command:
    """The command with the options of an analysis; `--systems` may be a number here.

    `--judges` is always a number, so the option of that name for wide files is left out.
    """
    command = analysing_options(method_option("centred")(store_option(result_options(command))))
    options = command.__click_params__  # type: ignore[attr-defined]
    options[:] = [option for option in options if option.name != "judge_columns"]
    # click makes new options for each command, so this changes no other command's help
    for option in options:
        if option.name == "system_columns":
            option.help = "Number of systems, or a wide file's columns with their scores."
    return command


@click.command(name="plan")
@reading_options
@file_option(
    "--from",
    "files",
    multiple=True,
    help="Earlier judgments, to estimate variances, sizes and seconds from.",
)
@campaign_option
@click.option("--segments", type=COUNT, help="Number of segments (default: as many as needed).")
@click.option("--judgments", type=COUNT, help="Judgments of each translation, by different judges.")
@click.option("--judges", type=COUNT, help="Number of judges (default: as many as needed).")
@setting("--kit-size", type=COUNT, default=20, help="Items per kit.")
@click.option(
    "--interval", type=POSITIVE, help="Precision: a system's score within ± this many points."
)
@click.option(
    "--difference", type=POSITIVE, help="Precision: tell apart systems this many points apart."
)
@setting(
    "--power",
    type=BETWEEN_0_AND_1,
    default=0.8,
    help="Probability of finding that difference.",
)
@setting("--protocol", default="tapet-adequacy", help="Protocol of the campaign.")
@click.option(
    "--seconds-per-item",
    type=POSITIVE,
    help="Seconds per item (default: as measured in --from, or typical of the protocol).",
)
@setting(
    "--severity",
    type=click.FloatRange(0),
    default=0.05,
    help="SD of the judges' severity (scale 0-1).",
)
@setting(
    "--noise",
    type=click.FloatRange(0),
    default=0.1,
    help="SD of a judge's random error (scale 0-1).",
)
@setting(
    "--interaction",
    type=click.FloatRange(0),
    default=0.05,
    help="SD of documents by system (scale 0-1).",
)
@setting(
    "--taste",
    type=click.FloatRange(0),
    default=0.02,
    help="SD of judges by system (scale 0-1).",
)
@click.option(
    "--document-size",
    type=COUNT,
    help="Segments of a document (default: as in --from, or 5).",
)
@setting(
    "--simulations", type=click.IntRange(100), default=1000, help="Number of simulated campaigns."
)
@click.option(
    "--stop", is_flag=True, help="Only report which pairs are decided, and what is missing."
)
@click.option(
    "--most-documents",
    type=click.IntRange(10),
    help="With --stop: documents after which the campaign ends, fixed beforehand.",
)
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Estimate how much judging a wanted precision needs.

    Simulates campaigns to find the number of segments, judges, kits and hours.

    \b
    Examples:
      jurat plan --systems 5 --judges 12 --difference 0.3
      jurat plan --campaign sample --stop --most-documents 60
    """
    from jurat.stats.settings import PlanSettings

    settings = settings_of(PlanSettings, options, systems=_systems(options, files))
    print_analysis("planning", _evaluation(files, options, stop=settings.stop), settings, options)


def _systems(options: dict[str, Any], files: tuple[Path, ...]) -> int:
    """The number that `--systems` gives, or 0 where it names columns."""
    columns = options["system_columns"]
    # `--systems 5` is a number; `--systems E1,E2` names columns
    if len(columns) == 1 and columns[0].isdigit() and int(columns[0]) > 0:
        # removed, or the number would be looked up as a column
        options["system_columns"] = ()
        return int(columns[0])
    if columns and not files:
        raise click.UsageError("--systems takes a number unless there is a file (--from).")
    return 0


def _evaluation(files: tuple[Path, ...], options: dict[str, Any], *, stop: bool) -> Evaluation:
    """The earlier judgments; an empty evaluation where none are named."""
    from jurat.stats import Evaluation

    if files or options["campaign"]:
        return evaluation_of(files, options)
    if stop:
        raise click.UsageError("--stop needs judgments: give --from or --campaign.")
    return Evaluation()
