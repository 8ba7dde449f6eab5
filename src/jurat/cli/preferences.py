"""`jurat preferences`: what judges prefer, and how far they agree on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurat.cli._common import choice, file_option
from jurat.cli._common.analysis import analysis_options, evaluation_of, run, settings_of
from jurat.cli._common.files import read_file
from jurat.errors import input_error

if TYPE_CHECKING:
    from jurat.protocols import Protocol
    from jurat.stats import Evaluation

# What the options about FILE do not say about the judgments beside it.
NO_FILE: dict[str, Any] = {"campaign": None, "items": None, "by": (), "where": "", "exclude": ()}


@click.command(name="preferences")
@choice(
    "--joined",
    ["keep", "split"],
    "Systems with the same output, joined by +: one competitor, or one each.",
)
@choice(
    "--without-ties",
    ["items", "decisions"],
    'What "no preference" takes with it when it is removed.',
)
@file_option("--judgments", help="Scores of the same segments, to hold the preferences against.")
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
    from jurat.stats.preferences.comparisons import PreferenceSettings

    evaluation = _evaluation(files, options)
    protocol = _protocol(options["protocol"])
    settings = settings_of(PreferenceSettings, options, protocol=protocol)
    run("preferences", evaluation, settings, options["form"])


def _evaluation(files: tuple[Path, ...], options: dict[str, Any]) -> Evaluation:
    evaluation = evaluation_of(files, options, takes=("preferences", "judgments"))
    if evaluation.preferences is None:
        forms = ("system_a, system_b, outcome", "better, worse", "output1…n, rank1…n")
        raise input_error("no columns tell which of two systems is better", allowed=forms)
    if not options["judgments"]:
        return evaluation
    # the options about FILE do not hold for the file of judgments
    beside = {**options, **NO_FILE, "columns": options["judgments_columns"]}
    judged = evaluation_of([options["judgments"]], beside).judgments
    return replace(evaluation, judgments=judged)


def _protocol(name: str | None) -> Protocol | None:
    """A protocol by its name, or from a file."""
    from jurat import protocols

    if not name:
        return None
    path = Path(name)
    found = (
        protocols.read(read_file(path).data, file=name, folder=path.parent)
        if path.suffix
        else protocols.load(name)
    )
    if not found.order:
        raise input_error(f"the protocol '{found.name}' has no order of answers")
    return found
