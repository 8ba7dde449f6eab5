"""PostgreSQL: a connection for each thread at work; short jobs share commits (`postgres_groups`).

After a restart of the server connections are opened again, and repeatable work that was under way
is repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, partial
from queue import Empty, Full, LifoQueue
from threading import Event, Semaphore, local
from time import monotonic
from typing import Any, TypeVar

import psycopg
from greenlet import GreenletExit
from psycopg import errors, pq, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus
from sqlalchemy import Insert, Table
from sqlalchemy.dialects.postgresql import psycopg as dialect

from jurat.store.database import (
    MOST_KNOWN,
    Conflict,
    Database,
    FixedRows,
    Query,
    Row,
    Session,
    Statement,
    Texts,
)
from jurat.store.errors import StoreBusy, StoreFailed, StoreFault, StoreFull, StoreUnreachable
from jurat.store.group_commit import Job
from jurat.store.postgres_groups import PostgresGroups, ThreadGroups
from jurat.store.postgres_pipeline import PipelineTurns

T = TypeVar("T")
Connection = psycopg.Connection[Row]

# Transactions of one process at the same time. A server allows a hundred connections by default,
# for all processes together, and with more of them nothing is faster.
AT_WORK = 12
# Seconds between attempts to reach a server that was there before and may be restarting.
PAUSES = (0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
# Seconds to wait for a connection.
PATIENCE = 10

TEXTS = Texts(dialect.dialect())  # type: ignore[no-untyped-call]
"""One for all stores that this process opens."""

_LOST = (psycopg.OperationalError, psycopg.InterfaceError)
# The server took back the whole transaction, and another attempt may succeed.
_ENDED = (errors.SerializationFailure, errors.DeadlockDetected)
_OURS = (psycopg.Error, UnicodeEncodeError)

# A connection that was cut without a word is noticed after some ten seconds, and not after hours.
_NETWORK: dict[str, Any] = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}

# Whatever the database's own encoding or the environment says: without one (`SQL_ASCII`, as of an
# `initdb` in the locale C) psycopg would give texts as bytes.
_ENCODING = "UTF8"

# A commit waits for the disk, even if the server is configured not to.
_DURABLE = (
    "SELECT set_config('synchronous_commit', 'on', false)"
    " WHERE current_setting('synchronous_commit') = 'off'"
)


def connect(url: str, *, autocommit: bool = True) -> Connection:
    """A new connection; with `autocommit` transactions begin and end by explicit statements.

    Raises `StoreUnreachable`.
    """
    try:
        connection = psycopg.connect(
            url,
            autocommit=autocommit,
            connect_timeout=PATIENCE,
            client_encoding=_ENCODING,
            **_NETWORK,
        )
        connection.execute(_DURABLE)
    except psycopg.OperationalError as error:
        reason = " ".join(str(error).split())
        raise StoreUnreachable(f"the database {named(url)} does not answer: {reason}") from error
    return connection


def wait_until_started(url: str) -> None:
    """Wait some seconds for a server that is starting, or recovering from a crash."""
    address = make_conninfo(url, connect_timeout=PATIENCE).encode()
    for pause in PAUSES:
        # also where nobody listens: perhaps the address is wrong, which is told at once
        if pq.PGconn.ping(address) != pq.Ping.REJECT:
            return
        Event().wait(pause)


def named(url: str) -> str:
    """The database's name and host, for messages: without the password. Raises `StoreFault`."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise StoreFault(f"this is not a database address: {error}") from error
    return f"{parts.get('dbname', '')} at {parts.get('host', 'localhost')}"


def translated(error: Exception, url: str) -> Exception:
    """The store's error for an error of psycopg; any other error as it is."""
    match error:
        case psycopg.DataError() | UnicodeEncodeError():
            return StoreFault(f"this cannot be stored: {error}")
        case errors.DiskFull():
            return StoreFull(f"no room is left for the database {named(url)}; nothing was changed")
        case errors.LockNotAvailable() | errors.QueryCanceled() | errors.DeadlockDetected():
            return StoreBusy(f"the database {named(url)} is too busy; nothing was changed")
        case psycopg.OperationalError():
            message = f"the connection to the database {named(url)} was lost: {error}"
            return StoreUnreachable(f"{message}; check what was stored before you try again")
        case psycopg.Error():
            return StoreFailed(f"the database {named(url)} failed: {error}")
    return error


def _run_among_others(job: Job, session: PipelinedSession) -> None:
    """Run a job; raises `Conflict` if it has failed and left something behind."""
    try:
        job.result, job.error = job.work(session), None
    except (*_OURS, Conflict, GreenletExit):
        # the last where the group has failed: the job runs again by itself, and has no error yet
        raise
    except BaseException as error:
        job.error = error
        # without savepoints, which would cost each job two statements: refusals, as of a wrong
        # answer, come before anything is written
        if session.wrote:
            raise Conflict("a job has failed after it had changed something") from error


@cache
def _with_id(statement: Insert) -> Insert:
    """The same statement, which returns the new row's id."""
    return statement.returning(statement.table.c.id)


class PostgreSQLSession(Session):
    """Runs statements on a connection of psycopg."""

    def __init__(self, connection: Connection, texts: Texts, known: FixedRows) -> None:
        super().__init__(texts, known)
        self._connection = connection

    def run(self, statement: Statement, **values: object) -> int:
        return self._execute(statement, values).rowcount

    def add(self, statement: Insert, **values: object) -> int:
        (row,) = self._execute(_with_id(statement), values)
        number: int = row[0]
        return number

    def all(self, statement: Statement, **values: object) -> list[Row]:
        return self._execute(statement, values).fetchall()

    def several(self, *asked: Query) -> list[list[Row]]:
        with self._connection.pipeline():
            cursors = [self._execute(statement, values) for statement, values in asked]
            return [cursor.fetchall() for cursor in cursors]

    def stream(self, statement: Statement, **values: object) -> Iterator[Row]:
        # A cursor with a name is on the server, which sends `itersize` rows at a time.
        with self._connection.cursor(name="rows") as cursor:
            cursor.itersize = 1000
            yield from cursor.execute(self._text(statement).encode(), values)

    def insert(
        self, table: Table, rows: Iterable[Row], columns: Sequence[str] | None = None
    ) -> None:
        columns = columns or [column.name for column in table.c]
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        copying = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), names)
        try:
            # COPY is many times faster than inserts.
            with self._connection.cursor() as cursor, cursor.copy(copying) as copy:
                for row in rows:
                    copy.write_row(row)
        except psycopg.IntegrityError as error:
            raise Conflict(str(error)) from error

    def reserve(self, table: Table, count: int) -> list[int]:
        asking = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
        return [number for (number,) in self._connection.execute(asking, (table.name, count))]

    def _execute(self, statement: Statement, values: Mapping[str, object]) -> psycopg.Cursor[Row]:
        try:
            return self._connection.execute(self._text(statement).encode(), values)
        except psycopg.IntegrityError as error:
            raise Conflict(str(error)) from error


class PipelinedSession(PostgreSQLSession):
    """Runs the statements of one of several jobs that share a transaction."""

    def __init__(
        self, connection: Connection, texts: Texts, known: FixedRows, turns: PipelineTurns
    ) -> None:
        super().__init__(connection, texts, known)
        self._turns = turns
        self.exclude = turns.exclude  # type: ignore[method-assign]
        self.exclude_all, self.admit_all = turns.exclude_all, turns.admit_all  # type: ignore[method-assign]
        self.wrote = False
        """Whether a statement has changed something."""

    def run(self, statement: Statement, **values: object) -> int:
        self.wrote = True
        return self._answered(statement, values).rowcount

    def send(self, statement: Statement, **values: object) -> None:
        self.wrote = True
        self._execute(statement, values)

    def add(self, statement: Insert, **values: object) -> int:
        self.wrote = True
        (row,) = self._answered(_with_id(statement), values)
        number: int = row[0]
        return number

    def all(self, statement: Statement, **values: object) -> list[Row]:
        return self._answered(statement, values).fetchall()

    def several(self, *asked: Query) -> list[list[Row]]:
        cursors = [self._execute(statement, values) for statement, values in asked]
        self._turns.wait()
        return [cursor.fetchall() for cursor in cursors]

    def _answered(self, statement: Statement, values: dict[str, object]) -> psycopg.Cursor[Row]:
        cursor = self._execute(statement, values)
        self._turns.wait()
        return cursor


class PostgreSQL(Database):
    """A database on a PostgreSQL server."""

    def __init__(self, url: str) -> None:
        self._url = self.address = url
        self._texts = TEXTS
        self._known = FixedRows(MOST_KNOWN)
        self._idle: LifoQueue[Connection] = LifoQueue(AT_WORK)
        self._room = Semaphore(AT_WORK)
        self._mine = local()
        """`place`: whether this thread has a transaction, within which it may begin another."""
        self._groups = PostgresGroups(self._run_group)
        self._thread_groups = ThreadGroups(self._run_group)
        self._closed = False
        self._put_back(connect(url))

    def write(self, work: Callable[[Session], T], *, repeatable: bool = False) -> T:
        # within a transaction of this thread, the group would wait for it and it for the group
        if repeatable and not self._has_place():
            return self._thread_groups.add(work)
        with self._place():
            return self._written(work, repeatable=repeatable)

    def _written(self, work: Callable[[Session], T], *, repeatable: bool) -> T:
        for last in (False, True):
            connection = self._begun("BEGIN")
            try:
                result = work(PostgreSQLSession(connection, self._texts, self._known))
                connection.execute("COMMIT")
            except _OURS as error:
                self._abandon(connection)
                repeats = isinstance(error, _ENDED) or (repeatable and isinstance(error, _LOST))
                if last or not repeats:
                    raise translated(error, self._url) from error
            except BaseException:
                self._abandon(connection)
                raise
            else:
                self._put_back(connection)
                return result
        raise AssertionError

    async def write_soon(self, work: Callable[[Session], T]) -> T:
        return await self._groups.add(work)

    def _run_group(self, jobs: Sequence[Job]) -> None:
        """Run jobs in one transaction; if that fails, each in its own."""
        self._refuse_if_closed()
        with self._place():
            if self._is_run_together(jobs):
                return
            for job in jobs:
                try:
                    job.result, job.error = self._written(job.work, repeatable=True), None
                except BaseException as error:  # noqa: BLE001 - whatever it is, it is the caller's
                    job.error = error

    def _is_run_together(self, jobs: Sequence[Job]) -> bool:
        """Run jobs in one transaction, in a pipeline; false if nothing was done."""
        # one that was lost while it was idle is noticed below: each job then gets a new one
        try:
            connection = self._idle.get_nowait()
        except Empty:
            connection = self._connected()
        try:
            with connection.pipeline() as pipeline:
                connection.execute("BEGIN")
                turns = PipelineTurns(pipeline)
                turns.run(
                    [
                        partial(_run_among_others, job, self._sharing(connection, turns))
                        for job in jobs
                    ]
                )
                connection.execute("COMMIT")
                pipeline.sync()
        except BaseException as error:
            self._abandon(connection)
            if isinstance(error, (*_OURS, Conflict)):
                return False
            raise
        self._put_back(connection)
        return True

    def _sharing(self, connection: Connection, turns: PipelineTurns) -> PipelinedSession:
        return PipelinedSession(connection, self._texts, self._known, turns)

    def read(self, work: Callable[[Session], T]) -> T:
        with self._place():
            return super().read(work)

    def look_up(self, work: Callable[[Session], T]) -> T:
        with self._place():
            with suppress(Empty):
                connection = self._idle.get_nowait()
                try:
                    return work(PostgreSQLSession(connection, self._texts, self._known))
                except _OURS:
                    # perhaps it was lost while it was idle: `read` tells, and gets another
                    pass
                finally:
                    self._abandon(connection)
            return super().read(work)

    def stream(self, work: Callable[[Session], Iterator[T]]) -> Iterator[T]:
        # Not `_place`: each part may be read by another thread, so the place belongs to none.
        with nullcontext() if self._has_place() else self._waiting():
            yield from self._streamed(work)

    def _streamed(self, work: Callable[[Session], Iterator[T]]) -> Iterator[T]:
        connection = self._begun("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try:
            yield from work(PostgreSQLSession(connection, self._texts, self._known))
        except _OURS as error:
            raise translated(error, self._url) from error
        finally:
            self._abandon(connection)

    def close(self) -> None:
        self._closed = True
        self._groups.close()
        self._forget_idle()

    def _has_place(self) -> bool:
        return getattr(self._mine, "place", False)

    @contextmanager
    def _place(self) -> Iterator[None]:
        """Take a place for a transaction; a thread that has one would wait for itself."""
        if self._has_place():
            yield
            return
        with self._waiting():
            self._mine.place = True
            try:
                yield
            finally:
                self._mine.place = False

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        if not self._room.acquire(timeout=PATIENCE):
            raise StoreBusy(f"the database {named(self._url)} is too busy; nothing was changed")
        try:
            yield
        finally:
            self._room.release()

    def _begun(self, begin: str) -> Connection:
        """A connection on which a transaction has begun. Raises `StoreUnreachable`."""
        self._refuse_if_closed()
        with suppress(Empty):
            while True:
                connection = self._idle.get_nowait()
                try:
                    connection.execute(begin.encode())
                except psycopg.Error:
                    # If one connection is lost, the server was restarted and all are.
                    self._drop(connection)
                    self._forget_idle()
                else:
                    return connection
        connection = self._connected()
        try:
            connection.execute(begin.encode())
        except psycopg.Error as error:
            self._drop(connection)
            raise translated(error, self._url) from error
        return connection

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreFailed(f"the store {named(self._url)} has been closed")

    def _connected(self) -> Connection:
        """A new connection, also to a server that takes a few seconds to restart."""
        deadline = monotonic() + PATIENCE
        for pause in PAUSES:
            Event().wait(pause)
            try:
                return connect(self._url)
            except StoreUnreachable:
                # each attempt may take long, if the network swallows it
                if monotonic() > deadline:
                    raise
        return connect(self._url)

    def _abandon(self, connection: Connection) -> None:
        """Roll back what has begun, and keep the connection if it still works."""
        try:
            if connection.info.transaction_status != TransactionStatus.IDLE:
                connection.execute("ROLLBACK")
        except psycopg.Error:
            self._drop(connection)
        else:
            self._put_back(connection)

    def _put_back(self, connection: Connection) -> None:
        try:
            self._idle.put_nowait(connection)
        except Full:
            connection.close()

    def _drop(self, connection: Connection) -> None:
        with suppress(psycopg.Error):
            connection.close()

    def _forget_idle(self) -> None:
        with suppress(Empty):
            while True:
                self._drop(self._idle.get_nowait())
