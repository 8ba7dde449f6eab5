"""`--statistic`, `--full` and `--list`: which statistics of a command are computed and printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from jurat.cli._common import Command, names_option, with_options
from jurat.errors import InputError, did_you_mean, input_error, shortened

# The folder of `jurat.stats` where it is not named like its command.
FOLDERS = {"diagnose": "judges", "plan": "planning"}
# The results of `jurat score`, which has no folder of statistics.
OF_METRICS = {
    "metric-score": "How high does each system score?",
    "metric-difference": "By how much do two systems differ?",
    "metric-p": "Which systems are told apart, and where may the difference be chance?",
}


class Choice(NamedTuple):
    """The statistics that were asked for by name."""

    kinds: tuple[str, ...]
    """Names under which the registry has them."""
    results: frozenset[str]
    """Names of the results to print; a statistic may give others, too."""


def statistic_options(command: Command) -> Command:
    """The command with `--statistic`, `--full` and `--list`."""
    options = (
        names_option(
            "--statistic",
            help="Compute and print only these statistics; see --list.",
            callback=_known,
        ),
        click.option("--full", is_flag=True, help="Print every statistic, not only an overview."),
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


def choose(folder: str, names: Sequence[str]) -> Choice:
    """The statistics of a folder that give these results; raises `InputError` for other names."""
    from jurat.stats import statistics

    kinds: dict[str, None] = {}
    results: set[str] = set()
    offered = statistics(folder)
    for name in names:
        # a statistic of several results may be named as a whole
        found = [kind for kind in offered if name == kind.name or name in kind.gives]
        if not found:
            raise _unknown(name, [n for kind in offered for n in (kind.name, *kind.gives)])
        kinds |= dict.fromkeys(kind.name for kind in found)
        results |= {name} if any(name in kind.gives for kind in found) else {*found[0].gives}
    return Choice(tuple(kinds), frozenset(results))


def _known(context: click.Context, _: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of `--statistic`; raises `InputError` before any file is read if one is unknown."""
    if context.info_name != "score":
        if names:
            choose(_folder(context), names)
        return names
    for name in names:
        if name not in OF_METRICS:
            raise _unknown(name, list(OF_METRICS))
    return names


def _folder(context: click.Context) -> str:
    command = context.info_name or ""
    return FOLDERS.get(command, command)


def _unknown(name: str, known: Sequence[str]) -> InputError:
    # there are too many to list in a message
    hint = did_you_mean(name, known) or "--list names them all"
    return input_error(f"unknown statistic '{name}'; {hint}", value=name)


def _list(context: click.Context, _: click.Parameter, asked: bool) -> None:
    """Print the names of a command's results, with the question that each answers, and exit."""
    if not asked or context.resilient_parsing:
        return
    from jurat.cli._common.terminal_output import print_table

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
