"""Prints tables, results, JSON and progress bars."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Timer
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from jurat.cli._common import Command, Decorator, with_options
from jurat.cli._common.analysis_record import analysis_record
from jurat.errors import InputError, counted

if TYPE_CHECKING:
    from rich.console import Console

    from jurat.results import Result

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


_FORMS = {"json": "JSON", "csv": "CSV", "latex": "LaTeX tables"}


def output_options(command: Command) -> Command:
    """The command with `--json`, `--csv` and `--latex`; the choice is its argument `form`."""
    options: list[Decorator[Any]] = [
        click.option(f"--{form}", "form", flag_value=form, default=None, help=f"Print {words}.")
        for form, words in _FORMS.items()
    ]
    return with_options(command, options)


def print_results(
    results: Sequence[Result],
    form: str | None = None,
    *,
    notes: Sequence[str] = (),
    data: Mapping[str, str] | None = None,
) -> None:
    """Print each result with headline and table, or all as `form`: json, csv or latex.

    Notes about the data come first, on stderr; JSON has them, too, and a record of the analysis
    with the fingerprints of its `data`.
    """
    from jurat import results as forms

    print_notes(notes)
    if form:
        record = analysis_record(data or {}) if form == "json" else None
        to_json = partial(forms.to_json, analysis=record, notes=notes)
        writers: dict[str, Callable[[Sequence[Result]], str]] = {
            "json": to_json,
            "csv": forms.to_csv,
            "latex": forms.to_latex,
        }
        click.echo(writers[form](results).rstrip("\n"))
        return
    told = [result for result in results if not _left_out(result)]
    for n, result in enumerate(told):
        if n:
            click.echo()
        _print_result(result)
    _print_left_out([result for result in results if _left_out(result)], after=bool(told))


def print_notes(notes: Iterable[str]) -> None:
    """Print notes about the data, which are no errors, to stderr."""
    for note in notes:
        click.echo(f"note: {note}", err=True)


# Rows of a result that are printed as a table; the other forms have all of them.
MOST_ROWS = 24


def _print_result(result: Result) -> None:
    from jurat.results import readable

    columns, rows = readable(result)
    if result.headline:
        click.echo(result.headline)
    print_table(columns, rows[:MOST_ROWS], numbers=("value", "interval", "n"))
    if len(rows) > MOST_ROWS:
        click.echo(f"… and {len(rows) - MOST_ROWS:,} more rows: --csv and --json print all")
    click.echo(f"{result.name}: {result.method}")


def _left_out(result: Result) -> bool:
    """Whether no estimate of a result could be computed, and all for one reason."""
    reasons = {estimate.reason for estimate in result.estimates}
    return len(reasons) < 2 and all(estimate.value is None for estimate in result.estimates)


def _print_left_out(results: Sequence[Result], *, after: bool) -> None:
    """Print a line per reason with the names of the results that could not be computed."""
    names: dict[str, list[str]] = {}
    for result in results:
        reason = next((e.reason for e in result.estimates), "nothing to compute it from")
        names.setdefault(reason or "undefined", []).append(result.name)
    if names and after:
        click.echo()
    for reason, missing in names.items():
        click.echo(f"Left out: {', '.join(dict.fromkeys(missing))} ({reason})")
