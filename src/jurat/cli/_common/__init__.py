"""Options that several commands share, and short forms of `click.option`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]

# The key of click's context under which the arguments of the command are kept.
ARGUMENTS = "jurat.arguments"

PATH = click.Path(path_type=Path)
BETWEEN_0_AND_1 = click.FloatRange(0, 1, min_open=True, max_open=True)
POSITIVE = click.FloatRange(0, min_open=True)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
force_option = click.option("--force", is_flag=True, help="Overwrite existing files.")


def setting(*names: str, default: object, help: str, **more: Any) -> Decorator[Any]:  # noqa: A002
    """An option whose help shows its default."""
    return click.option(*names, default=default, show_default=True, help=help, **more)


def choice(name: str, values: Sequence[str], help: str) -> Decorator[Any]:  # noqa: A002
    """An option that takes one of `values`; the first is the default."""
    return setting(name, type=click.Choice(values), default=values[0], help=help)


def file_option(*names: str, help: str, **more: Any) -> Decorator[Any]:  # noqa: A002
    """An option that names a file, shown as FILE in the help."""
    return click.option(*names, type=PATH, metavar="FILE", help=help, **more)


def names_option(*names: str, help: str, **more: Any) -> Decorator[Any]:  # noqa: A002
    """An option that takes names separated by commas, as a tuple; empty by default."""
    return click.option(*names, type=split_names, default="", metavar="NAMES", help=help, **more)


def column_option(*names: str, help: str) -> Decorator[Any]:  # noqa: A002
    """An option that names a column of a table, shown as COLUMN in the help."""
    return click.option(*names, default="", metavar="COLUMN", help=help)


def expression_option(*names: str, help: str) -> Decorator[Any]:  # noqa: A002
    """An option that takes a condition, shown as EXPR in the help."""
    return click.option(*names, default="", metavar="EXPR", help=help)


def bootstrap_option(help: str) -> Decorator[Any]:  # noqa: A002
    """`--bootstrap`: a number of resamples."""
    return setting("--bootstrap", default=1000, type=click.IntRange(0), help=help)


def confidence_option(help: str) -> Decorator[Any]:  # noqa: A002
    """`--confidence`: the level of intervals, between 0 and 1."""
    return setting("--confidence", default=0.95, type=BETWEEN_0_AND_1, help=help)


def with_options(command: Command, options: Sequence[Decorator[Any]]) -> Command:
    """The command with these options, which its help lists in this order."""
    for option in reversed(options):  # click lists the option that is applied last first
        command = option(command)
    return command


def split_names(value: str) -> tuple[str, ...]:
    """The names in `a, b,c`, stripped; empty ones are left out."""
    return tuple(name for part in value.split(",") if (name := part.strip()))
