"""Opens stores of campaigns (the one at an address, or the user's own) and campaigns' archives."""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from jurat.errors import input_error
from jurat.files import reading

if TYPE_CHECKING:
    from jurat.campaigns import Service
    from jurat.campaigns.service_context import Clock


@contextmanager
def open_service(
    url: str | None, *, create: bool = False, clock: Clock | None = None
) -> Iterator[Service]:
    """The service on the store at `url` (the user's own store if None), closed at the end.

    With `create`, a store that does not exist is made; otherwise `NoSuchStore` is raised. The
    clock is the server's where none is given.
    """
    from jurat.campaigns import Service
    from jurat.campaigns.service_context import utc_now
    from jurat.store import Store

    where = store_address(url)
    # the data directory of a new user does not exist yet
    if create and "://" not in where:
        Path(where).parent.mkdir(parents=True, exist_ok=True)
    with Store.open(where, create=create) as store:
        yield Service(store, clock=clock or utc_now)


def is_archive(path: Path | str) -> bool:
    """Whether a file is an archive that `jurat campaign archive` wrote, by the files in it."""
    if not zipfile.is_zipfile(path):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return {"manifest.json", "campaigns.jsonl"} <= {*archive.namelist()}
    except (OSError, zipfile.BadZipFile):
        return False


@contextmanager
def open_archived(path: Path | str) -> Iterator[tuple[Service, str]]:
    """The service on a store of its own with the campaign of an archive, and the campaign's name.

    Raises `InputError` if the archive is damaged, or a backup of several campaigns.
    """
    with TemporaryDirectory(prefix="jurat-archive-") as folder:
        store = str(Path(folder) / "archive.db")
        with open_service(store, create=True) as service, reading(Path(path)) as file:
            found = service.campaigns.open_archive(file).campaigns
            if len(found) != 1:
                message = "the archive holds several campaigns; restore it, and name one of them"
                raise input_error(message, file=Path(path).name, allowed=found)
            yield service, found[0]


def store_address(url: str | None) -> str:
    """The address of a store: `url`, or the user's own store if it is None or empty."""
    where = url or str(default_store())
    return where if "://" in where else str(Path(where).expanduser())


def default_store() -> Path:
    """`jurat.db` in the user's data directory, as the operating system defines it."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "jurat" / "jurat.db"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "jurat" / "jurat.db"
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "jurat" / "jurat.db"
