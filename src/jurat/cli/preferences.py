"""`jurat preferences`: what judges prefer, and how far they agree on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli.shell.analysis import analysis_options, evaluation_of, run, settings_of

if TYPE_CHECKING:
    from jurat.protocols import Protocol
    from jurat.stats import Evaluation

NO_FILE: dict[str, Any] = {"campaign": None, "items": None, "by": (), "where": "", "exclude": ()}
"""What the options about FILE do not say about the judgments beside it."""


@click.command(name="preferences")
@click.option(
    "--joined",
    type=click.Choice(["keep", "split"]),
    default="keep",
    show_default=True,
    help="Systems with the same output, joined by +: one competitor, or one each.",
)
@click.option(
    "--without-ties",
    type=click.Choice(["items", "decisions"]),
    default="items",
    show_default=True,
    help='What "no preference" takes with it when it is removed.',
)
@click.option(
    "--judgments",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Scores of the same segments, to hold the preferences against.",
)
@click.option("--judgments-columns", default="", metavar="MAP", help="As --columns, for that file.")
@click.option(
    "--protocol",
    metavar="NAME|FILE",
    help="Whose order of answers counts (default: one that fits the answers, else the numbers).",
)
@analysis_options
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Which system judges prefer, and how far they agree on it.

    \b
    Example:
      jurat preferences --campaign sample
    """
    from jurat.stats.preferences.comparisons import Comparing

    evaluation = _evaluation(files, options)
    settings = Comparing(
        without_ties=options["without_ties"],
        protocol=_protocol(options["protocol"]),
        **settings_of(options),
    )
    run("preferences", evaluation, settings, options["form"])


def _evaluation(files: tuple[Path, ...], options: dict[str, Any]) -> Evaluation:
    from jurat.faults import complain

    evaluation = evaluation_of(files, options, takes=("preferences", "judgments"))
    if evaluation.preferences is None:
        forms = ("system_a, system_b, outcome", "better, worse", "output1…n, rank1…n")
        raise complain("no columns tell which of two systems is better", allowed=forms)
    if not options["judgments"]:
        return evaluation
    beside = {**options, **NO_FILE, "columns": options["judgments_columns"]}
    judged = evaluation_of([options["judgments"]], beside).judgments
    return replace(evaluation, judgments=judged)


def _protocol(name: str | None) -> Protocol | None:
    """A protocol by its name, or from a file."""
    from jurat import protocols
    from jurat.cli.shell.files import read_file
    from jurat.faults import complain

    if not name:
        return None
    path = Path(name)
    found = (
        protocols.read(read_file(path).data, file=name, folder=path.parent)
        if path.suffix
        else protocols.load(name)
    )
    if not found.order:
        raise complain(f"the protocol '{found.name}' has no order of answers")
    return found
