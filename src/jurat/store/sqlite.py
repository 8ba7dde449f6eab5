"""SQLite: one writer thread, which commits at once what arrives together; readers beside it.

A durable commit costs the same for one decision as for a hundred, so those that arrive while a
commit is under way wait for it and then share the next one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import repeat
from pathlib import Path
from queue import Empty, LifoQueue, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from sqlalchemy import Table
from sqlalchemy.dialects import sqlite as dialect

from jurat.store.database import Conflict, Database, Row, Session, Statement, Texts
from jurat.store.errors import NotAStore, StoreBusy, StoreFailed, StoreFault, StoreFull

T = TypeVar("T")

PATIENCE = 20
"""Seconds to wait for another process that is writing."""
MOST = 256
"""Jobs in one commit."""
IDLE = 8
"""Connections for reading that are kept for the next reader."""

_OLDEST = (3, 35)
_OURS = (sqlite3.Error, UnicodeEncodeError, OverflowError)


def connect(path: Path) -> sqlite3.Connection:
    """A connection to the file, set up as every one of them has to be."""
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
    connection.execute("PRAGMA synchronous = FULL")
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreFailed(f"SQLite cannot keep a store on this kind of disk (journal: {mode})")


def translated(error: Exception, path: Path) -> Exception:
    """A failure of the database in our words; any other as it is."""
    if isinstance(error, UnicodeEncodeError | OverflowError):
        return StoreFault(f"this cannot be stored: {error}")
    if not isinstance(error, sqlite3.Error):
        return error
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StoreFull(f"no room is left on the disk for the store {path}; nothing was changed")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        message = f"another program has been writing to the store {path} for {PATIENCE} seconds"
        return StoreBusy(f"{message}; nothing was changed")
    if code == sqlite3.SQLITE_NOTADB:
        return NotAStore(f"{path} is no store: the file is no SQLite database")
    return StoreFailed(f"the store {path} failed: {error}")


class SQLiteSession(Session):
    """Runs statements on a connection of sqlite3."""

    def __init__(self, connection: sqlite3.Connection, texts: Texts) -> None:
        super().__init__(texts)
        self._execute = connection.execute
        self._executemany = connection.executemany

    def run(self, statement: Statement, **values: object) -> int:
        try:
            return self._execute(self._text(statement), values).rowcount
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from error

    def all(self, statement: Statement, **values: object) -> list[Row]:
        try:
            return self._execute(self._text(statement), values).fetchall()
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from error

    def stream(self, statement: Statement, **values: object) -> Iterator[Row]:
        return self._execute(self._text(statement), values)

    def insert(self, table: Table, columns: Sequence[str], rows: Iterable[Row]) -> None:
        names = ", ".join(f'"{name}"' for name in columns)
        places = ", ".join(repeat("?", len(columns)))
        try:
            self._executemany(f"INSERT INTO {table.name} ({names}) VALUES ({places})", rows)  # noqa: S608
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from error

    def reserve(self, table: Table, count: int) -> list[int]:
        # Nobody else can write before this transaction has ended.
        (last,) = self._execute(f"SELECT coalesce(max(id), 0) FROM {table.name}").fetchone()  # noqa: S608
        return list(range(last + 1, last + 1 + count))


class _Job:
    """Some work for the writer, and where its outcome is waited for."""

    __slots__ = ("_ended", "error", "result", "work")

    def __init__(self, work: Callable[[Session], Any]) -> None:
        self.work = work
        self.result: Any = None
        self.error: BaseException | None = None
        self._ended = Lock()
        self._ended.acquire()

    def end(self, error: BaseException | None = None) -> None:
        """Let the caller go on."""
        self.error = error or self.error
        self._ended.release()

    def outcome(self) -> Any:
        """The result, when there is one; raises what went wrong."""
        self._ended.acquire()
        if self.error is not None:
            raise self.error
        return self.result


class SQLite(Database):
    """A file of SQLite's."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.address = str(path.absolute())
        self._texts = Texts(dialect.dialect(paramstyle="named"))
        self._connection = connect(path)
        self._session = SQLiteSession(self._connection, self._texts)
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._readers: LifoQueue[sqlite3.Connection] = LifoQueue(IDLE)
        self._broken = False
        self._closed = False
        self._closing = Lock()
        self._writer = Thread(target=self._serve, name=f"writer of {path.name}", daemon=True)
        self._writer.start()

    def write(self, work: Callable[[Session], T], *, again: bool = False) -> T:
        job = _Job(work)
        with self._closing:
            self._refuse_if_closed()
            self._jobs.put(job)
        result: T = job.outcome()
        return result

    def stream(self, work: Callable[[Session], Iterator[T]]) -> Iterator[T]:
        self._refuse_if_closed()
        connection = self._reader()
        try:
            connection.execute("BEGIN")
            yield from work(SQLiteSession(connection, self._texts))
        except _OURS as error:
            raise translated(error, self._path) from error
        finally:
            self._put_back(connection)

    def close(self) -> None:
        with self._closing:
            if self._closed:
                return
            self._closed = True
            self._jobs.put(None)
        self._writer.join()
        self._connection.close()
        with suppress(Empty):
            while True:
                self._readers.get_nowait().close()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreFailed(f"the store {self._path} has been closed")

    def _reader(self) -> sqlite3.Connection:
        with suppress(Empty):
            return self._readers.get_nowait()
        connection = connect(self._path)
        connection.execute("PRAGMA query_only = ON")
        return connection

    def _put_back(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        with self._closing:
            if self._closed or self._readers.full():
                connection.close()
            else:
                self._readers.put_nowait(connection)

    # What follows runs in the writer's thread.

    def _serve(self) -> None:
        while jobs := self._gather():
            self._commit(jobs)

    def _gather(self) -> list[_Job]:
        """The jobs that are waiting; none when the store is closed."""
        job = self._jobs.get()
        jobs = []
        while job is not None:
            jobs.append(job)
            if len(jobs) == MOST:
                break
            try:
                job = self._jobs.get_nowait()
            except Empty:
                break
        else:
            if jobs:  # closed, but these came before
                self._jobs.put(None)
        return jobs

    def _commit(self, jobs: Sequence[_Job]) -> None:
        """All of them in one durable transaction; or each in its own, where that fails."""
        try:
            self._begin()
            for job in jobs:
                self._do(job)
            self._connection.execute("COMMIT")
        except (sqlite3.Error, StoreFault) as error:
            self._give_up()
            if len(jobs) == 1:
                jobs[0].end(jobs[0].error or translated(error, self._path))
            else:
                for job in jobs:
                    self._commit([job])
            return
        for job in jobs:
            job.end()

    def _begin(self) -> None:
        if self._broken:
            self._connection.close()
            self._connection = connect(self._path)
            self._session = SQLiteSession(self._connection, self._texts)
            self._broken = False
        self._connection.execute("BEGIN IMMEDIATE")

    def _do(self, job: _Job) -> None:
        """One job, so that its failure leaves nothing behind and does not harm the others."""
        execute = self._connection.execute
        execute("SAVEPOINT job")
        try:
            job.error = None
            job.result = job.work(self._session)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is the caller's
            job.error = translated(error, self._path) if isinstance(error, _OURS) else error
            if self._connection.in_transaction:
                execute("ROLLBACK TO job")
        # Fails if the database gave up the whole transaction, as it may on a full disk.
        execute("RELEASE job")

    def _give_up(self) -> None:
        """Leave the transaction, if it is still there."""
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._broken = True
