"""`jurat backup`: the whole store in one file, while judging goes on."""

from __future__ import annotations

from pathlib import Path

import click

from jurat.cli._common.files import writing
from jurat.cli._common.stores import service, store_option


@click.command(name="backup")
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@store_option
def command(out: Path, force: bool, url: str | None) -> None:
    """Write all campaigns with their judgments to OUT, as they are at this moment.

    \b
    Example:
      jurat backup all.zip
    """
    from jurat.campaigns.context import utc_now

    with service(url) as campaigns, writing(out, force=force) as file:
        campaigns.store.backup(file, now=utc_now())
    click.echo(out)
