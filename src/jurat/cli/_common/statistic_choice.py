"""`--statistic`, `--full` and `--list`: which statistics of a command are computed and printed."""

from __future__ import annotations

from collections.abc import Iterator

import click

from jurat.cli._common import Command, names_option, with_options
from jurat.errors import shortened


def statistic_options(command: Command) -> Command:
    """The command with `--statistic`, `--full` and `--list`."""
    options = (
        names_option(
            "--statistic",
            help="Compute and print only these statistics; see --list.",
            callback=_known,
        ),
        click.option("--full", is_flag=True, help="Print every statistic, not only a summary."),
        click.option(
            "--list",
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_list,
            help="List the statistics, and exit.",
        ),
    )
    return with_options(command, options)


def _known(context: click.Context, _: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of `--statistic`; raises `InputError` before any file is read if one is unknown."""
    # polars takes long to import
    if names:
        from jurat.stats.statistic_choice import check_metric_results, choose

        if context.info_name == "score":
            check_metric_results(names)
        else:
            choose(_folder(context), names)
    return names


def _folder(context: click.Context) -> str:
    from jurat.stats.statistic_choice import FOLDERS

    return FOLDERS[(context.info_name or "").replace("-", "_")]


def _list(context: click.Context, _: click.Parameter, asked: bool) -> None:
    """Print the names of a command's results, with the question that each answers, and exit."""
    if not asked or context.resilient_parsing:
        return
    from jurat.cli._common.terminal_output import print_table
    from jurat.stats.statistic_choice import OF_METRICS

    score = context.info_name == "score"
    rows = OF_METRICS.items() if score else _questions(_folder(context))
    print_table(("statistic", "what it answers"), list(rows))
    context.exit()


def _questions(folder: str) -> Iterator[tuple[str, str]]:
    from jurat.stats import statistics

    for kind in statistics(folder):
        first, *others = kind.gives
        yield first, kind.asks
        # several names answer one question, which is not said again
        for name in others:
            formula, _, _ = kind.formulas.get(name, "with the one above").partition(";")
            yield name, f"  {shortened(formula)}"
