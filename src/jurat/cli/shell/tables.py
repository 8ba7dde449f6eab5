"""Users' tables on the command line: read as the options say, and written as long tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
import polars as pl

from jurat.cli.shell.files import read_files, write_file
from jurat.cli.shell.intake import intake_of, listed_items
from jurat.cli.shell.printing import counted
from jurat.model import File
from jurat.tables import ENDINGS, Judgments, read_tables, write_table
from jurat.tables.preferences import Preferences
from jurat.tables.scores import scores

OPTIONS = {"system_columns": "systems", "total": "sum"}
"""What options are called, where the functions call them otherwise."""
TELLING = {"judge", "value", "question", "outcome", "better", "rank", "rank1", "metric"}
"""Columns that a test set never has: with one of them a file is a table of judgments."""


def are_tables(paths: Sequence[Path]) -> bool:
    """Whether the files are tables of judgments, and no test set."""
    return bool(paths) and all(_is_table(file) for file in read_files(paths))


def convert(
    paths: Sequence[Path], out: Path, *, to: str | None, force: bool, options: dict[str, Any]
) -> None:
    """Write the long table that the files make."""
    if not paths:
        raise click.UsageError("Name the FILE to be read and the OUT to be written.")
    _check_together(options)
    table = read_tables(read_files(paths))
    if options["scores"]:
        frame = scores(table, columns=options["columns"], metrics=options["metrics"])
    else:
        reader = Preferences if options["preferences"] else Judgments
        frame = reader(table, intake_of(options), items=listed_items(options)).frame
    write_file(out, write_table(frame, to or out.suffix.removeprefix(".").lower()), force=force)
    click.echo(f"{out}: {_summary(frame)}")


def _is_table(file: File) -> bool:
    """By the columns' names alone: what is wrong further down is said when the table is read."""
    if file.ending not in ENDINGS:
        return False
    if file.ending == "parquet":
        return True
    first = file.data.split(b"\n", 1)[0].decode("utf-8-sig", errors="replace")
    if file.ending == "jsonl":
        try:
            return bool(TELLING & set(msgspec.json.decode(first, type=dict[str, object])))
        except msgspec.MsgspecError:
            return False
    return bool(TELLING & {name.strip(' "\r') for name in re.split(r"[,;\t]", first)})


def _check_together(options: dict[str, Any]) -> None:
    """Refuse an option that would do nothing."""
    if options["scores"]:
        used = ("scores", "metrics", "columns")
        idle = [name for name, value in options.items() if value and name not in used]
        if idle:
            option = OPTIONS.get(idle[0], idle[0]).replace("_", "-")
            raise click.UsageError(f"--{option} does not go with --scores.")
    elif options["metrics"]:
        raise click.UsageError("--metrics goes with --scores.")


def _summary(frame: pl.DataFrame) -> str:
    """`2,500 rows: 25 judges, 100 items`."""
    named = ("judge", "item", "system", "question", "metric")
    counts = [counted(frame[n].n_unique(), n) for n in named if n in frame.columns]
    return ": ".join([counted(frame.height, "row"), ", ".join(counts)])
