"""The options that say how a user's table is read: the same for every command that reads one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    import polars as pl

    from jurat.tables import Intake

Command = TypeVar("Command", bound=Callable[..., Any])


def names(value: str) -> tuple[str, ...]:
    """Names with commas between them, without the blanks around them."""
    return tuple(name for part in value.split(",") if (name := part.strip()))


_READING = (
    click.option(
        "--columns",
        default="",
        metavar="MAP",
        help="Jurat's name = the file's column, several joined by +, or a literal in quotes: "
        "judge=judge_id,item=system+doc+seg,system_a='mt'.",
    ),
    click.option(
        "--questions", type=names, default="", help="Columns that each hold a question's answers."
    ),
    click.option(
        "--systems",
        "system_columns",
        type=names,
        default="",
        help="Columns that hold systems' scores.",
    ),
    click.option(
        "--sum", "total", default="", metavar="COLUMN", help="Add its rows up per judge and item."
    ),
    click.option(
        "--items",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Only the items listed in this table.",
    ),
    click.option(
        "--where",
        default="",
        metavar="EXPR",
        help="Only rows for which this holds: \"type == 'TGT'\".",
    ),
    click.option("--exclude", type=names, default="", help="Leave these judges out."),
    click.option(
        "--fold", default="", metavar="MAP", help="Map the scale: 7to5, or 1,1,2,3,3, or A=2,B=1."
    ),
)

_ANALYSING = (
    click.option("--by", type=names, default="", help="Split by these columns."),
    click.option(
        "--standardise-where",
        default="",
        metavar="EXPR",
        help="Rows that judges' means and deviations come from (default: all).",
    ),
    click.option("--seed", default=1, show_default=True, help="The same seed, the same intervals."),
    click.option(
        "--bootstrap",
        default=1000,
        show_default=True,
        type=click.IntRange(0),
        help="Resamples for intervals; 0 for none.",
    ),
    click.option(
        "--confidence",
        default=0.95,
        show_default=True,
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        help="Of the intervals.",
    ),
    click.option("--method", default="", metavar="NAME", help="Another way to compute it."),
)


def reading_options(command: Command) -> Command:
    """Give a command the options that say how a table is read; see `intake_of`."""
    return _with(command, _READING)


def analysing_options(command: Command) -> Command:
    """Give a command all that an analysis takes: reading, splits, intervals."""
    return _with(_with(command, _ANALYSING), _READING)


def _with(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def intake_of(options: dict[str, Any]) -> Intake:
    """The way of reading that a command's options describe."""
    from jurat.tables import Intake

    same = ("columns", "questions", "where", "standardise_where", "by", "exclude", "fold")
    given = {name: options[name] for name in same if name in options}
    return Intake(sum=options["total"], systems=options["system_columns"], **given)


def listed_items(options: dict[str, Any]) -> pl.DataFrame | None:
    """The items of `--items`, where the option was given."""
    from jurat.cli.shell.files import read_file
    from jurat.tables import read_table

    return read_table(read_file(options["items"])) if options["items"] else None
