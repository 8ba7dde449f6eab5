"""`jurat restore`: a backup into an empty store."""

from __future__ import annotations

from pathlib import Path

import click

from jurat.cli._common.files import reading
from jurat.cli._common.stores import service, store_option


@click.command(name="restore")
@click.argument("file", metavar="IN", type=click.Path(path_type=Path))
@store_option
def command(file: Path, url: str | None) -> None:
    """Take the backup IN into a store that is empty; all of it is checked first.

    \b
    Example:
      jurat restore all.zip --store elsewhere.db
    """
    with service(url, create=True) as campaigns, reading(file) as data:
        restored = campaigns.store.restore(data)
    click.echo(f"restored: {', '.join(restored.campaigns) or 'an empty store'}")
