"""What commands print: tables for people, JSON for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Protocol, TypeVar

import click

from jurat.faults import FaultyInput

if TYPE_CHECKING:
    from rich.console import Console

Thing = TypeVar("Thing")
WIDEST = 10_000
"""Characters of a line in a pipe: whoever reads it there wants whole words."""


def terminal(*, wide: bool = False) -> Console:
    """Where people read; plain text in a pipe, where `wide` things take the room they need."""
    from rich.console import Console

    console = Console(highlight=False)
    if wide and not console.is_terminal and "COLUMNS" not in os.environ:
        return Console(highlight=False, width=WIDEST)
    return console


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
        table.add_column(name, justify="right" if name in numbers else "left", overflow="fold")
    for row in rows:
        # Text, not markup: a system may be called [bold]
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    console = terminal(wide=True)
    with console.capture() as printed:
        console.print(table)
    for line in printed.get().splitlines():
        click.echo(line.rstrip())


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


PATIENCE = 1.0
"""Seconds of work after which a progress bar appears."""


class Advance(Protocol):
    """Told at each step, or of several at once; from any thread."""

    def __call__(self, steps: int = 1, /) -> None:
        """Go on."""


@contextmanager
def tracker(what: str, total: int) -> Iterator[Advance]:
    """A progress bar on a terminal, once the work has taken a while, and none in a pipe."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=total)
    timer = Timer(PATIENCE, bar.start)
    timer.start()
    try:
        yield lambda steps=1, /: bar.advance(task, steps)
    finally:
        timer.cancel()
        timer.join()  # or it might start the bar after its end
        bar.stop()


def tracked(things: Iterable[Thing], what: str, total: int) -> Iterator[Thing]:
    """The things one by one, with a progress bar."""
    with tracker(what, total) as advance:
        for thing in things:
            yield thing
            advance()
