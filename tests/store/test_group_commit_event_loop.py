"""What event loops have written: together, on disk when it is told, and failing alone."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread, current_thread
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa

from jurat.store import Store, StoreBusy, StoreFailed, StoreFull, group_commit
from jurat.store.database import Database, Session
from jurat.store.group_commit import AT_ONCE, MOST_AT_ONCE
from jurat.store.schema import campaigns
from jurat.store.sqlite import SQLite
from tests.store.samples import NOW, make_campaign

notes = sa.Table(
    "notes",
    sa.MetaData(),
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("text", sa.Text),
)
NOTE = sa.insert(notes).values(text=sa.bindparam("text")).inline()
NOTES = sa.select(notes.c.text).order_by(notes.c.id)
Work = Callable[[Session], object]
T = TypeVar("T")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")
    connection.close()
    return path


@pytest.fixture
def database(path: Path) -> Iterator[SQLite]:
    database = SQLite(path)
    yield database
    database.close()


def in_a_loop(story: Coroutine[Any, Any, T]) -> T:
    """What comes of this in an event loop of its own: a browser's tests have one in this thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, story).result()


def note(text: str, error: Exception | None = None) -> Work:
    def work(session: Session) -> str:
        session.run(NOTE, text=text)
        if error:
            raise error
        return text

    return work


async def together(database: Database, *works: Work) -> list[object]:
    """What came of all of them, begun at the same moment."""
    asked = (database.write_soon(work) for work in works)
    return list(await asyncio.gather(*asked, return_exceptions=True))


def stored(database: Database) -> list[str]:
    return database.read(lambda session: [text for (text,) in session.all(NOTES)])


def traced(database: SQLite) -> list[str]:
    seen: list[str] = []
    database.writing.connection.set_trace_callback(seen.append)
    return seen


def test_what_comes_at_the_same_moment_shares_a_commit(database: SQLite, path: Path) -> None:
    seen = traced(database)
    assert in_a_loop(together(database, *map(note, "abcd"))) == list("abcd")
    assert seen.count("COMMIT") == 1
    # another connection sees only what is really there
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT text FROM notes").fetchall() == [(text,) for text in "abcd"]
    other.close()


def test_no_commit_is_larger_than_allowed(database: SQLite) -> None:
    seen = traced(database)
    texts = [str(n) for n in range(AT_ONCE + 1)]
    assert in_a_loop(together(database, *map(note, texts))) == texts
    assert stored(database) == texts
    assert seen.count("COMMIT") == 2


def test_where_many_wait_a_commit_takes_more_of_them(database: SQLite) -> None:
    seen = traced(database)
    texts = [str(n) for n in range(20 * AT_ONCE)]
    assert in_a_loop(together(database, *map(note, texts))) == texts
    assert stored(database) == texts
    assert len(texts) // MOST_AT_ONCE <= seen.count("COMMIT") <= 10


def test_one_that_fails_does_not_harm_the_others(database: SQLite) -> None:
    error = ZeroDivisionError()
    told = in_a_loop(together(database, note("a"), note("b", error), note("c")))
    assert told == ["a", error, "c"]
    assert stored(database) == ["a", "c"]


def test_one_that_is_refused_makes_no_other_run_again(database: SQLite) -> None:
    runs: list[str] = []

    def counted(text: str, error: Exception | None = None) -> Work:
        work = note(text, error)

        def counting(session: Session) -> object:
            runs.append(text)
            return work(session)

        return counting

    refused = PermissionError("login")
    jobs = [counted("a"), counted("b", refused), counted("c"), counted("d", refused)]
    seen = traced(database)
    assert in_a_loop(together(database, *jobs)) == ["a", refused, "c", refused]
    assert runs == ["a", "b", "c", "d"]  # each once
    assert (seen.count("BEGIN IMMEDIATE"), seen.count("COMMIT")) == (1, 1)
    assert stored(database) == ["a", "c"]


def test_what_does_not_fit_on_the_disk_fails_alone(database: SQLite) -> None:
    (pages,) = database.writing.connection.execute("PRAGMA page_count").fetchone()
    database.writing.connection.execute(f"PRAGMA max_page_count = {pages + 3}")
    told = in_a_loop(together(database, note("a"), note("x" * 100_000), note("c")))
    assert isinstance(told[1], StoreFull)
    assert stored(database) == ["a", "c"]


@pytest.mark.parametrize("quick", [True, False])
def test_a_commit_that_fails_is_not_told_as_done(
    database: SQLite, path: Path, *, quick: bool
) -> None:
    # whether the loop commits, or a thread
    database.group_commit.slow = 0 if quick else group_commit.SLOW
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE a (id INTEGER PRIMARY KEY);"
            "CREATE TABLE b (of_a INTEGER REFERENCES a DEFERRABLE INITIALLY DEFERRED)"
        )
    connection.close()

    def orphan(_: Session) -> None:
        # which only the commit refuses
        database.writing.connection.execute("INSERT INTO b VALUES (7)")

    told = in_a_loop(together(database, note("a"), orphan, note("c")))
    assert isinstance(told[1], StoreFailed)
    assert (told[0], told[2]) == ("a", "c")
    assert stored(database) == ["a", "c"]


def test_the_loop_goes_on_while_somebody_else_writes(database: SQLite) -> None:
    busy, go = Event(), Event()

    def slow(_: Session) -> None:
        busy.set()
        go.wait(10)

    async def story() -> list[object]:
        asked = asyncio.ensure_future(together(database, note("a"), note("b")))
        await asyncio.sleep(0.05)
        assert not asked.done()
        go.set()
        return await asked

    thread = Thread(target=database.write, args=(slow,))
    thread.start()
    assert busy.wait(10)
    assert in_a_loop(story()) == ["a", "b"]
    thread.join()
    assert stored(database) == ["a", "b"]


def test_the_loop_does_it_itself_where_nobody_else_writes(database: SQLite) -> None:
    async def story() -> None:
        assert await together(database, lambda _: current_thread()) == [current_thread()]

    in_a_loop(story())


def test_commits_to_a_slow_disk_are_left_to_a_thread(
    database: SQLite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "QUICK", -1.0)
    monkeypatch.setattr(group_commit, "FOR_LONG", 2)
    committed: list[str] = []
    commit = database.group_commit._is_committed

    def noted() -> bool:
        committed.append(current_thread().name)
        return commit()

    monkeypatch.setattr(database.group_commit, "_is_committed", noted)

    async def story() -> None:
        for n in range(8):
            assert await together(database, note(f"a{n}"), note(f"b{n}")) == [f"a{n}", f"b{n}"]

    in_a_loop(story())
    # three that took long, two by the thread, one to see whether it is better now, and so on
    assert [name == "committer of a.db" for name in committed] == [0, 0, 0, 1, 1, 0, 1, 1]
    assert len(stored(database)) == 16


def test_another_program_is_waited_for_beside_the_loop(
    database: SQLite, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")

    async def story() -> list[object]:
        asked = asyncio.ensure_future(together(database, note("a")))
        await asyncio.sleep(0.05)
        other.execute("ROLLBACK")
        return await asked

    assert in_a_loop(story()) == ["a"]
    monkeypatch.setattr(group_commit, "PATIENCE", 0.1)
    other.execute("BEGIN IMMEDIATE")
    (told,) = in_a_loop(together(database, note("b")))
    assert isinstance(told, StoreBusy)
    other.execute("ROLLBACK")
    other.close()
    assert stored(database) == ["a"]


def test_one_who_is_gone_does_not_hold_up_the_others(database: SQLite) -> None:
    async def story() -> object:
        gone = asyncio.ensure_future(database.write_soon(note("a")))
        stays = asyncio.ensure_future(database.write_soon(note("b")))
        await asyncio.sleep(0)
        gone.cancel()
        return await stays

    assert in_a_loop(story()) == "b"
    assert stored(database) == ["a", "b"]  # what was sent counts, whoever still waits for the word


def test_several_loops_and_threads_at_once(database: SQLite) -> None:
    async def some(name: str) -> None:
        for n in range(20):
            await together(database, note(f"{name}{n}"), note(f"{name}{n} too"))

    def more() -> None:
        for n in range(40):
            database.write(note(f"t{n}"))

    loops = [Thread(target=in_a_loop, args=(some(name),)) for name in "ab"]
    threads = [*loops, Thread(target=more)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(stored(database))) == 120


def test_after_closing_nothing_is_taken(database: SQLite) -> None:
    database.close()
    (told,) = in_a_loop(together(database, note("a")))
    assert isinstance(told, StoreFailed)


def test_the_same_on_both_databases(store: Store) -> None:
    store.create(make_campaign(), author="boss", now=NOW)
    names = sa.select(campaigns.c.name)
    (told,) = in_a_loop(together(store._database, lambda session: session.all(names)))
    assert told == [("news",)]
