"""`jurat export`: a campaign's judgments as tables."""

from __future__ import annotations

from pathlib import Path

import click

from jurat.cli._common import file_option, force_option
from jurat.cli._common.store_address import open_service, store_option
from jurat.errors import counted, input_error
from jurat.files import writable, write_file


@click.command(name="export")
@click.argument("name")
@file_option("--out", required=True, help="File for the judgments: .csv, .tsv, .jsonl or .parquet.")
@force_option
@store_option
def command(name: str, out: Path, force: bool, url: str | None) -> None:
    """Export the judgments of campaign NAME as tables.

    Preferences, rankings, spans, texts and flags, if there are any, go to files of their own, named
    after the first: judgments.preferences.csv.

    \b
    Example:
      jurat export sample --out judgments.csv
    """
    from jurat.tables import JUDGMENTS, write_table

    ending = out.suffix.removeprefix(".").lower()
    with open_service(url) as service:
        tables = service.campaigns.tables(name)
    if not tables:
        raise input_error(f"'{name}' has no judgments yet")
    paths = {
        table: out if table == JUDGMENTS.name else out.with_suffix(f".{table}{out.suffix}")
        for table in tables
    }
    # checked before anything is written, like the encoding below
    for path in paths.values():
        writable(path, force=force)
    # all are encoded before the first is written, so that a failure leaves no partial export
    written = {table: write_table(frame, ending) for table, frame in tables.items()}
    for table, data in written.items():
        write_file(paths[table], data, force=force)
        click.echo(f"{paths[table]}: {counted(tables[table].height, 'row')}")
