"""What the commands that analyse judgments share: their options, reading tables, running.

Every option about a table ends up in one `Intake` (`intake_of`), every option about computing in
one settings object (`settings_of`), and the tables in one `Evaluation` (`evaluation_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from jurat.cli._common import (
    PATH,
    Command,
    bootstrap_option,
    choice,
    column_option,
    confidence_option,
    expression_option,
    file_option,
    names_option,
    setting,
    with_options,
)
from jurat.cli._common.files import read_file, read_files
from jurat.cli._common.printing import output_options, print_results, tracked
from jurat.cli._common.stores import service, store_option
from jurat.errors import input_error

if TYPE_CHECKING:
    import polars as pl

    from jurat.stats import Evaluation, Settings
    from jurat.tables import Intake

    AnySettings = TypeVar("AnySettings", bound=Settings)

# Changes a table of the files before it is read.
Prepare = Callable[["pl.DataFrame", "Intake"], "pl.DataFrame"]

_READING = (
    click.option(
        "--columns",
        default="",
        metavar="MAP",
        help="Jurat's name = the file's column, several joined by +, or a literal in quotes: "
        "judge=judge_id,item=system+doc+seg,system_a='mt'.",
    ),
    names_option("--questions", help="Columns that each hold a question's answers."),
    names_option("--systems", "system_columns", help="Columns that hold systems' scores."),
    column_option("--sum", "total", help="Add its rows up per judge and item."),
    file_option("--items", help="Only the items listed in this table."),
    expression_option("--where", help="Only rows for which this holds: \"type == 'TGT'\"."),
    names_option("--exclude", help="Leave these judges out."),
    click.option(
        "--fold", default="", metavar="MAP", help="Map the scale: 7to5, or 1,1,2,3,3, or A=2,B=1."
    ),
)

_ANALYSING = (
    names_option("--by", help="Split by these columns."),
    expression_option(
        "--standardise-where",
        help="Rows that judges' means and deviations come from (default: all).",
    ),
    setting("--seed", default=1, help="The same seed, the same intervals."),
    bootstrap_option("Resamples for intervals; 0 for none."),
    confidence_option("Of the intervals."),
    click.option("--method", default="", metavar="NAME", help="Another way to compute it."),
)


campaign_option = click.option(
    "--campaign", metavar="NAME", help="A campaign's judgments instead of files."
)


def reading_options(command: Command) -> Command:
    """Give a command the options that say how a table is read; see `intake_of`."""
    return with_options(command, _READING)


def analysing_options(command: Command) -> Command:
    """Give a command all options of an analysis but the files: reading, splits, intervals."""
    return with_options(command, (*_READING, *_ANALYSING))


def analysis_options(command: Command) -> Command:
    """Give a command FILE…, `--campaign`, and every option of an analysis."""
    files = click.argument("files", nargs=-1, metavar="FILE...", type=PATH)
    options = (files, analysing_options, campaign_option, store_option, output_options)
    return with_options(command, options)


def rank_options(command: Command) -> Command:
    """Give a command `--ties` and `--ranks`: what happens where systems are equally good."""
    ties = "Best on a sentence where k systems are: 1/k each, all, the first by name, nobody."
    options = (
        choice("--ties", ["share", "all", "first", "none"], ties),
        choice("--ranks", ["minimum", "dense"], "Ranks after a tie: 1, 1, 3 or 1, 1, 2."),
    )
    return with_options(command, options)


def intake_of(options: dict[str, Any]) -> Intake:
    """The way of reading a table that a command's options describe."""
    from jurat.tables import Intake

    # click's names for --sum and --systems differ, since commands have other uses for both words
    given = {"sum": options["total"], "systems": options["system_columns"]}
    given |= {n: options[n] for n in Intake.__struct_fields__ if n in options and n not in given}
    return Intake(**given)


def listed_items(options: dict[str, Any]) -> pl.DataFrame | None:
    """The table that `--items` names; None where the option was not given."""
    from jurat.tables import read_table

    return read_table(read_file(options["items"])) if options["items"] else None


def settings_of(kind: type[AnySettings], options: dict[str, Any], **other: Any) -> AnySettings:
    """Settings from the options that are named like its fields; `other` stands before them.

    An option that was not given (None) leaves the field its default.
    """
    named = {n: options[n] for n in kind.__struct_fields__ if options.get(n) is not None}
    return kind(**{**named, **other})


def run(folder: str, evaluation: Evaluation, settings: Settings, form: str | None) -> None:
    """Compute every statistic of a folder of `jurat.stats`, and print the results."""
    from jurat.stats import analyse, statistics

    count = sum(len(s.gives) for s in statistics(folder))
    found = list(tracked(analyse(folder, evaluation, settings), "computing", total=count))
    print_results(found, form)


def evaluation_of(
    files: Sequence[Path],
    options: dict[str, Any],
    *,
    takes: Sequence[str] = ("judgments",),
    prepare: Prepare | None = None,
) -> Evaluation:
    """The tables that the files or the campaign make, read as the options say.

    A file of preferences or rankings is known by its columns; a campaign has them apart. `takes`
    names the tables that the command can use: judgments, preferences, spans; the first is what it
    is about, and another that has not all columns of `--by` is left out. `prepare` changes the
    table of the files before it is read.
    """
    from jurat.stats import Evaluation
    from jurat.tables import Judgments
    from jurat.tables.preferences import Preferences

    intake, items = intake_of(options), listed_items(options)
    there = _tables(files, options, intake, prepare)
    tables = {n: t for n, t in there.items() if n in takes}
    if not tables:
        raise input_error(f"there are no {' or '.join(takes)} in what was given")
    if takes[0] in tables:
        tables = {n: t for n, t in tables.items() if n == takes[0] or {*intake.by} <= {*t.columns}}
    judged, compared = tables.get("judgments"), tables.get("preferences")
    # options about numeric answers are then meant for the judgments
    of_pairs = intake if judged is None else intake.for_pairs()
    joined = options.get("joined", "keep")
    pairs = partial(Preferences, intake=of_pairs, items=items, joined=joined)
    return Evaluation(
        judgments=None if judged is None else Judgments(judged, intake, items=items),
        preferences=None if compared is None else pairs(compared),
        spans=tables.get("spans"),
    )


def _tables(
    files: Sequence[Path], options: dict[str, Any], intake: Intake, prepare: Prepare | None
) -> dict[str, pl.DataFrame]:
    """The tables by name; files are put one under the other."""
    from jurat.tables import read_tables
    from jurat.tables.preferences import tells_preferences, with_rankings

    # both, or neither
    if bool(files) == bool(options["campaign"]):
        raise click.UsageError("Name a FILE to read, or a campaign with --campaign.")
    if files:
        table = read_tables(read_files(files))
        table = prepare(table, intake) if prepare else table
        return {"preferences" if tells_preferences(table, intake) else "judgments": table}
    with service(options["url"]) as campaigns:
        tables = campaigns.tables(options["campaign"])
    return with_rankings(tables, joined=options.get("joined", "keep"))
