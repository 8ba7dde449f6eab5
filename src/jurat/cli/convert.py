"""`jurat convert`: the same content in another format, or in Jurat's long tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli.shell.intake import names, reading_options
from jurat.cli.shell.testset import PATH, Given, takes_test_set, write_given
from jurat.faults import Fault, FaultyInput

if TYPE_CHECKING:
    from jurat.model import TestSet


@click.command(name="convert", no_args_is_help=True)
@takes_test_set("--from")
@click.argument("out", type=PATH)
@click.option("--to", metavar="NAME", help="The format to write, if OUT's ending does not tell.")
@click.option("--force", is_flag=True, help="Write over files that are there.")
@reading_options
@click.option("--preferences", is_flag=True, help="Make the table of preferences.")
@click.option("--scores", is_flag=True, help="Make the table of metrics' scores.")
@click.option("--metrics", type=names, default="", help="With --scores: the metrics' columns.")
def command(given: Given, out: Path, to: str | None, force: bool, **options: Any) -> None:
    """Write a test set in another format, or a table of judgments as Jurat's long table.

    FILE... is a test set, or a table (.csv, .tsv, .jsonl, .parquet; several are put one under the
    other). What a new format cannot hold is said. OUT is a folder where a format needs several
    files.

    \b
    Examples:
      jurat convert try-out/testset.jsonl testset.tsv
      jurat convert try-out/testset.jsonl testset.xml --to wmt-xml
      jurat convert ratings.csv judgments.parquet --columns judge=judge_id,value=rating,item=doc+seg
    """
    from jurat.cli.shell import tables

    if any(options.values()) or tables.are_tables(given.files):
        if given != Given(files=given.files):
            raise click.UsageError("Options for test sets do not go with a table of judgments.")
        tables.convert(given.files, out, to=to, force=force, options=options)
    else:
        write_given(_test_set(given), out, to=to, force=force)


def _test_set(given: Given) -> TestSet:
    """The test set; whoever meant a table of judgments is told what that needs."""
    try:
        return given.read()
    except FaultyInput as error:
        hint = "if this is a table of judgments, map its columns: --columns judge=…,value=…,item=…"
        tabular = all(path.suffix in (".csv", ".tsv") for path in given.files)
        raise FaultyInput([*error.faults, *([Fault(message=hint)] if tabular else [])]) from None
