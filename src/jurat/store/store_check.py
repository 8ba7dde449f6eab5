"""Checks of a store, for `jurat doctor`: what would make decisions fail, or be lost.

Nothing is changed but the time of the last check; an older schema is not migrated.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, NamedTuple

from jurat.store import sqlite
from jurat.store.encoding import from_time
from jurat.store.errors import StoreFault
from jurat.store.upgrade import HEAD, VERSION_TABLE

# Bytes that should be free: a large campaign with its log has some hundred million.
ROOM = 256 << 20
# A log that is larger was not copied to the main file for long.
LARGE_LOG = 256 << 20
# How far clocks may differ.
TOLERANCE = timedelta(minutes=1)
# Lines of damage that are shown.
MOST = 5
REPAIR = "stop the server, then: jurat doctor --store {path} --recover NEW.db, or jurat restore"

NEWEST = """
SELECT max(at) FROM (
    SELECT max(created) AS at FROM judges
    UNION ALL SELECT max(created) FROM assignments
    UNION ALL SELECT decided_at FROM decisions WHERE id = (SELECT max(id) FROM decisions)
    UNION ALL SELECT max(at) FROM site_log
) AS moments
"""


class StoreCheck(NamedTuple):
    """One thing that was checked: good, or wrong with what to do about it."""

    state: Literal["good", "wrong"]
    what: str
    detail: str


def _check(good: bool, what: str, detail: str) -> StoreCheck:
    return StoreCheck("good" if good else "wrong", what, detail)


def check_store(url: str, now: datetime) -> Iterator[StoreCheck]:
    """Check the store at a path or URL."""
    if re.match(r"postgres(ql)?://", url):
        from jurat.store.postgres_check import check_postgres

        yield from check_postgres(url, now)
        return
    path = Path(url.removeprefix("sqlite:///"))
    if not path.is_file():
        yield StoreCheck("wrong", "store", f"there is no store at {path}")
        return
    yield from _files(path)
    try:
        connection = sqlite.connect(path)
    except StoreFault as fault:
        yield StoreCheck("wrong", "integrity", f"{fault}; {REPAIR.format(path=path)}")
        return
    try:
        yield from _content(connection, path, now)
    finally:
        connection.close()


def _files(path: Path) -> Iterator[StoreCheck]:
    mode = path.stat().st_mode & 0o777
    yield _check(not mode & 0o077, "permissions", f"{mode:o} ({path}; others should read nothing)")
    closed = [str(place) for place in (path, path.parent) if not os.access(place, os.W_OK)]
    yield _check(not closed, "writable", f"not {', '.join(closed)}" if closed else str(path.parent))
    log = Path(f"{path}-wal")
    size = log.stat().st_size if log.exists() else 0
    detail = f"{size:,} bytes in {log.name}, which belongs to {path.name}: copy or move both"
    yield _check(size < LARGE_LOG, "log", detail if size else "empty: all is in the main file")
    free = shutil.disk_usage(path.parent).free
    needed = max(ROOM, 2 * path.stat().st_size)
    yield _check(free >= needed, "space", f"{free:,} bytes are free, {needed:,} should be")


def _content(connection: sqlite3.Connection, path: Path, now: datetime) -> Iterator[StoreCheck]:
    for what, check in (("integrity", _damage), ("references", _lost_rows), ("write", _write)):
        try:
            problem = check(connection)
        except sqlite3.Error as error:
            problem = str(sqlite.translated(error, path))
        # what cannot be written needs room or permissions, not a repair
        advice = "" if what == "write" else f"; {REPAIR.format(path=path)}"
        yield _check(not problem, what, f"{problem}{advice}" if problem else "checked")
    try:
        yield from _facts(connection, now)
    except sqlite3.Error as error:
        yield StoreCheck("wrong", "content", str(sqlite.translated(error, path)))


def _damage(connection: sqlite3.Connection) -> str:
    found = [row[0] for row in connection.execute(f"PRAGMA integrity_check({MOST})")]
    return "" if found == ["ok"] else "; ".join(" ".join(line.split()) for line in found)


def _lost_rows(connection: sqlite3.Connection) -> str:
    lost = connection.execute("PRAGMA foreign_key_check").fetchmany(MOST)
    return "; ".join(
        f"a row of {table} refers to a lost row of {other}" for table, _, other, _ in lost
    )


def _write(connection: sqlite3.Connection) -> str:
    from jurat.store.store_settings import CHECKED

    change = "INSERT OR REPLACE INTO settings (name, value) VALUES (?, datetime('now'))"
    connection.execute(change, (CHECKED,))
    return ""


def _facts(connection: sqlite3.Connection, now: datetime) -> Iterator[StoreCheck]:
    (version,) = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()  # noqa: S608
    yield _check(version <= HEAD, "schema", f"{version} (this Jurat's is {HEAD})")
    yield clock_check(connection.execute(NEWEST).fetchone()[0], now)


def clock_check(newest: int | None, now: datetime) -> StoreCheck:
    """Whether the newest time in the store is in the past, as it should be."""
    if newest is None:
        return StoreCheck("good", "clock", f"{now:%Y-%m-%d %H:%M} UTC")
    last = from_time(newest)
    detail = f"it is {now:%Y-%m-%d %H:%M} UTC; the newest entry is of {last:%Y-%m-%d %H:%M}"
    return _check(last <= now + TOLERANCE, "clock", detail)
