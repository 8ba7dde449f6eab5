"""Writes judgments in the formats of other tools, for `jurat convert` and `jurat export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from jurat.cli._common.result_output import print_notes
from jurat.errors import counted
from jurat.files import writable, write_file

if TYPE_CHECKING:
    from jurat.formats import ReadTables


def write_in_format(read: ReadTables, name: str, out: Path, *, force: bool) -> None:
    """Write tables whose rows count to `out`, a folder where the format has several files.

    Prints what was written, and as notes what the format cannot hold. Raises `InputError` before
    anything is written.
    """
    from jurat.formats import write_judgments
    from jurat.formats.export_rows import WORK
    from jurat.formats.write import BESIDE

    written = write_judgments(read.tables, name, ending=out.suffix.removeprefix(".").lower())
    alone = len(written.files) == 1
    paths = [out if alone else out / file.name for file in written.files]
    for path in paths:
        writable(path, force=force)
    for path, file in zip(paths, written.files, strict=True):
        write_file(path, file.data, force=force)
    print_notes((*read.notes, *written.notes))
    rows = ", ".join(
        counted(frame.height, table.removesuffix("s"))
        for table, frame in read.tables.items()
        if table not in BESIDE
    )
    left = counted(read.tables[WORK].height, "translation") if WORK in read.tables else ""
    click.echo(f"{out}: {name}, {rows or f'nothing judged, {left} to judge'}")
