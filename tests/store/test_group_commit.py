"""SQLite's writer: what arrives together is committed together, and fails alone."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
import sqlalchemy as sa

from jurat.store import StoreFault, StoreFull
from jurat.store.database import Session
from jurat.store.sqlite import SQLite

metadata = sa.MetaData()
notes = sa.Table(
    "notes", metadata, sa.Column("id", sa.Integer, primary_key=True), sa.Column("text", sa.Text)
)
NOTE = sa.insert(notes).values(text=sa.bindparam("text")).inline()
NOTES = sa.select(notes.c.text).order_by(notes.c.id)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SQLite]:
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")
    connection.close()
    database = SQLite(path)
    yield database
    database.close()


class Together:
    """Jobs that wait behind a slow one, so that they are committed together."""

    def __init__(self, database: SQLite) -> None:
        self._database = database
        self._go = Event()
        self.outcomes: dict[str, object] = {}
        self._busy = Event()
        self._threads = [Thread(target=database.write, args=(self._wait,))]
        self._threads[0].start()
        assert self._busy.wait(10)

    def _wait(self, _: Session) -> None:
        self._busy.set()
        self._go.wait(10)

    def add(self, text: str, *, error: Exception | None = None, size: int = 0) -> None:
        def work(session: Session) -> str:
            session.run(NOTE, text=text + "x" * size)
            if error:
                raise error
            return text

        def run() -> None:
            try:
                self.outcomes[text] = self._database.write(work)
            except Exception as caught:  # noqa: BLE001
                self.outcomes[text] = caught

        thread = Thread(target=run)
        thread.start()
        self._threads.append(thread)
        while self._database.group_commit.queue.qsize() < len(self._threads) - 1:
            pass

    def go(self) -> None:
        self._go.set()
        for thread in self._threads:
            thread.join()


def stored(database: SQLite) -> list[str]:
    return database.read(lambda session: [text for (text,) in session.all(NOTES)])


def commits(database: SQLite) -> list[str]:
    seen: list[str] = []
    database.writing.connection.set_trace_callback(seen.append)
    return seen


def test_one_commit_for_all(database: SQLite) -> None:
    seen = commits(database)
    jobs = Together(database)
    for text in "abcd":
        jobs.add(text)
    jobs.go()
    assert stored(database) == list("abcd")
    assert jobs.outcomes == {text: text for text in "abcd"}
    assert seen.count("COMMIT") == 2


def test_one_that_fails_does_not_harm_the_others(database: SQLite) -> None:
    jobs = Together(database)
    error = ZeroDivisionError()
    jobs.add("a")
    jobs.add("b", error=error)
    jobs.add("c")
    jobs.go()
    assert stored(database) == ["a", "c"]
    assert jobs.outcomes == {"a": "a", "b": error, "c": "c"}


def test_what_does_not_fit_on_the_disk_fails_alone(database: SQLite) -> None:
    (pages,) = database.writing.connection.execute("PRAGMA page_count").fetchone()
    database.writing.connection.execute(f"PRAGMA max_page_count = {pages + 3}")
    jobs = Together(database)
    jobs.add("a")
    jobs.add("b", size=100_000)
    jobs.add("c")
    jobs.go()
    assert stored(database) == ["a", "c"]
    assert isinstance(jobs.outcomes["b"], StoreFull)


def test_a_broken_connection_is_replaced(database: SQLite) -> None:
    def spoil(_: Session) -> None:
        database.writing.connection.close()

    with pytest.raises(StoreFault, match="closed database"):
        database.write(spoil)
    database.write(lambda session: session.run(NOTE, text="after"))
    assert stored(database) == ["after"]


def test_closing_finishes_what_was_asked(database: SQLite) -> None:
    jobs = Together(database)
    jobs.add("a")
    closing = Thread(target=database.close)
    closing.start()
    jobs.go()
    closing.join()
    assert jobs.outcomes == {"a": "a"}


def test_readers_cannot_write_nor_be_kept_waiting(database: SQLite) -> None:
    jobs = Together(database)  # somebody is writing
    assert stored(database) == []
    jobs.go()
    with pytest.raises(StoreFault, match="readonly"):
        database.read(lambda session: session.run(NOTE, text="x"))
