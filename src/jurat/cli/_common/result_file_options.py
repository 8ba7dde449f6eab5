"""`--out` and `--figure`: results written to files, by their ending."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import Command, Decorator, file_option, force_option, with_options
from jurat.errors import input_error

if TYPE_CHECKING:
    from jurat.results import Result

# The endings of files that hold results, and of those that hold a figure.
TABLES = ("json", "csv", "xlsx", "tex", "md", "html")
FIGURES = ("png", "svg", "pdf", "html")


def figure_option(command: Command) -> Command:
    """The command with `--figure`."""
    words = "Draw the answer, or the figures of --statistic: .png, .svg, .pdf or .html."
    return with_options(command, (file_option("--figure", help=words),))


def file_options(command: Command) -> Command:
    """The command with `--out`, `--figure` and `--force`."""
    words = "Write all results to a file: .json, .csv, .xlsx, .tex, .html or .md."
    options: tuple[Decorator[Any], ...] = (
        file_option("--out", help=words),
        figure_option,
        force_option,
    )
    return with_options(command, options)


def check_files(options: Mapping[str, Any]) -> None:
    """Raise `InputError` for a wrong ending or an existing file, before the long computation."""
    for name, allowed in (("out", TABLES), ("figure", FIGURES)):
        if path := options.get(name):
            check_ending(path, allowed)
            _check_new(path, force=options["force"])


def check_ending(path: Path, allowed: Sequence[str]) -> None:
    """Raise `InputError` unless the file has one of the allowed endings."""
    from jurat.result_files import ending_of

    ending_of(path, allowed)


def _check_new(path: Path, *, force: bool) -> None:
    from jurat.files import writable

    writable(path, force=force)


def write_results(
    results: Sequence[Result],
    options: Mapping[str, Any],
    *,
    notes: Sequence[str] = (),
    analysis: Callable[[], Mapping[str, object] | None] = lambda: None,
) -> None:
    """Write the file of `--out`, if it is given; what was written is said on stderr."""
    if path := options.get("out"):
        # here: what writes workbooks reads tables, too, and takes long to import
        from jurat.result_files import write

        write(results, path, force=options["force"], notes=notes, analysis=analysis())
        click.echo(f"wrote {path}", err=True)


def write_figure(results: Sequence[Result], options: Mapping[str, Any]) -> None:
    """Draw the file of `--figure`, if it is given; raises `InputError` if nothing can be drawn."""
    if path := options.get("figure"):
        from jurat.result_files import write

        drawn = [result for result in results if result.figure()]
        if not drawn:
            raise input_error("there is nothing to draw; choose another --statistic")
        write(drawn, path, force=options["force"])
        click.echo(f"wrote {path}", err=True)
