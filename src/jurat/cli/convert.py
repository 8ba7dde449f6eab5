"""`jurat convert`: the same content in another format, or in Jurat's long tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli.shell.intake import names, reading_options
from jurat.cli.shell.testset import PATH, Given, takes_test_set, write_given


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
        tables.convert(given.files, out, to=to, force=force, options=options)
    else:
        write_given(given.read(), out, to=to, force=force)
