"""`jurat plan`: judges, kits and hours for a wanted precision, and when it is reached."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from jurat.cli.shell.analysis import evaluation_of, run, settings_of
from jurat.cli.shell.intake import analysing_options
from jurat.cli.shell.results import output_options
from jurat.cli.shell.store import store_option

if TYPE_CHECKING:
    from jurat.stats import Evaluation

Command = TypeVar("Command", bound=Callable[..., Any])
COUNT = click.IntRange(1)
OPEN = ("segments", "judgments", "judges", "interval", "difference", "seconds")
"""What may be left open."""
OWN = ("kit_size", "power", "protocol", "severity", "noise", "simulations", "stop")


def _reading(command: Command) -> Command:
    """The options by which earlier judgments are read; `--systems` may be their number here."""
    command = analysing_options(store_option(output_options(command)))
    for option in command.__click_params__:  # type: ignore[attr-defined]
        if option.name == "system_columns":
            option.help = "How many systems there are; of a wide file the columns of their scores."
    return command


@click.command(name="plan")
@_reading
@click.option(
    "--from",
    "files",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Earlier judgments, from which variances, sizes and seconds are taken.",
)
@click.option("--campaign", metavar="NAME", help="A campaign's judgments instead of files.")
@click.option("--segments", type=COUNT, help="Fixed number of segments (else: as many as needed).")
@click.option("--judgments", type=COUNT, help="Of each translation, by different judges.")
@click.option("--judges", type=COUNT, help="Fixed number of judges (else: as many as needed).")
@click.option("--kit-size", type=COUNT, default=20, show_default=True, help="Items in a kit.")
@click.option(
    "--interval",
    type=click.FloatRange(0, min_open=True),
    help="Wanted: a system's score within ± so many points.",
)
@click.option(
    "--difference",
    type=click.FloatRange(0, min_open=True),
    help="Wanted: systems so many points apart are told apart.",
)
@click.option(
    "--power",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="How likely the difference is to be found.",
)
@click.option(
    "--protocol", default="tapet-adequacy", show_default=True, help="What judges are asked."
)
@click.option(
    "--seconds-per-item",
    "seconds",
    type=click.FloatRange(0, min_open=True),
    help="Else as measured in the file, or expected of the protocol.",
)
@click.option(
    "--severity",
    type=click.FloatRange(0),
    default=0.05,
    show_default=True,
    help="Deviation of judges' severities, for a scale of 0 to 1.",
)
@click.option(
    "--noise",
    type=click.FloatRange(0),
    default=0.1,
    show_default=True,
    help="Deviation of a judge's slips, for a scale of 0 to 1.",
)
@click.option(
    "--simulations",
    type=click.IntRange(100),
    default=1000,
    show_default=True,
    help="Campaigns that are played.",
)
@click.option("--stop", is_flag=True, help="Only say which order is settled, and what is missing.")
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Judges, kits and hours for a wanted precision, by simulation.

    \b
    Examples:
      jurat plan --systems 5 --judges 12 --difference 0.3
      jurat plan --campaign sample --stop
    """
    from jurat.stats.planning.asked import PlanSettings

    open_ones: dict[str, Any] = {name: options[name] or 0 for name in OPEN}
    own: dict[str, Any] = {name: options[name] for name in OWN}
    settings = PlanSettings(
        **settings_of(options), systems=_systems(options, files), **open_ones, **own
    )
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
