"""`jurat backup` and `jurat restore`: the whole store in one file, and back."""

from __future__ import annotations

from pathlib import Path

import click

from jurat.cli._common import PATH, force_option
from jurat.cli._common.store_address import open_service, store_option
from jurat.files import reading, writing


@click.command(name="backup")
@click.argument("out", type=PATH)
@force_option
@store_option
def backup(out: Path, force: bool, url: str | None) -> None:
    """Back up the whole store to the file OUT.

    Judging can go on meanwhile.

    \b
    Example:
      jurat backup all.zip
    """
    with open_service(url) as service, writing(out, force=force, private=True) as file:
        service.campaigns.backup(file)
    click.echo(out)


@click.command(name="restore")
@click.argument("file", metavar="IN", type=PATH)
@store_option
def restore(file: Path, url: str | None) -> None:
    """Restore the backup IN into an empty store.

    All of it is checked first.

    \b
    Example:
      jurat restore all.zip --store elsewhere.db
    """
    with open_service(url, create=True) as service, reading(file) as data:
        restored = service.campaigns.restore(data)
    click.echo(f"restored: {', '.join(restored.campaigns) or 'an empty store'}")
