"""Results on the terminal, and the options that choose another form of the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from jurat.results import Result

Command = TypeVar("Command", bound=Callable[..., Any])

_FORMS = {"json": "as JSON", "csv": "as CSV", "latex": "as LaTeX tables"}


def output_options(command: Command) -> Command:
    """Give a command `--json`, `--csv` and `--latex`; the choice arrives as `form`."""
    for form, words in reversed(_FORMS.items()):
        option = click.option(
            f"--{form}", "form", flag_value=form, default=None, help=f"The numbers {words}."
        )
        command = option(command)
    return command


def print_results(results: Sequence[Result], form: str | None = None) -> None:
    """A readable table of each result, headline first, or the form asked for."""
    from jurat import results as forms

    writers = {"json": forms.to_json, "csv": forms.to_csv, "latex": forms.to_latex}
    if form:
        click.echo(writers[form](results).rstrip("\n"))
        return
    for n, result in enumerate(results):
        if n:
            click.echo()
        _print_result(result)


def _print_result(result: Result) -> None:
    from jurat.cli.shell.printing import print_table
    from jurat.results import readable

    columns, rows = readable(result)
    if result.headline:
        click.echo(result.headline)
    print_table(columns, rows, numbers=("value", "interval", "n"))
    click.echo(f"{result.name}: {result.method}")
