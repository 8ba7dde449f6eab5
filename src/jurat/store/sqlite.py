"""SQLite: one connection that writes, by group commit, and others that read at the same time."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import repeat
from pathlib import Path
from queue import Empty, LifoQueue
from typing import TypeVar

from sqlalchemy import Insert, Table
from sqlalchemy.dialects import sqlite as dialect

from jurat.store.database import (
    MOST_KNOWN,
    Conflict,
    Database,
    FixedRows,
    Row,
    Session,
    Statement,
    Texts,
)
from jurat.store.errors import NotAStore, StoreBusy, StoreFailed, StoreFault, StoreFull
from jurat.store.group_commit import PATIENCE, GroupCommit, Job, WriteConnection
from jurat.store.schema import last_id

T = TypeVar("T")

# Connections for reading that are kept open for the next reader.
IDLE = 8
# How long the rescue of a deleted log waits for those who read from it.
RESCUE_MILLISECONDS = 1000

TEXTS = Texts(dialect.dialect(paramstyle="named"))
"""One for all stores that this process opens."""

_OLDEST = (3, 35)
_OURS = (sqlite3.Error, UnicodeEncodeError, OverflowError)


def connect(path: Path) -> sqlite3.Connection:
    """A new connection to the file. Raises `StoreFailed`, `StoreBusy` or `NotAStore`."""
    if sqlite3.sqlite_version_info < _OLDEST:
        raise StoreFailed(f"SQLite 3.35 or newer is needed; this is {sqlite3.sqlite_version}")
    try:
        connection = sqlite3.connect(
            path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise translated(error, path) from error
    try:
        _set_up(connection)
    except Exception as error:
        connection.close()
        raise translated(error, path) from error
    return connection


def _set_up(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    # Every commit waits for the disk: what was acknowledged survives a power failure.
    connection.execute("PRAGMA synchronous = FULL")
    # The same pages change all the time: the more rarely they are copied back, the fewer copies.
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreFailed(f"SQLite cannot use a store on this file system (journal: {mode})")


def translated(error: Exception, path: Path) -> Exception:
    """The store's error for an error of sqlite3; any other error as it is."""
    if isinstance(error, UnicodeEncodeError | OverflowError):
        return StoreFault(f"this cannot be stored: {error}")
    if not isinstance(error, sqlite3.Error):
        return error
    # The low byte is the primary code; the rest of an extended one does not matter here.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StoreFull(f"no room is left on the disk for the store {path}; nothing was changed")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        message = f"another program has been writing to the store {path} for {PATIENCE} seconds"
        return StoreBusy(f"{message}; nothing was changed")
    if code == sqlite3.SQLITE_NOTADB:
        return NotAStore(f"{path} is not a store: the file is not an SQLite database")
    return StoreFailed(f"the store {path} failed: {error}")


class SQLiteSession(Session):
    """Runs statements on a connection of sqlite3."""

    def __init__(self, connection: sqlite3.Connection, texts: Texts, known: FixedRows) -> None:
        super().__init__(texts, known)
        self._execute = connection.execute
        self._executemany = connection.executemany

    def run(self, statement: Statement, **values: object) -> int:
        return self._changed(statement, values).rowcount

    def add(self, statement: Insert, **values: object) -> int:
        number = self._changed(statement, values).lastrowid
        assert number is not None
        return number

    def all(self, statement: Statement, **values: object) -> list[Row]:
        return self._execute(self._text(statement), values).fetchall()

    def stream(self, statement: Statement, **values: object) -> Iterator[Row]:
        return self._execute(self._text(statement), values)

    def _changed(self, statement: Statement, values: dict[str, object]) -> sqlite3.Cursor:
        try:
            return self._execute(self._text(statement), values)
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from error

    def insert(
        self, table: Table, rows: Iterable[Row], columns: Sequence[str] | None = None
    ) -> None:
        columns = columns or [column.name for column in table.c]
        names = ", ".join(f'"{name}"' for name in columns)
        places = ", ".join(repeat("?", len(columns)))
        try:
            self._executemany(f"INSERT INTO {table.name} ({names}) VALUES ({places})", rows)  # noqa: S608
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from error

    def reserve(self, table: Table, count: int) -> list[int]:
        # Safe, since nobody else can write before this transaction has ended. The ids of deleted
        # rows are not given again: processes have kits in memory by their ids.
        (last,) = self._execute(
            f"SELECT max((SELECT coalesce(max(id), 0) FROM {table.name}),"  # noqa: S608
            " (SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM settings WHERE name = ?))",
            (last_id(table),),
        ).fetchone()
        return list(range(last + 1, last + 1 + count))


class SQLiteWriteConnection(WriteConnection):
    """The one connection of this process that writes; after a failure it is opened again."""

    def __init__(self, path: Path, texts: Texts, known: FixedRows) -> None:
        self._path = path
        self._texts = texts
        self._known = known
        self._broken = False
        self.generation = 0
        """One higher whenever connections that are open must not be used any more."""
        self._log_name = f"{path}-wal"
        self._connect()

    def _connect(self) -> None:
        self.connection = connect(self._path)
        # An event loop must not wait here for another process; the writer thread waits instead.
        self.connection.execute("PRAGMA busy_timeout = 0")
        self._session = SQLiteSession(self.connection, self._texts, self._known)
        self._log = self._log_id()

    def begin(self) -> None:
        if self._broken:
            self.connection.close()
            self._connect()
            self._broken = False
        self._execute("BEGIN IMMEDIATE")

    def run(self, job: Job) -> None:
        # A savepoint costs 3 µs, a hundredth of a decision.
        self._execute("SAVEPOINT job")
        try:
            job.result, job.error = job.work(self._session), None
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is the caller's
            job.error = translated(error, self._path) if isinstance(error, _OURS) else error
            # SQLite may have rolled back the whole transaction, as it does on a full disk. Then
            # there is no savepoint, the next statement fails, and all jobs are run again.
            if self._in_transaction():
                self._execute("ROLLBACK TO job")
        self._execute("RELEASE job")

    def commit(self) -> None:
        self._execute("COMMIT")
        if self._log_id() != self._log:
            self._rescue()

    def checkpoint(self) -> None:
        # On a connection of its own, since this one may be in use by an event loop.
        connection = connect(self._path)
        try:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        except sqlite3.Error as error:
            raise translated(error, self._path) from error
        finally:
            connection.close()

    def _log_id(self) -> int | None:
        """Which file the log is; None if it has vanished."""
        try:
            return os.stat(self._log_name).st_ino  # noqa: PTH116 - twice as fast, at every commit
        except OSError:
            return None

    def _rescue(self) -> None:
        """Save what is in a log that somebody has deleted or replaced; raises `StoreFailed`.

        As long as this connection is open, the deleted file is still there.
        """
        if self._log is None:  # the first commit, which made the log
            self._log = self._log_id()
            return
        message = f"the log {self._log_name} was deleted while the store was in use"
        try:
            self.connection.execute(f"PRAGMA busy_timeout = {RESCUE_MILLISECONDS}")
            (busy, *_) = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            raise StoreFailed(f"{message}, and cannot be saved: {error}") from error
        if busy:
            # The connection stays open, and with it the log: the next commit tries again.
            raise StoreFailed(f"{message}, and is being read; nothing is lost yet")
        # Only now: closing the last connection to a deleted file deletes its content.
        self._broken = True
        self.generation += 1

    def rollback(self) -> None:
        try:
            if self._in_transaction():
                self._execute("ROLLBACK")
        except StoreFault:
            self._broken = True

    def _in_transaction(self) -> bool:
        try:
            return self.connection.in_transaction
        except sqlite3.Error as error:  # the connection was closed
            raise translated(error, self._path) from error

    def _execute(self, statement: str) -> None:
        try:
            self.connection.execute(statement)
        except sqlite3.Error as error:
            raise translated(error, self._path) from error


class SQLite(Database):
    """A database in a file of SQLite."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.address = str(path.absolute())
        self._texts = TEXTS
        self._known = FixedRows(MOST_KNOWN)
        self.writing = SQLiteWriteConnection(path, self._texts, self._known)
        self.group_commit = GroupCommit(self.writing, path)
        self._readers: LifoQueue[tuple[int, sqlite3.Connection]] = LifoQueue(IDLE)

    def write(self, work: Callable[[Session], T], *, repeatable: bool = False) -> T:
        return self.group_commit.run(work)

    async def write_soon(self, work: Callable[[Session], T]) -> T:
        return await self.group_commit.run_soon(work)

    def stream(self, work: Callable[[Session], Iterator[T]]) -> Iterator[T]:
        self.group_commit.refuse_if_closed()
        generation, connection = self._reader()
        try:
            connection.execute("BEGIN")
            yield from work(SQLiteSession(connection, self._texts, self._known))
        except _OURS as error:
            raise translated(error, self._path) from error
        finally:
            self._put_back(generation, connection)

    def close(self) -> None:
        if not self.group_commit.close():
            return
        # Of several processes, only the last one would do this by closing.
        with suppress(StoreFault):
            self.writing.checkpoint()
        self.writing.connection.close()
        with suppress(Empty):
            while True:
                self._readers.get_nowait()[1].close()

    def _reader(self) -> tuple[int, sqlite3.Connection]:
        now = self.writing.generation
        with suppress(Empty):
            while True:
                generation, connection = self._readers.get_nowait()
                if generation == now:
                    return generation, connection
                connection.close()
        connection = connect(self._path)
        connection.execute("PRAGMA query_only = ON")
        return now, connection

    def _put_back(self, generation: int, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        with self.group_commit.closing:
            old = generation != self.writing.generation
            if old or self.group_commit.closed or self._readers.full():
                connection.close()
            else:
                self._readers.put_nowait((generation, connection))
