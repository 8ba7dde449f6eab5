"""What the commands that analyse have in common: files or a campaign in, results out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from jurat.cli.shell.intake import analysing_options
from jurat.cli.shell.results import output_options
from jurat.cli.shell.store import store_option

if TYPE_CHECKING:
    import polars as pl

    from jurat.stats import Evaluation, Settings
    from jurat.tables import Intake

Command = TypeVar("Command", bound=Callable[..., Any])
SETTINGS = ("seed", "bootstrap", "confidence", "method")


def analysis_options(command: Command) -> Command:
    """Give a command FILE…, `--campaign`, and every option of an analysis."""
    for option in (
        output_options,
        store_option,
        click.option("--campaign", metavar="NAME", help="A campaign's judgments instead of files."),
        analysing_options,
        click.argument("files", nargs=-1, metavar="FILE...", type=click.Path(path_type=Path)),
    ):
        command = option(command)
    return command


def rank_options(command: Command) -> Command:
    """Give a command `--ties` and `--ranks`: what happens where systems are equally good."""
    ties = click.option(
        "--ties",
        type=click.Choice(["share", "all", "first", "none"]),
        default="share",
        show_default=True,
        help="Best on a sentence where k systems are: 1/k each, all, the first by name, nobody.",
    )
    ranks = click.option(
        "--ranks",
        type=click.Choice(["minimum", "dense"]),
        default="minimum",
        show_default=True,
        help="Ranks after a tie: 1, 1, 3 or 1, 1, 2.",
    )
    return ties(ranks(command))


def settings_of(options: dict[str, Any]) -> dict[str, Any]:
    """The options that say how to compute, as `Settings` calls them."""
    return {name: options[name] for name in SETTINGS}


def run(folder: str, evaluation: Evaluation, settings: Settings, form: str | None) -> None:
    """Answer every question of a folder, and print the results."""
    from jurat.cli.shell.printing import tracked
    from jurat.cli.shell.results import print_results
    from jurat.stats import analyse, statistics

    count = sum(len(s.gives) for s in statistics(folder))
    found = list(tracked(analyse(folder, evaluation, settings), "computing", total=count))
    print_results(found, form)


def evaluation_of(
    files: Sequence[Path],
    options: dict[str, Any],
    *,
    takes: Sequence[str] = ("judgments",),
    prepare: Callable[[pl.DataFrame, Intake], pl.DataFrame] | None = None,
) -> Evaluation:
    """The tables that the files or the campaign make, read as the options say.

    A file of preferences or rankings is known by its columns; a campaign has them apart. `takes`
    names the tables that the command can use: judgments, preferences, spans; the first is what it
    is about, and another that has not all columns of `--by` is left out. `prepare` changes the
    table of the files before it is read.
    """
    from jurat.cli.shell.intake import intake_of, listed_items
    from jurat.faults import complain
    from jurat.stats import Evaluation
    from jurat.tables import Judgments
    from jurat.tables.preferences import Preferences

    intake, items = intake_of(options), listed_items(options)
    there = _tables(files, options, intake, prepare)
    tables = {n: t for n, t in there.items() if n in takes}
    if not tables:
        raise complain(f"there are no {' or '.join(takes)} in what was given")
    if takes[0] in tables:
        tables = {n: t for n, t in tables.items() if n == takes[0] or {*intake.by} <= {*t.columns}}
    judged, compared = tables.get("judgments"), tables.get("preferences")
    of_pairs = intake if judged is None else intake.for_pairs()
    joined = options.get("joined", "keep")
    pairs = partial(Preferences, intake=of_pairs, items=items, joined=joined)
    return Evaluation(
        judgments=None if judged is None else Judgments(judged, intake, items=items),
        preferences=None if compared is None else pairs(compared),
        spans=tables.get("spans"),
    )


def _tables(
    files: Sequence[Path],
    options: dict[str, Any],
    intake: Intake,
    prepare: Callable[[pl.DataFrame, Intake], pl.DataFrame] | None,
) -> dict[str, pl.DataFrame]:
    """The tables by name; files are put one under the other."""
    from jurat.cli.shell.files import read_files
    from jurat.cli.shell.store import service
    from jurat.tables import read_tables
    from jurat.tables.preferences import tells_preferences, with_rankings

    if bool(files) == bool(options["campaign"]):
        raise click.UsageError("Name a FILE to read, or a campaign with --campaign.")
    if files:
        table = read_tables(read_files(files))
        table = prepare(table, intake) if prepare else table
        return {"preferences" if tells_preferences(table, intake) else "judgments": table}
    with service(options["url"]) as campaigns:
        tables = campaigns.tables(options["campaign"])
    return with_rankings(tables, joined=options.get("joined", "keep"))
