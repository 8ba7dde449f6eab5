"""Where campaigns are kept: the option that names a store, and the service over it."""

from __future__ import annotations

import getpass
import os
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

    address = url or str(default_store())
    if "://" not in address:
        path = Path(address).expanduser()
        if create:
            path.parent.mkdir(parents=True, exist_ok=True)
        address = str(path)
    with Store.open(address, create=create) as store:
        yield Service(store)


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
