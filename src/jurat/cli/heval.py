"""`jurat heval`: eleven features of a translation, and what they tell of systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurat.cli._common import choice, names_option, setting
from jurat.cli._common.analysis import (
    analysis_options,
    evaluation_of,
    rank_options,
    run,
    settings_of,
)


@click.command(name="heval")
@analysis_options
@choice("--level", ["system", "document", "segment"], "What has a score of its own.")
@choice("--average", ["sentences", "documents"], "What counts alike in a system's score.")
@names_option("--features", help="The questions that are features (default: all).")
@names_option("--with", "compared", help="Questions to correlate the scores with.")
@names_option("--only", help="Seek the best among these systems.")
@rank_options
@setting(
    "--construct", default="construct", metavar="COLUMN", help="Tells what kind of sentence it is."
)
@setting("--top", default=4.0, help="The best point of a feature.")
def command(files: tuple[Path, ...], **options: Any) -> None:
    """HEval: scores from eleven features, and what each system gets wrong.

    \b
    Example:
      jurat heval features.csv --questions tense,voice,order
    """
    from jurat.stats.heval.feature_answers import HEvalSettings

    settings = settings_of(HEvalSettings, options)
    run("heval", evaluation_of(files, options), settings, options["form"])
