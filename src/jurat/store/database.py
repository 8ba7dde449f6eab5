"""What a database offers to the rest of the store: transactions, and statements within them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from sqlalchemy import Delete, Dialect, Insert, Select, Table, Update

from jurat.cache import BoundedCache

T = TypeVar("T")
Row = tuple[Any, ...]
Statement = Select[Any] | Insert | Update | Delete


# What was read of rows that never change, by keys that are never given again.
Known = BoundedCache[Any]
MOST_KNOWN = 8192


class Conflict(Exception):
    """A row would break a rule of the tables: doubled, or belonging to nothing."""


class Session(ABC):
    """Runs statements within one transaction."""

    def __init__(self, texts: Texts, known: Known) -> None:
        self._text = texts.of
        self.known = known

    @abstractmethod
    def run(self, statement: Statement, **values: object) -> int:
        """Change something; the number of rows changed."""

    @abstractmethod
    def add(self, statement: Insert, **values: object) -> int:
        """Add one row; its id."""

    @abstractmethod
    def all(self, statement: Statement, **values: object) -> list[Row]:
        """All rows."""

    @abstractmethod
    def stream(self, statement: Statement, **values: object) -> Iterator[Row]:
        """Rows one after the other, without having them all in memory."""

    @abstractmethod
    def insert(
        self, table: Table, rows: Iterable[Row], columns: Sequence[str] | None = None
    ) -> None:
        """Add many rows at once, with all columns of the table or these."""

    @abstractmethod
    def reserve(self, table: Table, count: int) -> list[int]:
        """So many ids for new rows, in rising order, which nobody else gets."""

    def one(self, statement: Statement, **values: object) -> Row | None:
        """The first row, if there is any."""
        rows = self.all(statement, **values)
        return rows[0] if rows else None


class Database(ABC):
    """A database that threads share."""

    address: str
    """By which another process finds it."""

    @abstractmethod
    def write(self, work: Callable[[Session], T], *, repeatable: bool = False) -> T:
        """Do this in one transaction, and return when its outcome is on disk.

        With `repeatable`, doing it a second time is harmless, so that it can be repeated when the
        connection broke before the outcome was known.
        """

    @abstractmethod
    async def write_soon(self, work: Callable[[Session], T]) -> T:
        """The same for an event loop, which goes on while the disk is at work.

        What is done has to be short, since the event loop itself may do it, and so that it can be
        done twice: where one of several fails, all are taken back and done again.
        """

    @abstractmethod
    def stream(self, work: Callable[[Session], Iterator[T]]) -> Iterator[T]:
        """What this gives, little by little, all of it read from one snapshot."""

    @abstractmethod
    def close(self) -> None:
        """Finish what is under way and let go."""

    def read(self, work: Callable[[Session], T]) -> T:
        """What this finds in one snapshot; it must not write."""

        def once(session: Session) -> Iterator[T]:
            yield work(session)

        (found,) = self.stream(once)
        return found


class Texts:
    """The SQL of every statement, made once."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._made: dict[Statement, str] = {}

    def of(self, statement: Statement) -> str:
        """The SQL of a statement that is a constant of some module."""
        text = self._made.get(statement)
        if text is None:
            compiled = statement.compile(dialect=self._dialect)
            # A value that is part of the statement would have to be bound at every run.
            assert all(value is None for value in compiled.params.values()), str(compiled)
            text = self._made[statement] = str(compiled)
        return text
