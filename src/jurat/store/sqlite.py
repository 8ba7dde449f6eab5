"""SQLite: one writer at a time, which commits at once what arrives together; readers beside it.

A durable commit costs the same for one decision as for a hundred, so those that arrive while a
commit is under way wait for it and then share the next one.

What threads want to have written is done by a thread of its own. What an event loop wants is
short, and the loop does it itself if nobody else is writing at that moment: to hand every decision
from thread to thread would cost more than the decision. The commit, which waits for the disk, it
leaves to another thread where the disk is slow.
"""

from __future__ import annotations

import sqlite3
from asyncio import get_running_loop
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import repeat
from pathlib import Path
from queue import Empty, LifoQueue, SimpleQueue
from threading import Event, Lock, Thread
from typing import NamedTuple, TypeVar

from sqlalchemy import Insert, Table
from sqlalchemy.dialects import sqlite as dialect

from jurat.store.database import (
    MOST_KNOWN,
    Conflict,
    Database,
    Known,
    Row,
    Session,
    Statement,
    Texts,
)
from jurat.store.errors import NotAStore, StoreBusy, StoreFailed, StoreFault, StoreFull
from jurat.store.gathering import Fate, Gatherings, Job

T = TypeVar("T")

PATIENCE = 20
"""Seconds to wait for another process that is writing."""
MOST = 256
"""Orders in one commit."""
PAUSE = 0.001
"""Seconds between two attempts to write."""
QUICK, SLOW, FOR_LONG = 0.003, 3, 1000
"""Seconds that an event loop may wait for a commit; after so many that took longer, a thread does
the next ones."""
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
    # the same pages change all the time: the rarer they are copied back, the fewer copies
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
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


def _is_busy(error: Exception) -> bool:
    """Whether another program is writing."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


class SQLiteSession(Session):
    """Runs statements on a connection of sqlite3."""

    def __init__(self, connection: sqlite3.Connection, texts: Texts, known: Known) -> None:
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


class _Order(NamedTuple):
    """Jobs to be committed, and whom to tell."""

    jobs: Sequence[Job]
    end: Callable[[], None]


class SQLite(Database):
    """A file of SQLite's."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.address = str(path.absolute())
        self._texts = Texts(dialect.dialect(paramstyle="named"))
        self._known = Known(MOST_KNOWN)
        self._open()
        self._readers: LifoQueue[sqlite3.Connection] = LifoQueue(IDLE)
        self._gatherings = Gatherings(self._here_or_there)
        self._broken = False
        self._closed = False
        self._closing = Lock()
        self._writing = Lock()
        """Whoever has it uses the connection, from the beginning of a transaction to its end."""
        self._orders: SimpleQueue[_Order | None] = SimpleQueue()
        self._begun: SimpleQueue[_Order | None] = SimpleQueue()
        """Transactions of event loops in which everything is done but the commit."""
        self._slow = 0
        """Commits of event loops that took long, one after the other; then, how many to come are
        left to the committer."""
        self._threads = [
            Thread(target=work, name=f"{name} of {path.name}", daemon=True)
            for work, name in ((self._serve, "writer"), (self._conclude, "committer"))
        ]
        for thread in self._threads:
            thread.start()

    def write(self, work: Callable[[Session], T], *, again: bool = False) -> T:
        job, ended = Job(work), Lock()
        ended.acquire()
        with self._closing:
            self._refuse_if_closed()
            self._orders.put(_Order((job,), ended.release))
        ended.acquire()
        result: T = job.outcome()
        return result

    async def write_soon(self, work: Callable[[Session], T], *, again: bool = False) -> T:
        return await self._gatherings.here().add(work)

    def stream(self, work: Callable[[Session], Iterator[T]]) -> Iterator[T]:
        self._refuse_if_closed()
        connection = self._reader()
        try:
            connection.execute("BEGIN")
            yield from work(SQLiteSession(connection, self._texts, self._known))
        except _OURS as error:
            raise translated(error, self._path) from error
        finally:
            self._put_back(connection)

    def close(self) -> None:
        with self._closing:
            if self._closed:
                return
            self._closed = True
            self._orders.put(None)
        # what an event loop has begun comes before this
        with self._writing:
            self._begun.put(None)
        for thread in self._threads:
            thread.join()
        self._connection.close()
        with suppress(Empty):
            while True:
                self._readers.get_nowait().close()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise self._has_been_closed()

    def _has_been_closed(self) -> StoreFailed:
        return StoreFailed(f"the store {self._path} has been closed")

    def _open(self) -> None:
        self._connection = connect(self._path)
        # an event loop must not wait here for another process; the writer's thread does
        self._connection.execute("PRAGMA busy_timeout = 0")
        self._session = SQLiteSession(self._connection, self._texts, self._known)

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

    # This runs in the thread of an event loop.

    def _here_or_there(self, jobs: Sequence[Job], end: Callable[[], None], *, wait: bool) -> Fate:
        """Do these at once; what has to be waited for is left to the other threads."""
        order = _Order(jobs, end)
        if self._writing.acquire(blocking=False):
            hindrance = self._hindrance(jobs)
            if hindrance is None:
                return self._concluded(order)
            self._writing.release()
            if _is_busy(hindrance) and not wait:
                return Fate.BUSY
        return self._left_to_the_writer(order)

    def _left_to_the_writer(self, order: _Order) -> Fate:
        with self._closing:
            if not self._closed:
                self._orders.put(order)
                return Fate.COMING
        for job in order.jobs:
            job.error = self._has_been_closed()
        return Fate.DONE

    def _concluded(self, order: _Order) -> Fate:
        """Commit here where the disk is quick: a change of threads takes as long."""
        if self._slow >= SLOW:
            self._slow -= 1
            self._begun.put(order)
            return Fate.COMING
        clock = get_running_loop().time
        start = clock()
        committed = self._is_committed()
        self._writing.release()
        if clock() - start <= QUICK:
            self._slow = 0
        else:
            self._slow += 1 if self._slow + 1 < SLOW else FOR_LONG
        return Fate.DONE if committed else self._left_to_the_writer(order)

    def _hindrance(self, jobs: Sequence[Job]) -> Exception | None:
        """Do these, all but the commit; what was in the way, if they could not be done."""
        if self._closed:
            return self._has_been_closed()
        try:
            self._begin()
            if not all(map(self._goes_well, jobs)):
                self._give_up()
                self._begin()
                for job in jobs:
                    self._do(job)
        except (sqlite3.Error, StoreFault) as error:
            self._give_up()
            return error
        return None

    def _goes_well(self, job: Job) -> bool:
        """Do a job, with no way back; that it fails is rare, and then all are done again."""
        try:
            job.result, job.error = job.work(self._session), None
        except Exception:  # noqa: BLE001 - the next time it is the caller's
            return False
        return True

    # This runs in the committer's thread.

    def _conclude(self) -> None:
        while order := self._begun.get():
            if not self._is_committed():
                self._one_by_one(order.jobs)
            self._writing.release()
            order.end()

    def _is_committed(self) -> bool:
        """Commit what was done; whether that could be. Event loops ask for this, too."""
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            self._give_up()
            return False
        return True

    # And this in the writer's.

    def _serve(self) -> None:
        while orders := self._gather():
            with self._writing:
                self._commit([job for order in orders for job in order.jobs])
            for order in orders:
                order.end()

    def _gather(self) -> list[_Order]:
        """The orders that are waiting; none when the store is closed."""
        order = self._orders.get()
        orders: list[_Order] = []
        while order is not None:
            orders.append(order)
            if len(orders) == MOST:
                break
            try:
                order = self._orders.get_nowait()
            except Empty:
                break
        else:
            if orders:  # closed, but these came before
                self._orders.put(None)
        return orders

    def _commit(self, jobs: Sequence[Job]) -> None:
        """All of them in one durable transaction; or each in its own, where that fails."""
        try:
            self._begin_patiently()
            for job in jobs:
                self._do(job)
            self._connection.execute("COMMIT")
        except (sqlite3.Error, StoreFault) as error:
            self._give_up()
            if len(jobs) == 1:
                jobs[0].error = jobs[0].error or translated(error, self._path)
            else:
                self._one_by_one(jobs)

    def _one_by_one(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            self._commit([job])

    def _begin_patiently(self) -> None:
        """Begin when the other processes have finished."""
        for _ in range(int(PATIENCE / PAUSE)):
            try:
                return self._begin()
            except sqlite3.OperationalError as error:
                if not _is_busy(error):
                    raise
                Event().wait(PAUSE)
        return self._begin()

    def _begin(self) -> None:
        if self._broken:
            self._connection.close()
            self._open()
            self._broken = False
        self._connection.execute("BEGIN IMMEDIATE")

    def _do(self, job: Job) -> None:
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
