"""Opens stores of campaigns: the one at an address, or the user's own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

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
