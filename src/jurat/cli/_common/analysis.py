"""What the commands that analyse judgments share: options, reading tables, and running.

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
    column_option,
    confidence_option,
    expression_option,
    file_option,
    names_option,
    setting,
    with_options,
)
from jurat.cli._common.store_address import open_service, store_option
from jurat.cli._common.terminal_output import output_options, print_results, tracked
from jurat.errors import input_error
from jurat.files import read_file, read_sources

if TYPE_CHECKING:
    import polars as pl

    from jurat.formats import ReadTables
    from jurat.stats import Evaluation, Settings
    from jurat.tables import Intake, TableOptions

    AnySettings = TypeVar("AnySettings", bound=Settings)

# Changes the table that the files make, before it is read as judgments.
Prepare = Callable[["pl.DataFrame", "Intake"], "pl.DataFrame"]

_READING = (
    click.option(
        "--columns",
        default="",
        metavar="MAP",
        help="Map Jurat's names to the file's columns, joined by + or as quoted literals: "
        "judge=judge_id,item=system+doc+seg,system_a='mt'; or split one: "
        "document,segment=id~'#'.",
    ),
    names_option("--questions", help="Columns that each hold the answers to one question."),
    names_option("--systems", "system_columns", help="Columns that each hold one system's scores."),
    names_option("--judges", "judge_columns", help="Columns that each hold one judge's answers."),
    column_option("--sum", "total", help="Add up this column per judge and item."),
    click.option(
        "--weights", default="", metavar="MAP", help="Weights of words for --sum: minor=1,major=5."
    ),
    file_option("--items", help="Use only the items listed in this table."),
    expression_option("--where", help="Use only rows that meet this condition: \"type == 'TGT'\"."),
    names_option("--exclude", help="Leave out these judges."),
    click.option(
        "--fold",
        default="",
        metavar="MAP",
        help="Map the scale to another: 7to5, 1,1,2,3,3, A=2,B=1 or 0-49=1,50-100=2.",
    ),
    names_option("--header", help="Names of the columns of a file that has no heading."),
    click.option("--sheet", default="", metavar="NAME", help="Sheet of a spreadsheet."),
    click.option(
        "--read-as",
        default="",
        metavar="FORMAT",
        help="Format of the files, if it is recognised wrongly: pearmut, appraise, … or table.",
    ),
)

_ANALYSING = (
    names_option("--by", help="Split the results by these columns."),
    expression_option(
        "--standardise-where",
        help="Rows for computing judges' means and deviations (default: all rows).",
    ),
    setting("--seed", default=1, help="Random seed; the same seed gives the same intervals."),
    bootstrap_option("Bootstrap resamples for intervals; 0 for none."),
    confidence_option("Confidence level of the intervals."),
    click.option(
        "--unit",
        type=click.Choice(["document", "segment"]),
        help="What tests and intervals take as independent [default: documents where known].",
    ),
    click.option(
        "--method",
        default="",
        metavar="NAME",
        help="Use another method, where a statistic has several.",
    ),
)


campaign_option = click.option(
    "--campaign", metavar="NAME", help="Read the judgments of this campaign instead of files."
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


def intake_of(options: dict[str, Any]) -> Intake:
    """The `Intake` that a command's options describe."""
    from jurat.tables import Intake

    # these have other names in click: commands use the words sum, systems and judges otherwise
    given = {
        "sum": options["total"],
        "systems": options["system_columns"],
        "judges": options.get("judge_columns", ()),
    }
    given |= {n: options[n] for n in Intake.__struct_fields__ if n in options and n not in given}
    return Intake(**given)


def table_options(options: dict[str, Any]) -> TableOptions:
    """The options for opening tables that a command's options describe."""
    from jurat.tables import TableOptions

    return TableOptions(header=options["header"], sheet=options["sheet"])


def listed_items(options: dict[str, Any]) -> pl.DataFrame | None:
    """The table that `--items` names; None without the option."""
    from jurat.tables import read_table

    return read_table(read_file(options["items"])) if options["items"] else None


def settings_of(kind: type[AnySettings], options: dict[str, Any], **other: Any) -> AnySettings:
    """Settings of this kind, from `other` and the options that are named like its fields.

    A field keeps its default where its option was not given (None).
    """
    # a command need not have an option for every field
    named = {n: options[n] for n in kind.__struct_fields__ if options.get(n) is not None}
    return kind(**{**named, **other})


def run(folder: str, evaluation: Evaluation, settings: Settings, form: str | None) -> None:
    """Compute the statistics of a folder of `jurat.stats`, and print the results."""
    from jurat.stats import analyse, statistics

    # a statistic may give several results, and the bar advances with each result
    count = sum(len(s.gives) for s in statistics(folder))
    found = list(tracked(analyse(folder, evaluation, settings), "computing", total=count))
    notes = (*evaluation.notes, *(evaluation.scoring_notes if folder == "systems" else ()))
    print_results(found, form, notes=notes, data=evaluation.fingerprints)


def evaluation_of(
    files: Sequence[Path],
    options: dict[str, Any],
    *,
    takes: Sequence[str] = ("judgments",),
    prepare: Prepare | None = None,
    with_texts: bool = False,
) -> Evaluation:
    """The tables of the files or the campaign, read as the options say.

    `takes` names the tables that the command can use: judgments, preferences, spans. The first is
    its subject; another is left out if it lacks a column of `--by`. Files of preferences or
    rankings are recognised by their columns. `prepare` changes the files' table before it is read.
    `with_texts` adds the texts that were judged to the judgments, where the files have them.
    Raises `InputError` if there is none of the tables.
    """
    from jurat import formats
    from jurat.stats import Evaluation
    from jurat.tables import Judgments
    from jurat.tables.preferences import Preferences

    intake, items = intake_of(options), listed_items(options)
    read = _read(files, options, intake, prepare)
    tables = {n: t for n, t in read.tables.items() if n in takes}
    if not tables:
        there = f", but {', '.join(read.tables)}" if read.tables else ""
        raise input_error(f"the input has no {' or '.join(takes)}{there}")
    # otherwise the other table is the subject, and a missing column of --by is an error
    if takes[0] in tables:
        tables = {n: t for n, t in tables.items() if n == takes[0] or {*intake.by} <= {*t.columns}}
    judged, compared = tables.get("judgments"), tables.get("preferences")
    if with_texts and judged is not None:
        judged = formats.with_texts(read.tables)
    # where there are judgments too, options about numeric answers apply to them alone
    of_pairs = intake if judged is None else intake.for_pairs()
    joined = options.get("joined", "keep")
    pairs = partial(Preferences, intake=of_pairs, items=items, joined=joined)
    return Evaluation(
        judgments=None if judged is None else Judgments(judged, intake, items=items),
        preferences=None if compared is None else pairs(compared),
        spans=tables.get("spans"),
        remarks=read.notes,
    )


def _read(
    files: Sequence[Path], options: dict[str, Any], intake: Intake, prepare: Prepare | None
) -> ReadTables:
    """The tables of the files or of the campaign, by name."""
    from jurat.formats import ReadTables, read_judgments
    from jurat.tables.preferences import with_rankings

    if bool(files) == bool(options["campaign"]):
        raise click.UsageError("Give either FILE or --campaign.")
    joined = options.get("joined", "keep")
    if files:
        opening = table_options(options)
        return read_judgments(
            read_sources(files),
            intake,
            options=opening,
            format=options["read_as"],
            prepare=prepare,
            joined=joined,
        )
    with open_service(options["url"]) as service:
        tables = service.campaigns.tables(options["campaign"])
    return ReadTables(tables=with_rankings(tables, joined=joined))
