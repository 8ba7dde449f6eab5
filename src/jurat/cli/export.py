"""`jurat export`: a campaign's judgments as tables."""

from __future__ import annotations

from pathlib import Path

import click

from jurat.cli._common import file_option, force_option
from jurat.cli._common.format_output import write_in_format
from jurat.cli._common.store_address import open_service, store_option
from jurat.errors import counted, input_error
from jurat.files import writable, write_file, zipped

ARCHIVE = "zip"


@click.command(name="export")
@click.argument("name")
@file_option("--out", required=True, help="File: .csv, .tsv, .jsonl, .parquet, .xlsx or .zip.")
@click.option("--to", metavar="NAME", help="Format of another tool, such as pearmut or appraise.")
@force_option
@store_option
def command(name: str, out: Path, to: str | None, force: bool, url: str | None) -> None:
    """Export the judgments of campaign NAME, as tables or as another tool has them.

    Preferences, rankings, spans, texts and flags, if there are any, go to files of their own, named
    after the first: judgments.preferences.csv. So do the answers of model judges, with the prompts:
    judgments.models.judgments.csv. With a .zip, all are in one archive, with metadata about every
    column (datapackage.json, croissant.json).

    \b
    Example:
      jurat export sample --out judgments.csv
      jurat export sample --out judgments.zip
      jurat export sample --out annotations.jsonl --to pearmut
    """
    from jurat.formats import ReadTables, counting_tables, writer_name
    from jurat.tables import JUDGMENTS, write_table
    from jurat.tables.package import package

    ending = out.suffix.removeprefix(".").lower()
    written_as = None if ending == ARCHIVE and not to else writer_name(ending, to)
    with open_service(url) as service:
        campaigns = service.campaigns
        read = campaigns.tables_with_texts if written_as else campaigns.export_tables
        tables = read(name)
    if not tables:
        raise input_error(f"'{name}' has no judgments yet")
    if written_as:
        found = counting_tables(ReadTables(tables=tables))
        return write_in_format(found, written_as, out, force=force)
    if ending == ARCHIVE:
        write_file(out, zipped(package(tables, name, "csv")), force=force)
        click.echo(f"{out}: {', '.join(tables)}")
        return None
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
    return None
