"""What commands print: tables for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from jurat.faults import FaultyInput

if TYPE_CHECKING:
    from rich.console import Console


def terminal() -> Console:
    """Where people read; plain text in a pipe."""
    from rich.console import Console

    return Console(highlight=False)


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    title: str = "",
    numbers: Sequence[str] = (),
) -> None:
    """Rows under headings; the columns named in `numbers` are set flush right."""
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold"
    )
    for name in columns:
        right = name in numbers
        table.add_column(
            name, justify="right" if right else "left", no_wrap=right or name == columns[0]
        )
    for row in rows:
        # Text, not markup: a system may be called [bold]
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    terminal().print(table)


def print_json(data: object) -> None:
    """Indented JSON in the order of the data."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(data), indent=2).decode())


def report_faults(error: FaultyInput) -> int:
    """Print the faults that a check found, with their number; the exit status of a failed check."""
    for fault in error.faults:
        click.echo(str(fault), err=True)
    click.echo(f"{counted(len(error.faults), 'fault')} to mend", err=True)
    return 1


def counted(number: int, word: str, plural: str = "") -> str:
    """`1 fault`, `2 faults`, `1,200 analyses`."""
    return f"{number:,} {word if number == 1 else plural or word + 's'}"
