"""`jurat sample`: the sample test set, its campaign file, and tables of judgments."""

from __future__ import annotations

from pathlib import Path

import click

from jurat.cli._common import PATH, force_option
from jurat.errors import input_error
from jurat.files import write_file


@click.command(name="sample")
@click.argument("folder", metavar="DIR", type=PATH)
@force_option
def command(folder: Path, force: bool) -> None:
    """Write the sample test set, its campaign and tables to DIR.

    Fifty-four segments from Spanish, Hindi, Chinese and Arabic into English, with two references
    and four systems of clearly different quality; and simulated ratings, preferences, answers about
    features and metric scores, to try the analyses with.

    \b
    Example:
      jurat sample try-out
    """
    from importlib.resources import files

    sources = sorted(files("jurat").joinpath("sample").iterdir(), key=lambda file: file.name)
    # all are checked before the first is written
    there = [file.name for file in sources if (folder / file.name).exists()]
    if there and not force:
        message = f"{', '.join(there)} exist already; --force overwrites them"
        raise input_error(message, file=str(folder))
    for file in sources:
        write_file(folder / file.name, file.read_bytes(), force=force)
        click.echo(folder / file.name)
