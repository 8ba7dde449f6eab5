"""Where campaigns are kept: the option that names a store, and the service over it."""

from __future__ import annotations

import getpass
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from jurat.campaigns import Service

Command = TypeVar("Command", bound=Callable[..., Any])


def store_option(command: Command) -> Command:
    """Give a command `--store`."""
    option = click.option(
        "--store",
        "url",
        metavar="URL",
        envvar="JURAT_STORE",
        help="A file, or postgresql://… (default: jurat.db in your data directory; JURAT_STORE).",
    )
    return option(command)


@contextmanager
def service(url: str | None, *, create: bool = False) -> Iterator[Service]:
    """The service over a store; one that is not there is made only where `create` says so."""
    from jurat.campaigns import Service
    from jurat.store import Store

    where = address(url)
    if create and "://" not in where:
        Path(where).parent.mkdir(parents=True, exist_ok=True)
    with Store.open(where, create=create) as store:
        yield Service(store)


def address(url: str | None) -> str:
    """Of the store that is meant: the one that is named, or one's own."""
    where = url or str(default_store())
    return where if "://" in where else str(Path(where).expanduser())


def told(url: str | None) -> str:
    """The same for people to read: without a password."""
    return re.sub(r"://[^/]*@", "://", address(url))


def default_store() -> Path:
    """`jurat.db` in the directory in which this system keeps users' data."""
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
