"""SQLite's writer: what arrives together is committed together, and fails alone."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
import sqlalchemy as sa

from jurat.store import StoreBusy, StoreFailed, StoreFault, StoreFull
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


def test_all_who_wait_for_a_busy_store_give_up_at_the_same_time(
    database: SQLite, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    def busy() -> None:
        tries.append(1)
        raise StoreBusy("another program is writing")

    waiting = Together(database)
    monkeypatch.setattr(database.writing, "begin", busy)
    # the time is over for all of them when the writer comes to them
    monkeypatch.setattr("jurat.store.group_commit.PATIENCE", -1)
    for text in "abcdefgh":
        waiting.add(text)
    waiting.go()
    assert {type(outcome) for outcome in waiting.outcomes.values()} == {StoreBusy}
    assert len(tries) == 1


def put(database: SQLite, text: str) -> None:
    database.write(lambda session: session.run(NOTE, text=text))


def test_an_idle_store_has_all_in_its_main_file(database: SQLite, tmp_path: Path) -> None:
    put(database, "a")
    database.group_commit._checkpoint_if_idle()  # commits since the last look: not idle yet
    database.group_commit._checkpoint_if_idle()
    alone = tmp_path / "alone.db"
    alone.write_bytes((tmp_path / "a.db").read_bytes())
    with sqlite3.connect(alone) as connection:
        assert connection.execute("SELECT text FROM notes").fetchall() == [("a",)]
    connection.close()


def test_a_log_that_was_deleted_is_saved(database: SQLite, tmp_path: Path) -> None:
    put(database, "a")
    assert stored(database) == ["a"]
    (tmp_path / "a.db-wal").unlink()
    put(database, "b")
    put(database, "c")
    assert stored(database) == ["a", "b", "c"]
    database.close()
    with sqlite3.connect(tmp_path / "a.db") as connection:
        assert len(connection.execute("SELECT text FROM notes").fetchall()) == 3
    connection.close()


def test_a_deleted_log_in_use_is_not_given_up(
    database: SQLite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jurat.store.sqlite.RESCUE_MILLISECONDS", 1)
    put(database, "a")
    reading = database.stream(lambda session: iter(session.all(NOTES)))
    assert next(reading) == ("a",)
    put(database, "b")
    (tmp_path / "a.db-wal").unlink()
    with pytest.raises(StoreFailed, match="was deleted"):
        put(database, "c")
    reading.close()  # type: ignore[attr-defined]
    put(database, "d")
    assert {"a", "b", "d"} <= {*stored(database)}
