"""Reads the judgments of a campaign from its archive, as `jurat campaign archive` writes it."""

from __future__ import annotations

import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from jurat.cli._common.store_address import open_service
from jurat.errors import input_error
from jurat.files import reading

if TYPE_CHECKING:
    from jurat.formats import ReadTables

MANIFEST, CAMPAIGNS = "manifest.json", "campaigns.jsonl"


def is_archive(path: Path) -> bool:
    """Whether a file is an archive of Jurat, by what it holds."""
    if not path.is_file() or not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return {MANIFEST, CAMPAIGNS} <= {*archive.namelist()}


def read_archive(path: Path) -> ReadTables:
    """The tables of the campaign in an archive, with texts; raises `InputError` for several."""
    from jurat.formats import ReadTables

    # in a store of its own, of which nothing is left
    with (
        TemporaryDirectory(prefix="jurat-archive-") as folder,
        open_service(str(Path(folder) / "archive.db"), create=True) as service,
        reading(path) as file,
    ):
        names = service.campaigns.restore(file).campaigns
        if len(names) != 1:
            message = "this backup has several campaigns; restore it, and export one"
            raise input_error(message, file=str(path), allowed=tuple(names))
        tables = service.campaigns.tables_with_texts(names[0])
    if not tables:
        raise input_error("the campaign has no judgments yet", file=str(path))
    return ReadTables(tables=tables)
