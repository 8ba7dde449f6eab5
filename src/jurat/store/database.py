"""The interface of both databases: transactions, and statements within them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Delete, Dialect, Insert, Select, Table, Update

from jurat.cache import BoundedCache

T = TypeVar("T")
Row = tuple[Any, ...]
Statement = Select[Any] | Insert | Update | Delete
# A SELECT with its values.
Query = tuple[Select[Any], Mapping[str, object]]


# Rows that never change, once they have been read. Only under keys that are never reused: a
# transaction that is rolled back does not take anything out of it.
FixedRows = BoundedCache[Any]
MOST_KNOWN = 8192


class Conflict(Exception):
    """A row breaks a constraint: it exists already, or refers to a row that does not."""


class Session(ABC):
    """Runs statements within one transaction."""

    def __init__(self, texts: Texts, known: FixedRows) -> None:
        self._text = texts.of
        self.known = known

    @abstractmethod
    def run(self, statement: Statement, **values: object) -> int:
        """Run an INSERT, UPDATE or DELETE; the number of rows. Raises `Conflict`."""

    def send(self, statement: Statement, **values: object) -> None:
        """Run a statement whose result nobody needs.

        It need not have run when this returns; if it fails, the transaction does.
        """
        self.run(statement, **values)

    @abstractmethod
    def add(self, statement: Insert, **values: object) -> int:
        """Insert one row, and give its id. Raises `Conflict`."""

    @abstractmethod
    def all(self, statement: Statement, **values: object) -> list[Row]:
        """All rows of a SELECT."""

    @abstractmethod
    def stream(self, statement: Statement, **values: object) -> Iterator[Row]:
        """The rows of a SELECT one by one, without having all of them in memory."""

    @abstractmethod
    def insert(
        self, table: Table, rows: Iterable[Row], columns: Sequence[str] | None = None
    ) -> None:
        """Insert many rows, with all columns of the table or these. Raises `Conflict`."""

    @abstractmethod
    def reserve(self, table: Table, count: int) -> list[int]:
        """So many new ids of a table, in ascending order, which nobody else gets."""

    def several(self, *asked: Query) -> list[list[Row]]:
        """The rows of several SELECTs that do not need each other, in one round trip if possible.

        They run in this order.
        """
        return [self.all(statement, **values) for statement, values in asked]

    def exclude(self, key: Hashable) -> None:  # noqa: B027 - most sessions have nothing to do
        """Wait until no other work that shares this transaction holds a key, then hold it.

        Locks of rows keep out other transactions only. Work holds one key at most.
        """

    def exclude_all(self) -> None:  # noqa: B027
        """Wait until nothing else that shares this transaction is at work, and keep it waiting."""

    def admit_all(self) -> None:  # noqa: B027
        """After `exclude_all`: let the rest go on.

        From here on this work touches only rows that no other work touches.
        """

    def one(self, statement: Statement, **values: object) -> Row | None:
        """The first row, or None."""
        rows = self.all(statement, **values)
        return rows[0] if rows else None


class Database(ABC):
    """A database that several threads share."""

    address: str
    """Where another process opens the same database."""

    @abstractmethod
    def write(self, work: Callable[[Session], T], *, repeatable: bool = False) -> T:
        """Do `work` in one transaction, and return its result when it is on disk.

        With `repeatable`, doing it twice is harmless: it is repeated if the connection breaks
        before the outcome is known.
        """

    @abstractmethod
    async def write_soon(self, work: Callable[[Session], T]) -> T:
        """The same for an event loop, which goes on while the disk is at work.

        `work` must be short, since the event loop itself may do it, and repeatable: if a commit
        fails, all the work that shared it is done again.
        """

    @abstractmethod
    def stream(self, work: Callable[[Session], Iterator[T]]) -> Iterator[T]:
        """What `work` yields, little by little, all of it read from one snapshot."""

    @abstractmethod
    def close(self) -> None:
        """Finish what is under way, and disconnect."""

    def look_up(self, work: Callable[[Session], T]) -> T:
        """The result of `work`, which runs one SELECT; another only to tell what was not found."""
        return self.read(work)

    def read(self, work: Callable[[Session], T]) -> T:
        """The result of `work`, which reads from one snapshot and must not write."""

        # A stream of one result, so that both databases begin and end snapshots in one place.
        def once(session: Session) -> Iterator[T]:
            yield work(session)

        (found,) = self.stream(once)
        return found


class Texts:
    """The SQL of statements; each is compiled once, since that takes longer than to run it."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._made: dict[Statement, str] = {}

    def of(self, statement: Statement) -> str:
        """The SQL of a statement, which must be a constant of some module."""
        text = self._made.get(statement)
        if text is None:
            compiled = statement.compile(dialect=self._dialect)
            # A value inside the statement would be lost: only those given to a run are bound.
            assert all(value is None for value in compiled.params.values()), str(compiled)
            text = self._made[statement] = str(compiled)
        return text
