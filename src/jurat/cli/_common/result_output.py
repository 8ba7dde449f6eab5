"""Prints results: a summary on one screen, all of them, or JSON, CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from jurat.cli._common import ARGUMENTS, Command, Decorator, with_options
from jurat.cli._common.result_file_options import file_options
from jurat.cli._common.statistic_choice import statistic_options
from jurat.cli._common.terminal_output import lines_of, print_table, print_text, terminal

if TYPE_CHECKING:
    from jurat.cli._common.result_summary import Hint, Summary
    from jurat.results import Result

_FORMS = {"json": "JSON", "csv": "CSV", "latex": "LaTeX tables"}
MORE = "--statistic NAME (see --list), --full, --json, --out FILE, --figure FILE"
# Columns of a summary in a pipe, where no terminal says its width.
PIPE_WIDTH = 100
# Rows of a result that are printed as a table; the other forms have all of them.
MOST_ROWS = 24
# Rows of a result below a summary.
ROWS_BELOW = 8


def output_options(command: Command) -> Command:
    """The command with `--json`, `--csv` and `--latex`; the choice is its argument `form`."""
    options: list[Decorator[Any]] = [
        click.option(f"--{form}", "form", flag_value=form, default=None, help=f"Print {words}.")
        for form, words in _FORMS.items()
    ]
    return with_options(command, options)


def result_options(command: Command) -> Command:
    """The command with the options about which results are printed or written, and how."""
    return with_options(command, (statistic_options, output_options, file_options))


class Form(NamedTuple):
    """How results are printed for programs."""

    name: str | None = None
    """json, csv or latex; None for people."""
    notes: Sequence[str] = ()
    """Remarks about the data, which JSON has."""
    record: Callable[[], Mapping[str, object] | None] = lambda: None
    """The record of the analysis, which JSON has, too."""

    def text(self, results: Sequence[Result]) -> str:
        """The results in this form."""
        from jurat import results as forms

        match self.name:
            case "json":
                return forms.to_json(results, analysis=self.record(), notes=self.notes)
            case "csv":
                return forms.to_csv(results)
        return forms.to_latex(results)


PEOPLE = Form()


def drawn_first(summaries: Sequence[Summary], results: Sequence[Result]) -> Sequence[Result]:
    """The one result that shows the answer of a summary; all results where there is none."""
    if not summaries:
        return results
    named = {result.name: result for result in results if result.figure()}
    wanted = (measure.result for one in summaries for measure in one.measures)
    return [named[name] for name in wanted if name in named][:1]


def print_summary(
    summaries: Sequence[Summary],
    results: Sequence[Result],
    *,
    by: Sequence[str] = (),
    columns: Collection[str] = (),
    below: Sequence[Result] = (),
    notes: Sequence[str] = (),
) -> None:
    """Print the answer, one table and next steps: the first of the summaries that fits.

    Results `below` the table were asked for by options of theirs; `columns` are those of the data,
    and `notes` stand above on the same screen, for which a long table is cut.
    Where none of its numbers is known, all results are printed instead, since they say why.
    """
    from jurat.cli._common.result_summary import answer
    from jurat.cli._common.summary_table import table

    named = {result.name: result for result in results}
    chosen = next(one for one in summaries if one.fits(named))
    console = terminal()
    on_screen = console.is_terminal
    width = console.width if on_screen else min(terminal(wide=True).width, PIPE_WIDTH)
    above = [line for told in answer(chosen, results, by) for line in lines_of(told, width=width)]
    hints = _hint_lines([hint for hint in chosen.hints if _helps(hint, columns)])
    wrapped = sum(len(f"note: {note}") // width + 1 for note in notes)
    # empty lines before and after the table, its heading, and the line to type in
    room = console.height - wrapped - len(above) - len(hints) - 4 if on_screen else None
    shown = table(chosen, results, by, width=width, room=room)
    if shown is None:
        if chosen.lacking and all(result.reason for result in results):
            print_text(chosen.lacking, width=width)
        print_results(results)
        return
    click.echo("\n".join([*above, ""]))
    print_table(shown.columns, shown.rows, numbers=shown.numbers)
    for note in shown.footnotes:
        print_text(note, width=width)
    click.echo()
    for result in below:
        _print_result(result, by, ROWS_BELOW)
    click.echo("\n".join(hints))


def asked_by_options(summary: Summary) -> list[str]:
    """The results that are about an option which the running command was given."""
    context = click.get_current_context()
    typed = click.core.ParameterSource.COMMANDLINE
    return [
        name
        for option, names in summary.options.items()
        if context.get_parameter_source(option) is typed
        for name in names
    ]


def _helps(hint: Hint, columns: Collection[str]) -> bool:
    """Whether there are the columns that it needs, and the user has not typed it already."""
    context = click.get_current_context(silent=True)
    typed = context.meta.get(ARGUMENTS, ()) if context else ()
    return {*hint.needs} <= {*columns} and hint.text.split()[0] not in typed


def _hint_lines(hints: Sequence[Hint]) -> list[str]:
    """What may be typed next, what it shows, and how to see more."""
    aligned = _next_lines(hints, max((len(hint.text) for hint in hints), default=0))
    # in a narrow terminal, a line each is more than columns
    told = aligned if len(aligned) == len(hints) else _next_lines(hints, 0)
    return [*told, *lines_of(MORE, first="More: ")]


def _next_lines(hints: Sequence[Hint], wide: int) -> list[str]:
    """The hints, what is typed padded to a width."""
    told: list[str] = []
    for hint in hints:
        told += lines_of(hint.shows, first=f"{'      ' if told else 'Next: '}{hint.text:<{wide}}  ")
    return told


def print_results(
    results: Sequence[Result],
    form: Form = PEOPLE,
    *,
    by: Sequence[str] = (),
    every_row: bool = False,
) -> None:
    """Print each result with headline and table, or all in a form for programs.

    `by` are the columns that results were split by; `every_row` prints long tables whole.
    """
    if form.name:
        click.echo(form.text(results).rstrip("\n"))
        return
    told = [result for result in results if not result.reason]
    for result in told:
        _print_result(result, by, len(result.estimates) if every_row else MOST_ROWS)
    _print_left_out(results)
    _print_methods(told)


def print_notes(notes: Iterable[str]) -> None:
    """Print notes about the data, which are no errors, to stderr."""
    for note in notes:
        click.echo(f"note: {note}", err=True)


def _print_result(result: Result, by: Sequence[str], most: int) -> None:
    """Print name, headline and table of a result, and an empty line."""
    from jurat.cli._common.result_summary import headline
    from jurat.results import readable

    columns, rows = readable(result)
    click.secho(result.name, bold=True)
    if sentence := headline(result, by):
        print_text(sentence)
    footnotes = _marked(columns, rows[:most])
    print_table(columns, rows[:most], numbers=("value", "interval", "n"))
    for note in footnotes:
        print_text(note)
    if len(rows) > most:
        click.echo(f"… and {len(rows) - most:,} more rows: --statistic {result.name} --full")
    click.echo()


def _marked(columns: Sequence[str], rows: Sequence[list[str]]) -> list[str]:
    """Put marks in place of the remarks on rows that the terminal is too narrow for.

    Returns the remarks with their marks, to be printed below the table.
    """
    from jurat.cli._common.summary_table import Marks, table_width

    # remarks have the only column without a heading
    if columns[-1] or table_width(columns, rows) <= terminal(wide=True).width:
        return []
    marks = Marks()
    for row in rows:
        row[-1] = marks.mark(row[-1]) or row[-1]
    return marks.lines


def _print_methods(results: Sequence[Result]) -> None:
    """Print how the numbers came about, once for all results with the same method."""
    names: dict[str, list[str]] = {}
    for result in results:
        names.setdefault(result.method, []).append(result.name)
    for method, same in names.items():
        print_text(f"{', '.join(dict.fromkeys(same))}: {method}", first="  ")
    if len(results) == 1:
        print_text(f"signature: {results[0].signature}", first="  ")


def _print_left_out(results: Sequence[Result]) -> None:
    """Print a line per reason with the names of the results that could not be computed."""
    from jurat.results import left_out

    told = list(left_out(results))
    for line in told:
        print_text(line)
    if told:
        click.echo()
