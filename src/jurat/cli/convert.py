"""`jurat convert`: test sets to other formats, and tables of judgments to the long table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import PATH, force_option, names_option
from jurat.cli._common.analysis import intake_of, listed_items, reading_options, table_options
from jurat.cli._common.format_output import write_in_format
from jurat.cli._common.result_output import print_notes
from jurat.cli._common.testsets import TestSetArguments, takes_test_set, write_given
from jurat.errors import InputError, Problem, counted, input_error
from jurat.files import read_sources, write_file
from jurat.library.stores import is_archive, open_archived

if TYPE_CHECKING:
    import polars as pl

    from jurat.formats import ReadTables
    from jurat.model import File, TestSet

# Names of options whose parameter is called otherwise.
OPTIONS = {"system_columns": "systems", "judge_columns": "judges", "total": "sum"}
# Columns that only a table of judgments has, never a test set.
JUDGMENT_COLUMNS = {"judge", "value", "question", "outcome", "better", "rank", "rank1", "metric"}


@click.command(name="convert", no_args_is_help=True)
@takes_test_set("--from")
@click.argument("out", type=PATH)
@click.option("--to", metavar="NAME", help="Format of OUT, if its ending does not tell it.")
@force_option
@reading_options
@click.option("--preferences", is_flag=True, help="Write the table of preferences.")
@click.option("--test-set", is_flag=True, help="Write the texts in FILE... as a test set.")
@click.option("--scores", is_flag=True, help="Write the table of metric scores.")
@names_option("--metrics", help="With --scores: columns of metric scores.")
def command(
    given: TestSetArguments,
    out: Path,
    to: str | None,
    *,
    force: bool,
    test_set: bool,
    **options: Any,
) -> None:
    """Convert test sets and tables to other formats.

    FILE... is a test set, or one or more tables (.csv, .tsv, .jsonl, .parquet), which are
    concatenated, files of another tool, or the archive of a campaign. OUT is a folder where the
    format needs several files. What the new format cannot hold is reported.

    Judgments are written as a long table, or with --to as pearmut, appraise, google-mqm,
    mt-metrics-eval, wmt-ranking, label-studio, comet or excel.

    \b
    Examples:
      jurat convert try-out/testset.jsonl testset.tsv
      jurat convert try-out/testset.jsonl testset.xml --to wmt-xml
      jurat convert ratings.csv judgments.parquet --columns judge=judge_id,value=rating,item=doc+seg
      jurat convert annotations.jsonl mqm.tsv --to google-mqm
      jurat convert review.xlf testset.jsonl --test-set
    """
    if test_set or (not any(options.values()) and has_only_texts(given.files)):
        write_texts(given.files, out, to=to, force=force)
    # options for tables decide; without any, the names of the columns do
    elif any(options.values()) or are_tables(given.files):
        # any other field means that an option for test sets was given
        if given != TestSetArguments(files=given.files):
            raise click.UsageError(
                "Options for test sets cannot be used with a table of judgments."
            )
        write_long_table(given.files, out, to=to, force=force, options=options)
    else:
        write_given(_test_set(given), out, to=to, force=force)


def _test_set(given: TestSetArguments) -> TestSet:
    """The test set; the error for a table says what a table of judgments would need."""
    try:
        return given.read()
    except InputError as error:
        hint = "for a table of judgments, map its columns: --columns judge=…,value=…,item=…"
        tabular = all(path.suffix in (".csv", ".tsv") for path in given.files)
        raise InputError([*error.problems, *([Problem(message=hint)] if tabular else [])]) from None


def has_only_texts(paths: Sequence[Path]) -> bool:
    """Whether the files are of formats that hold texts and no judgments."""
    from jurat.formats import recognise
    from jurat.formats.file_format import TEXTS_ALONE
    from jurat.formats.read import open_files

    if not paths or (len(paths) == 1 and is_archive(paths[0])):
        return False
    kinds = [recognise(file) for file in open_files(read_sources(paths)).files]
    return all(kind is not None and kind.name in TEXTS_ALONE for kind in kinds)


def write_texts(paths: Sequence[Path], out: Path, *, to: str | None, force: bool) -> None:
    """Write the texts of files, of whatever format, as a test set."""
    from jurat.formats import read_judgments
    from jurat.formats.testset_from_texts import test_set_of

    files = read_sources(paths)
    read = read_judgments(files)
    made = test_set_of(read.tables, files[0].name)
    print_notes(read.notes)
    write_given(made, out, to=to, force=force)


def are_tables(paths: Sequence[Path]) -> bool:
    """Whether the files are tables of judgments, not a test set."""
    if len(paths) == 1 and is_archive(paths[0]):
        return True
    # imported here: it loads polars
    from jurat.formats.read import open_files

    members = open_files(read_sources(paths)).files
    return bool(members) and all(map(_is_table, members))


def write_long_table(
    paths: Sequence[Path], out: Path, *, to: str | None, force: bool, options: dict[str, Any]
) -> None:
    """Write what the files hold as a long table, or in the format of another tool."""
    from jurat.formats import counting_tables, writer_name

    if not paths:
        raise click.UsageError("Give a FILE to read and OUT to write.")
    _check_together(options)
    name = writer_name(out.suffix.removeprefix(".").lower(), to)
    if name is None:
        return _write_table(paths, out, to=to, force=force, options=options)
    if options["scores"]:
        raise click.UsageError(f"--scores cannot be written as {name}.")
    read = _read(paths, options)
    if options["preferences"]:
        read = replace(read, tables={n: t for n, t in read.tables.items() if n != "judgments"})
    found = counting_tables(read, intake_of(options), items=listed_items(options))
    return write_in_format(found, name, out, force=force)


def _write_table(
    paths: Sequence[Path], out: Path, *, to: str | None, force: bool, options: dict[str, Any]
) -> None:
    """Write one of Jurat's long tables: judgments, preferences or scores."""
    from jurat.formats import read_scores_table
    from jurat.tables import Judgments, write_table
    from jurat.tables.preferences import Preferences
    from jurat.tables.scores import scores

    if options["scores"]:
        table = read_scores_table(read_sources(paths))
        frame = scores(table, columns=options["columns"], metrics=options["metrics"])
    else:
        intake = intake_of(options)
        found = _read(paths, options)
        compared = options["preferences"] or "judgments" not in found.tables
        order = ("preferences", "judgments") if compared else ("judgments",)
        held = [found.tables[name] for name in order if name in found.tables]
        if not held:
            names = ", ".join(found.tables)
            message = f"there are no judgments here, but {names}; see --scores and --test-set"
            raise input_error(message, file=str(paths[0]))
        reader = Preferences if compared else Judgments
        read = reader(held[0], intake, items=listed_items(options))
        frame = read.frame
        print_notes((*read.notes, *found.notes))
    write_file(out, write_table(frame, to or out.suffix.removeprefix(".").lower()), force=force)
    click.echo(f"{out}: {_summary(frame)}")


def _read(paths: Sequence[Path], options: dict[str, Any]) -> ReadTables:
    """The tables of files, or of the archive of a campaign."""
    from jurat.formats import read_judgments

    if len(paths) == 1 and is_archive(paths[0]):
        return _read_archive(paths[0])
    files = read_sources(paths)
    return read_judgments(files, intake_of(options), options=table_options(options))


def _read_archive(path: Path) -> ReadTables:
    """The tables of the campaign in an archive, with texts; raises `InputError` for several."""
    from jurat.formats import ReadTables
    from jurat.formats.write import BESIDE

    with open_archived(path) as (service, campaign):
        tables = service.campaigns.tables_with_texts(campaign)
    if not tables.keys() - {*BESIDE}:
        raise input_error("the campaign has no judgments yet", file=str(path))
    return ReadTables(tables=tables)


def _is_table(file: File) -> bool:
    """Whether a file holds judgments: by its format, or by the names of its columns alone."""
    import msgspec

    from jurat.formats import recognise
    from jurat.tables import ENDINGS
    from jurat.tables.archives import is_spreadsheet

    if recognise(file) is not None:
        return True
    # no format of test sets uses spreadsheets and Parquet
    if is_spreadsheet(file) or file.ending == "parquet":
        return True
    if file.ending not in ENDINGS:
        return False
    # only the first line: what is wrong further down is reported when the table is read
    first = file.data.split(b"\n", 1)[0].decode("utf-8-sig", errors="replace")
    if file.ending == "jsonl":
        try:
            return bool(JUDGMENT_COLUMNS & set(msgspec.json.decode(first, type=dict[str, object])))
        # the reader of test sets says what is wrong with the line
        except msgspec.MsgspecError:
            return False
    return bool(JUDGMENT_COLUMNS & {name.strip(' "\r') for name in re.split(r"[,;\t]", first)})


def _check_together(options: dict[str, Any]) -> None:
    """Raise `UsageError` for an option that would have no effect."""
    if options["scores"]:
        used = ("scores", "metrics", "columns")
        idle = [name for name, value in options.items() if value and name not in used]
        if idle:
            option = OPTIONS.get(idle[0], idle[0]).replace("_", "-")
            raise click.UsageError(f"--{option} cannot be used with --scores.")
    elif options["metrics"]:
        raise click.UsageError("--metrics needs --scores.")


def _summary(frame: pl.DataFrame) -> str:
    """`2,500 rows: 25 judges, 100 items`."""
    named = ("judge", "item", "system", "question", "metric")
    counts = [counted(frame[n].n_unique(), n) for n in named if n in frame.columns]
    return ": ".join([counted(frame.height, "row"), ", ".join(counts)])
