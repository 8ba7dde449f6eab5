"""Where campaigns are kept: the option that names a store, and the service over it."""

from __future__ import annotations

import getpass
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from jurat.campaigns import Service

store_option = click.option(
    "--store",
    "url",
    metavar="URL",
    envvar="JURAT_STORE",
    help="A file, or postgresql://… (default: jurat.db in your data directory; JURAT_STORE).",
)


@contextmanager
def service(url: str | None, *, create: bool = False) -> Iterator[Service]:
    """The service over the store at `url` (the user's own if None), closed at the end.

    A store that does not exist is made if `create` says so; otherwise `NoSuchStore` is raised.
    """
    from jurat.campaigns import Service
    from jurat.store import Store

    where = store_address(url)
    if create and "://" not in where:
        Path(where).parent.mkdir(parents=True, exist_ok=True)
    with Store.open(where, create=create) as store:
        yield Service(store)


def store_address(url: str | None) -> str:
    """The address of the store that `--store` names; without one, of the user's own store."""
    where = url or str(default_store())
    return where if "://" in where else str(Path(where).expanduser())


def shown_address(url: str | None) -> str:
    """The address of the store for people to read: without user name and password."""
    # a PostgreSQL address may hold a password, which does not belong on a terminal
    return re.sub(r"://[^/]*@", "://", store_address(url))


def default_store() -> Path:
    """`jurat.db` in the directory in which this operating system keeps users' data."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "jurat" / "jurat.db"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "jurat" / "jurat.db"
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "jurat" / "jurat.db"


def author() -> str:
    """Who is at the command line, for the audit log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "command line"
