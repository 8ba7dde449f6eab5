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
    told = [result for result in results if not _left_out(result)]
    for n, result in enumerate(told):
        if n:
            click.echo()
        _print_result(result)
    _print_left_out([result for result in results if _left_out(result)], after=bool(told))


MOST_ROWS = 24
"""Rows of a table on the terminal; the other forms have all of them."""


def _print_result(result: Result) -> None:
    from jurat.cli.shell.printing import print_table
    from jurat.results import readable

    columns, rows = readable(result)
    if result.headline:
        click.echo(result.headline)
    print_table(columns, rows[:MOST_ROWS], numbers=("value", "interval", "n"))
    if len(rows) > MOST_ROWS:
        click.echo(f"… and {len(rows) - MOST_ROWS:,} more rows: --csv or --json gives all")
    click.echo(f"{result.name}: {result.method}")


def _left_out(result: Result) -> bool:
    """Whether nothing of it could be computed, for one reason."""
    reasons = {estimate.reason for estimate in result.estimates}
    return len(reasons) < 2 and all(estimate.value is None for estimate in result.estimates)


def _print_left_out(results: Sequence[Result], *, after: bool) -> None:
    """A line for each reason, with the results that there are none of."""
    names: dict[str, list[str]] = {}
    for result in results:
        reason = next((e.reason for e in result.estimates), "nothing to compute it from")
        names.setdefault(reason or "undefined", []).append(result.name)
    if names and after:
        click.echo()
    for reason, missing in names.items():
        click.echo(f"Left out: {', '.join(dict.fromkeys(missing))} ({reason})")
