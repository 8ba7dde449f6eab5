"""Prints results: an overview on one screen, all of them in full, or JSON, CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import ARGUMENTS, Command, Decorator, with_options
from jurat.cli._common.analysis_record import analysis_record
from jurat.cli._common.statistic_choice import statistic_options
from jurat.cli._common.terminal_output import print_table, print_text, terminal

if TYPE_CHECKING:
    from jurat.cli._common.overview import Hint, Overview
    from jurat.results import Result

_FORMS = {"json": "JSON", "csv": "CSV", "latex": "LaTeX tables"}
# Columns of an overview in a pipe, where no terminal says its width.
PIPE_WIDTH = 100
# Rows of a result that are printed as a table; the other forms have all of them.
MOST_ROWS = 24


def output_options(command: Command) -> Command:
    """The command with `--json`, `--csv` and `--latex`; the choice is its argument `form`."""
    options: list[Decorator[Any]] = [
        click.option(f"--{form}", "form", flag_value=form, default=None, help=f"Print {words}.")
        for form, words in _FORMS.items()
    ]
    return with_options(command, options)


def result_options(command: Command) -> Command:
    """The command with the options about which results are printed, and how."""
    return with_options(command, (statistic_options, output_options))


def print_overview(
    overviews: Sequence[Overview],
    results: Sequence[Result],
    *,
    by: Sequence[str] = (),
    columns: Collection[str] = (),
) -> None:
    """Print the answer, one table and next steps: the first of the overviews that fits.

    Where none of its numbers is known, all results are printed instead, since they say why.
    """
    from jurat.cli._common.overview import answer
    from jurat.cli._common.overview_table import table

    named = {result.name: result for result in results}
    chosen = next(one for one in overviews if one.fits(named))
    width = min(terminal(wide=True).width, PIPE_WIDTH) if not _on_terminal() else terminal().width
    shown = table(chosen, results, by, width=width)
    if shown is None:
        print_results(results)
        return
    for sentence in answer(chosen, results, by):
        print_text(sentence, width=width)
    click.echo()
    print_table(shown.columns, shown.rows, numbers=shown.numbers)
    for note in shown.footnotes:
        print_text(note, width=width)
    click.echo()
    _print_hints([hint for hint in chosen.hints if _helps(hint, columns)])
    click.echo("More: --statistic NAME (--list names them), --full, --json, --csv, --latex")


def _helps(hint: Hint, columns: Collection[str]) -> bool:
    """Whether there are the columns that it needs, and the user has not typed it already."""
    context = click.get_current_context(silent=True)
    typed = context.meta.get(ARGUMENTS, ()) if context else ()
    return {*hint.needs} <= {*columns} and hint.text.split()[0] not in typed


def _on_terminal() -> bool:
    return terminal().is_terminal


def _print_hints(hints: Sequence[Hint]) -> None:
    """Print what may be typed next, and what it shows."""
    wide = max((len(hint.text) for hint in hints), default=0)
    for n, hint in enumerate(hints):
        click.echo(f"{'      ' if n else 'Next: '}{hint.text:<{wide}}  {hint.shows}")


def print_results(
    results: Sequence[Result],
    form: str | None = None,
    *,
    notes: Sequence[str] = (),
    data: Mapping[str, str] | None = None,
    by: Sequence[str] = (),
    every_row: bool = False,
) -> None:
    """Print each result with headline and table, or all as `form`: json, csv or latex.

    Args:
        results: what is printed.
        form: for programs; without one, for people.
        notes: remarks about the data; they come first, on stderr, and JSON has them, too.
        data: fingerprints of the tables, for the record of the analysis in JSON.
        by: the columns that results were split by.
        every_row: whether long tables are printed whole.
    """
    print_notes(notes)
    if form:
        click.echo(_as_form(results, form, notes, data or {}).rstrip("\n"))
        return
    told = [result for result in results if not _left_out(result)]
    for result in told:
        _print_result(result, by, MOST_ROWS if not every_row else len(result.estimates))
    _print_left_out([result for result in results if _left_out(result)])
    _print_methods(told)


def _as_form(
    results: Sequence[Result], form: str, notes: Sequence[str], data: Mapping[str, str]
) -> str:
    from jurat import results as forms

    record = analysis_record(data) if form == "json" else None
    writers: dict[str, Callable[[Sequence[Result]], str]] = {
        "json": partial(forms.to_json, analysis=record, notes=notes),
        "csv": forms.to_csv,
        "latex": forms.to_latex,
    }
    return writers[form](results)


def print_notes(notes: Iterable[str]) -> None:
    """Print notes about the data, which are no errors, to stderr."""
    for note in notes:
        click.echo(f"note: {note}", err=True)


def _print_result(result: Result, by: Sequence[str], most: int) -> None:
    """Print name, headline and table of a result, and an empty line."""
    from jurat.cli._common.overview import headline
    from jurat.results import readable

    columns, rows = readable(result)
    click.secho(result.name, bold=True)
    if sentence := headline(result, by):
        print_text(sentence)
    print_table(columns, rows[:most], numbers=("value", "interval", "n"))
    if len(rows) > most:
        click.echo(f"… and {len(rows) - most:,} more rows: --statistic {result.name} --full")
    click.echo()


def _print_methods(results: Sequence[Result]) -> None:
    """Print how the numbers came about, once for all results with the same method."""
    names: dict[str, list[str]] = {}
    for result in results:
        names.setdefault(result.method, []).append(result.name)
    for method, same in names.items():
        print_text(f"{', '.join(dict.fromkeys(same))}: {method}", first="  ")
    if len(results) == 1:
        print_text(f"signature: {results[0].signature}", first="  ")


def _left_out(result: Result) -> bool:
    """Whether no estimate of a result could be computed, and all for one reason."""
    reasons = {estimate.reason for estimate in result.estimates}
    return len(reasons) < 2 and all(estimate.value is None for estimate in result.estimates)


def _print_left_out(results: Sequence[Result]) -> None:
    """Print a line per reason with the names of the results that could not be computed."""
    names: dict[str, list[str]] = {}
    for result in results:
        reason = next((e.reason for e in result.estimates), "nothing to compute it from")
        names.setdefault(reason or "undefined", []).append(result.name)
    for reason, missing in names.items():
        print_text(f"Left out: {', '.join(dict.fromkeys(missing))} ({reason})")
    if names:
        click.echo()
