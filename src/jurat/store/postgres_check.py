"""Checks of a store on PostgreSQL, for `jurat doctor`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import psycopg

from jurat.store.errors import StoreFault
from jurat.store.postgres import AT_WORK, connect, translated
from jurat.store.store_check import NEWEST, TOLERANCE, StoreCheck, clock_check
from jurat.store.upgrade import HEAD, VERSION_TABLE

# Settings that must be on, or an acknowledged decision may be lost with the power.
DURABLE = ("fsync", "full_page_writes")


def check_postgres(url: str, now: datetime) -> Iterator[StoreCheck]:
    """Check the database at a URL; what cannot be reached is one finding."""
    try:
        connection = connect(url)
    except StoreFault as fault:
        yield StoreCheck("wrong", "store", str(fault))
        return
    with connection:
        try:
            yield from _checks(connection, now)
        except psycopg.Error as error:
            yield StoreCheck("wrong", "store", str(translated(error, url)))


def _checks(
    connection: psycopg.Connection[tuple[object, ...]], now: datetime
) -> Iterator[StoreCheck]:
    def one(question: str) -> object:
        row = connection.execute(question.encode()).fetchone()
        return row[0] if row else None

    yield StoreCheck("good", "server", f"PostgreSQL {one('SHOW server_version')}")
    for name in DURABLE:
        value = one(f"SHOW {name}")
        yield StoreCheck("good" if value == "on" else "wrong", name, str(value))
    allowed = int(str(one("SHOW max_connections")))
    used = int(str(one("SELECT count(*) FROM pg_stat_activity")))
    state = f"{used} of {allowed} are in use; one process of Jurat has up to {AT_WORK}"
    yield StoreCheck("good" if used + AT_WORK < allowed else "wrong", "connections", state)
    size = int(str(one("SELECT pg_database_size(current_database())")))
    yield StoreCheck("good", "size", f"{size:,} bytes")
    ahead = one("SELECT now()")
    assert isinstance(ahead, datetime)
    apart = abs(ahead - now)
    state = f"the server's differs by {apart.total_seconds():.1f} seconds"
    yield StoreCheck("good" if apart <= TOLERANCE else "wrong", "clock of the server", state)
    version = str(one(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608
    yield StoreCheck(
        "good" if version <= HEAD else "wrong", "schema", f"{version} (this Jurat's is {HEAD})"
    )
    newest = one(NEWEST)
    yield clock_check(newest if isinstance(newest, int) else None, now)
