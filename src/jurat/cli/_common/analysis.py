"""What the commands that analyse judgments share: options, reading tables, and running.

Every option about a table ends up in one `Intake` (`intake_of`), every option about computing in
one settings object (`settings_of`), and the tables in one `Evaluation` (`evaluation_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from jurat.cli._common import (
    PATH,
    Command,
    Decorator,
    bootstrap_option,
    column_option,
    confidence_option,
    expression_option,
    file_option,
    names_option,
    setting,
    split_names,
    with_options,
)
from jurat.cli._common.analysis_record import analysis_record
from jurat.cli._common.result_file_options import check_files, write_figure, write_results
from jurat.cli._common.result_output import (
    Form,
    asked_by_options,
    drawn_first,
    print_notes,
    print_results,
    print_summary,
    result_options,
)
from jurat.cli._common.store_address import open_service, store_option
from jurat.cli._common.terminal_output import tracked
from jurat.errors import unknown_name
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
    names_option("--model-judges", help="Judges that are models, where no column judge_kind is."),
    click.option("--include-models", is_flag=True, help="Let model judges count beside people."),
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

standardise_option = expression_option(
    "--standardise-where",
    help="Rows for computing judges' means and deviations (default: all rows).",
)

_ANALYSING = (
    names_option("--by", help="Split the results by these columns."),
    standardise_option,
    setting("--seed", default=1, help="Random seed; the same seed gives the same intervals."),
    bootstrap_option("Bootstrap resamples for intervals; 0 for none."),
    confidence_option("Confidence level of the intervals."),
    click.option(
        "--unit",
        type=click.Choice(["document", "segment"]),
        help="What tests and intervals take as independent [default: documents where known].",
    ),
    click.option(
        "--executor",
        metavar="URL",
        help="Resample on a Dask cluster: dask://HOST:PORT; the numbers are the same.",
    ),
)


def method_option(*names: str, several: bool = False) -> Decorator[Any]:
    """`--method`, whose help lists the names; without names it is there for old scripts only."""

    def checked(value: str) -> str:
        for name in split_names(value) if several else filter(None, [value]):
            if name not in names:
                raise unknown_name("method", name, names)
        return value

    listed = f"Another way to compute: {', '.join(names)}."
    more = " Several are separated by commas." if several else ""
    return click.option(
        "--method",
        type=checked,
        default="",
        metavar="NAMES" if several else "NAME",
        hidden=not names,
        help=listed + more,
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
    options = (files, analysing_options, campaign_option, store_option, result_options)
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

    return TableOptions(**{name: options[name] for name in TableOptions.__struct_fields__})


def listed_items(options: dict[str, Any]) -> pl.DataFrame | None:
    """The table that `--items` names; None without the option."""
    return other_table(options["items"]) if options["items"] else None


def other_table(path: Path | str) -> pl.DataFrame:
    """The table that an option names, beside the judgments; prints how it was read."""
    from jurat.formats import open_other_table

    frame, notes = open_other_table(read_file(path))
    print_notes(notes)
    return frame


def settings_of(kind: type[AnySettings], options: dict[str, Any], **other: Any) -> AnySettings:
    """Settings of this kind, from `other` and the options that are named like its fields.

    A field keeps its default where its option was not given (None).
    """
    # a command need not have an option for every field
    named = {n: options[n] for n in kind.__struct_fields__ if options.get(n) is not None}
    return kind(**{**named, **other})


def print_analysis(
    folder: str, evaluation: Evaluation, settings: Settings, options: Mapping[str, Any]
) -> None:
    """Compute statistics of a folder of `jurat.stats`; print the results, and write files.

    These are the statistics of `--statistic`; or all of them for `--full`, `--json` and the like,
    and `--out`; or else those of the command's summary.
    """
    from jurat.cli._common.shown_by_default import SUMMARIES
    from jurat.stats import analyse, statistics
    from jurat.stats.identical_outputs import evaluation_for
    from jurat.stats.statistic_choice import choose

    check_files(options)
    evaluation = evaluation_for(folder, evaluation)
    chosen = choose(folder, options["statistic"])
    brief = () if options["full"] or options["form"] or chosen.kinds else SUMMARIES.get(folder, ())
    also = choose(folder, [name for one in brief for name in asked_by_options(one)])
    few = (*(name for one in brief for name in one.statistics), *also.kinds)
    only = chosen.kinds or (() if options["out"] else few)
    # a statistic may give several results, and the bar advances with each result
    count = sum(len(k.gives) for k in statistics(folder) if not only or k.name in only)
    computed = analyse(folder, evaluation, settings, only=only)
    found = list(tracked(computed, "computing", total=count))
    if chosen.results:
        found = [result for result in found if result.name in chosen.results]
    notes = (*evaluation.notes, *(evaluation.scoring_notes if folder == "systems" else ()))
    record = partial(analysis_record, evaluation.fingerprints)
    # before anything is printed: the reader of a pipe may leave early
    write_results(found, options, notes=notes, analysis=record)
    write_figure(drawn_first(brief, found), options)
    print_notes(notes)
    if brief:
        below = [result for result in found if result.name in also.results]
        columns = evaluation.columns
        by = options["by"]
        print_summary(brief, found, by=by, columns=columns, below=below, notes=notes)
    else:
        every = bool(options["full"] and chosen.kinds)
        form = Form(options["form"], notes, record)
        print_results(found, form, by=options["by"], every_row=every)


def evaluation_of(
    files: Sequence[Path],
    options: dict[str, Any],
    *,
    takes: Sequence[str] = ("judgments",),
    prepare: Prepare | None = None,
    with_texts: bool = False,
    mark: Callable[[pl.DataFrame], pl.DataFrame] | None = None,
    read: ReadTables | None = None,
) -> Evaluation:
    """The tables of the files or the campaign, read as the options say.

    `takes` names the tables that the command can use: judgments, preferences, spans. The first is
    its subject; another is left out if it lacks a column of `--by`. Files of preferences or
    rankings are recognised by their columns. `prepare` changes the files' table before it is read.
    `with_texts` adds the texts that were judged to the judgments, where the files have them, and
    `mark` adds columns to the table of judgments, also to a campaign's. `read` are the tables of
    `tables_of`, where they were read already.
    Raises `InputError` if there is none of the tables.
    """
    from jurat.library.evaluation_from_tables import evaluation_from

    intake, items = intake_of(options), listed_items(options)
    return evaluation_from(
        _read(files, options, intake, prepare) if read is None else read,
        intake,
        takes=takes,
        items=items,
        joined=options.get("joined", "keep"),
        with_texts=with_texts,
        mark=mark,
    )


def tables_of(files: Sequence[Path], options: dict[str, Any]) -> ReadTables:
    """All tables that the files or the campaign have, also those that no analysis takes."""
    return _read(files, options, intake_of(options), None)


def _read(
    files: Sequence[Path], options: dict[str, Any], intake: Intake, prepare: Prepare | None
) -> ReadTables:
    """The tables of the files or of the campaign, by name."""
    from jurat.formats import ReadTables, read_judgments
    from jurat.library.stores import is_archive, open_archived
    from jurat.tables.preferences import with_rankings

    if bool(files) == bool(options["campaign"]):
        raise click.UsageError("Give either FILE or --campaign.")
    joined = options.get("joined", "keep")
    if len(files) == 1 and is_archive(files[0]):
        with open_archived(files[0]) as (service, name):
            tables = service.campaigns.tables_with_models(name, spans=intake.include_models)
        return ReadTables(tables=with_rankings(tables, joined=joined))
    if files:
        opening = table_options(options)
        return read_judgments(
            read_sources(files),
            intake,
            options=opening,
            prepare=prepare,
            joined=joined,
        )
    with open_service(options["url"]) as service:
        tables = service.campaigns.tables_with_models(
            options["campaign"], spans=intake.include_models
        )
    return ReadTables(tables=with_rankings(tables, joined=joined))
