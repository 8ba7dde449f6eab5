"""Opens the database at an address, with its schema brought up to date."""

from __future__ import annotations

import re
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from jurat.store import sqlite
from jurat.store.database import Database
from jurat.store.errors import DriverMissing, NoSuchStore, NotAStore, StoreFault
from jurat.store.sqlite import SQLite
from jurat.store.upgrade import bring_up_to_date


def open_database(url: str, *, create: bool) -> Database:
    """The database at a path or URL, created or migrated if necessary; see `Store.open`."""
    if re.match(r"postgres(ql)?://", url):
        return _open_postgres(re.sub(r"^postgres://", "postgresql://", url), create=create)
    if re.match(r"[a-z][a-z+]+://", url) and not url.startswith("sqlite:///"):
        message = "a store is a file, sqlite:///path or postgresql://user:password@host/name"
        raise StoreFault(f"{message}, not {url.partition('://')[0]}://")
    return _open_sqlite(Path(url.removeprefix("sqlite:///")), create=create)


def _open_sqlite(path: Path, *, create: bool) -> Database:
    if path.is_dir():
        raise NotAStore(f"{path} is a directory, not a store")
    if not path.exists() and not create:
        raise NoSuchStore(f"there is no store at {path}")
    if not path.parent.is_dir():
        raise NoSuchStore(f"there is no directory {path.parent} for a store")
    try:
        # It has password hashes, so only its owner may read it.
        path.touch(mode=0o600)
    except OSError as error:
        raise NoSuchStore(f"a store cannot be created at {path}: {error.strerror}") from error
    engine = sa.create_engine("sqlite://", creator=lambda: sqlite.connect(path), poolclass=NullPool)
    # Locked from the beginning, or two processes would begin the same migration.
    sa.event.listen(engine, "begin", lambda c: c.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        bring_up_to_date(engine, str(path), create=create)
    except sa.exc.DBAPIError as error:
        raise sqlite.translated(_cause(error), path) from error
    return SQLite(path)


def _open_postgres(url: str, *, create: bool) -> Database:
    try:
        from jurat.store import postgres
    except ImportError as error:
        message = "PostgreSQL needs the package psycopg: pip install 'jurat[postgres]'"
        raise DriverMissing(message) from error

    name = postgres.named(url)
    postgres.wait_until_started(url)
    engine = sa.create_engine(
        "postgresql+psycopg://",
        creator=lambda: postgres.connect(url, autocommit=False),
        poolclass=NullPool,
    )
    try:
        bring_up_to_date(engine, name, create=create)
    except sa.exc.DBAPIError as error:
        raise postgres.translated(_cause(error), url) from error
    return postgres.PostgreSQL(url)


def _cause(error: sa.exc.DBAPIError) -> Exception:
    return error.orig if isinstance(error.orig, Exception) else error
