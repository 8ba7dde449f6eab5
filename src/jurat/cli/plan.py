"""`jurat plan`: judges, kits and hours for a wanted precision, and when it is reached."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import BETWEEN_0_AND_1, POSITIVE, Command, file_option, setting
from jurat.cli._common.analysis import (
    analysing_options,
    campaign_option,
    evaluation_of,
    run,
    settings_of,
)
from jurat.cli._common.printing import output_options
from jurat.cli._common.stores import store_option

if TYPE_CHECKING:
    from jurat.stats import Evaluation

COUNT = click.IntRange(1)


def _reading(command: Command) -> Command:
    """The options by which earlier judgments are read; `--systems` may be their number here."""
    command = analysing_options(store_option(output_options(command)))
    # click makes options anew for each command, so no other command's help changes
    for option in command.__click_params__:  # type: ignore[attr-defined]
        if option.name == "system_columns":
            option.help = "How many systems there are; of a wide file the columns of their scores."
    return command


@click.command(name="plan")
@_reading
@file_option(
    "--from",
    "files",
    multiple=True,
    help="Earlier judgments, from which variances, sizes and seconds are taken.",
)
@campaign_option
@click.option("--segments", type=COUNT, help="Fixed number of segments (else: as many as needed).")
@click.option("--judgments", type=COUNT, help="Of each translation, by different judges.")
@click.option("--judges", type=COUNT, help="Fixed number of judges (else: as many as needed).")
@setting("--kit-size", type=COUNT, default=20, help="Items in a kit.")
@click.option("--interval", type=POSITIVE, help="Wanted: a system's score within ± so many points.")
@click.option(
    "--difference", type=POSITIVE, help="Wanted: systems so many points apart are told apart."
)
@setting(
    "--power",
    type=BETWEEN_0_AND_1,
    default=0.8,
    help="How likely the difference is to be found.",
)
@setting("--protocol", default="tapet-adequacy", help="What judges are asked.")
@click.option(
    "--seconds-per-item",
    type=POSITIVE,
    help="Else as measured in the file, or expected of the protocol.",
)
@setting(
    "--severity",
    type=click.FloatRange(0),
    default=0.05,
    help="Deviation of judges' severities, for a scale of 0 to 1.",
)
@setting(
    "--noise",
    type=click.FloatRange(0),
    default=0.1,
    help="Deviation of a judge's slips, for a scale of 0 to 1.",
)
@setting("--simulations", type=click.IntRange(100), default=1000, help="Campaigns that are played.")
@click.option("--stop", is_flag=True, help="Only say which order is settled, and what is missing.")
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Judges, kits and hours for a wanted precision, by simulation.

    \b
    Examples:
      jurat plan --systems 5 --judges 12 --difference 0.3
      jurat plan --campaign sample --stop
    """
    from jurat.stats.settings import PlanSettings

    settings = settings_of(PlanSettings, options, systems=_systems(options, files))
    run("planning", _evaluation(files, options, stop=settings.stop), settings, options["form"])


def _systems(options: dict[str, Any], files: tuple[Path, ...]) -> int:
    """The number of systems; names of columns are left for the file's reading."""
    columns = options["system_columns"]
    if len(columns) == 1 and columns[0].isdigit() and int(columns[0]) > 0:
        options["system_columns"] = ()
        return int(columns[0])
    if columns and not files:
        raise click.UsageError("--systems takes a number, unless a file is given with --from.")
    return 0


def _evaluation(files: tuple[Path, ...], options: dict[str, Any], *, stop: bool) -> Evaluation:
    """Earlier judgments, where there are any."""
    from jurat.stats import Evaluation

    if files or options["campaign"]:
        return evaluation_of(files, options)
    if stop:
        raise click.UsageError("--stop needs judgments: name them with --from or --campaign.")
    return Evaluation()
