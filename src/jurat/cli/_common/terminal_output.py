"""Prints tables, wrapped texts, JSON and progress bars."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Protocol, TypeVar

import click

from jurat.errors import InputError, counted

if TYPE_CHECKING:
    from rich.console import Console

Thing = TypeVar("Thing")
# The width of a table in a pipe: programs read it there, so that cells must not be wrapped.
WIDEST = 10_000


def terminal(*, wide: bool = False) -> Console:
    """Rich's console; it prints plain text in a pipe. `wide`: lines are not wrapped there."""
    from rich.console import Console

    console = Console(highlight=False)
    # COLUMNS is the user's own wish, also in a pipe
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
    """Print rows under headings; columns named in `numbers` are right-aligned."""
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold"
    )
    for name in columns:
        table.add_column(name, justify="right" if name in numbers else "left", overflow="fold")
    for row in rows:
        # rich would read a system called [bold] as markup
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    console = terminal(wide=True)
    # captured to strip the spaces with which rich fills lines
    with console.capture() as printed:
        console.print(table)
    for line in printed.get().splitlines():
        click.echo(line.rstrip())


# Spaces at which no line ends: 0.5 %, p < 0.001. A character that no text has stands for them.
_TOGETHER = re.compile(r"(?<=\d) (?=%)|(?<=\bp) (?=[<=])|(?<=\bp [<=]) ")
_GLUE = "\ue000"


def print_text(text: str, *, first: str = "", width: int = 0) -> None:
    """Print a text in lines of the terminal's width (or `width`), indented below `first`."""
    click.echo("\n".join(lines_of(text, first=first, width=width)))


def lines_of(text: str, *, first: str = "", width: int = 0) -> list[str]:
    """The lines in which `print_text` prints a text."""
    from textwrap import wrap

    # long names are not broken: they could not be copied
    lines = wrap(
        _TOGETHER.sub(_GLUE, text),
        width or terminal(wide=True).width,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_GLUE, " ") for line in lines]


def print_json(data: object) -> None:
    """Print JSON, indented, with keys in the order of the data."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(data), indent=2).decode())


def report_problems(error: InputError) -> int:
    """Print the problems that a check found, and their number; returns the exit status, 1."""
    for problem in error.problems:
        click.echo(str(problem), err=True)
    click.echo(f"{counted(len(error.problems), 'problem')} to fix", err=True)
    return 1


# Seconds of work after which a progress bar appears.
PATIENCE = 1.0


class Advance(Protocol):
    """A function that moves a progress bar by so many steps, from any thread."""

    def __call__(self, steps: int = 1, /) -> None:
        """Advance the bar."""


@contextmanager
def tracker(what: str, total: int) -> Iterator[Advance]:
    """A function that advances a progress bar, which appears on a terminal after a second."""
    # stderr, since stdout may be piped into a program while a person watches
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
        timer.join()  # or it could start the bar after it was stopped
        bar.stop()


def tracked(things: Iterable[Thing], what: str, total: int) -> Iterator[Thing]:
    """The same things; a progress bar advances with each."""
    with tracker(what, total) as advance:
        for thing in things:
            yield thing
            advance()
