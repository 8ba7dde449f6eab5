"""Addresses, schemas, and databases that are not what they should be."""

import builtins
import re
import sqlite3
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from jurat.store import (
    DriverMissing,
    NewJudge,
    NoSuchStore,
    NotAStore,
    Store,
    StoreBusy,
    StoreFailed,
    StoreFault,
    StoreFull,
    StoreIsNewer,
    StoreUnreachable,
    connect,
    group_commit,
    sqlite,
)
from jurat.store.connect import HEAD, VERSION_TABLE, migrate
from jurat.store.schema import metadata
from tests import ROOT
from tests.store.samples import LEASE, NOW, decide, first, launch, make_campaign


def engine_of(url: str) -> sa.Engine:
    if url.startswith("postgresql"):
        return sa.create_engine(url.replace("postgresql", "postgresql+psycopg", 1))
    return sa.create_engine(f"sqlite:///{url}")


def test_what_is_stored_is_there_after_opening_again(url: str) -> None:
    with Store.open(url) as store:
        launch(store, make_campaign())
    with Store.open(url, create=False) as store:
        assert store.campaign("news").title == "News"


def test_nothing_is_made_unless_wanted(url: str) -> None:
    with pytest.raises(NoSuchStore, match="there is no store"):
        Store.open(url, create=False)
    if not url.startswith("postgresql"):
        assert not Path(url).exists()


def test_the_schema_is_the_declared_one(url: str) -> None:
    Store.open(url).close()
    engine = engine_of(url)
    with engine.connect() as connection:
        options = {"version_table": VERSION_TABLE}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []
        made = sa.create_engine("sqlite://")
        if connection.dialect.name == "sqlite":  # to the letter, with the conditions of indexes
            metadata.create_all(made)
            with made.connect() as other:
                assert texts(connection) == texts(other)
    engine.dispose()


def texts(connection: sa.Connection) -> dict[str, set[str]]:
    """Every column and rule as it is written; a column that came later stands at the end."""
    rows = connection.execute(sa.text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
    return {name: written(sql) for name, sql in rows if VERSION_TABLE not in name}


def written(sql: str) -> set[str]:
    start, _, rest = sql.partition("(")
    inside, _, end = rest.rpartition(")")
    parts = re.split(r",(?![^(]*\))", inside)
    return {start, end, *(" ".join(part.split()) for part in parts)}


AT_THE_SECOND = {
    "judges": """INSERT INTO judges (campaign_id, key, pin, role, password_hash, token_hash,
        "group", site, tags, disabled, created, failures)
        VALUES (1, 'k-first-one', 'first', 'judge', '', '', '', '', '{}', false, 0, 0)""",
}


def test_up_from_the_second_schema_and_down_again(url: str) -> None:
    """Nothing that the older one knew is lost, and who waits does not get in by it."""
    Store.open(url).close()
    engine = engine_of(url)
    with Store.open(url) as store:
        store.create(make_campaign(), author="boss", now=NOW)
    migrate(engine, "0002")
    with engine.begin() as connection:
        (number,) = connection.execute(sa.text("SELECT id FROM campaigns")).one()
        for text in AT_THE_SECOND.values():
            connection.execute(sa.text(text.replace("(1,", f"({number},")))
    with Store.open(url) as store:
        (first_judge,) = store.judges("news")
        assert (first_judge.pin, first_judge.pending) == ("first", False)
        assert store.edition("news") == store.campaign("news").edition == 1
        store.add_judges("news", [NewJudge(pin="late", pending=True)], author="boss", now=NOW)
        for n in (1, 2):
            told = {"title": f"t{n}", "after": n, "author": "boss", "now": NOW, "details": None}
            store.redeclare("news", {"edition": n + 1}, **told)  # type: ignore[arg-type]
        store.prepare({}, author="boss", now=NOW, files={"a": b"\0"})
    migrate(engine, "0002")
    with engine.connect() as connection:
        found = connection.execute(sa.text("SELECT title, declaration FROM campaigns")).one()
        assert tuple(found) == ("t2", '{"edition":3}')
        rows = connection.execute(sa.text("SELECT pin, disabled FROM judges ORDER BY pin"))
        assert {pin: bool(disabled) for pin, disabled in rows} == {"first": False, "late": True}
        assert "preparations" not in sa.inspect(connection).get_table_names()
    migrate(engine, HEAD)
    engine.dispose()
    with Store.open(url) as store:
        assert store.campaign("news").declaration == {"edition": 3}
        assert store.preparations() == ()


def test_down_and_up_again(url: str) -> None:
    Store.open(url).close()
    engine = engine_of(url)
    migrate(engine, "base")
    with engine.connect() as connection:
        assert set(sa.inspect(connection).get_table_names()) == {VERSION_TABLE}
    migrate(engine, HEAD)
    engine.dispose()
    with Store.open(url) as store:
        launch(store, make_campaign())


def test_several_processes_open_a_new_store_at_once(url: str) -> None:
    code = f"from jurat.store import Store; Store.open({url!r}).close()"
    opening = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT) for _ in range(3)]
    assert [process.wait() for process in opening] == [0] * 3


def test_a_newer_schema_is_refused(url: str) -> None:
    Store.open(url).close()
    engine = engine_of(url)
    with engine.begin() as connection:
        connection.execute(sa.text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreIsNewer, match=r"made by a newer Jurat \(its schema is 9999.*upgrade"):
        Store.open(url)


def test_another_programs_database_is_refused(url: str) -> None:
    engine = engine_of(url)
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE campaigns (x INTEGER)"))
    engine.dispose()
    with pytest.raises(NotAStore, match="of another program"):
        Store.open(url)


def test_a_closed_store_says_so(url: str) -> None:
    store = Store.open(url)
    store.close()
    store.close()
    with pytest.raises(StoreFailed, match="has been closed"):
        store.campaigns()
    with pytest.raises(StoreFailed, match="has been closed"):
        store.create(make_campaign(), author="boss", now=NOW)


# Files


def test_addresses_of_files(tmp_path: Path) -> None:
    Store.open(f"sqlite:///{tmp_path / 'a.db'}").close()
    assert (tmp_path / "a.db").exists()
    assert (tmp_path / "a.db").stat().st_mode & 0o077 == 0
    (tmp_path / "empty.db").touch()
    Store.open(str(tmp_path / "empty.db")).close()


def test_files_that_are_no_store(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database, " * 100)
    with pytest.raises(NotAStore, match="no SQLite database"):
        Store.open(str(tmp_path / "text"))
    with pytest.raises(NotAStore, match="is a directory"):
        Store.open(str(tmp_path))
    with pytest.raises(NoSuchStore, match="no directory"):
        Store.open(str(tmp_path / "none" / "jurat.db"))
    with pytest.raises(StoreFault, match="not mysql://"):
        Store.open("mysql://root@localhost/db")


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store.open(str(path)) as store:
        launch(store, make_campaign(count=50))
    data = bytearray(path.read_bytes())
    data[8192 : len(data) - 4096] = b"\xff" * (len(data) - 4096 - 8192)
    path.write_bytes(data)
    with pytest.raises(StoreFault), Store.open(str(path)) as store:
        launch(store, make_campaign("other"))


def test_settings_of_connections(tmp_path: Path) -> None:
    Store.open(str(tmp_path / "a.db")).close()
    connection = sqlite.connect(tmp_path / "a.db")
    ask = lambda name: connection.execute(f"PRAGMA {name}").fetchone()[0]  # noqa: E731
    assert (ask("journal_mode"), ask("synchronous"), ask("foreign_keys")) == ("wal", 2, 1)
    connection.close()


def test_a_full_disk_is_told_and_recovered_from(tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "a.db")) as store:
        judge = launch(store, make_campaign(count=3, size=1))[0]
        turn = store.turn("news", judge.id, first, now=NOW, lease=LEASE)
        assert turn is not None
        writer: sqlite3.Connection = store._database.writing.connection  # type: ignore[attr-defined]
        (pages,) = writer.execute("PRAGMA page_count").fetchone()
        writer.execute(f"PRAGMA max_page_count = {pages + 2}")
        long = {"why": "x" * 200_000}
        with pytest.raises(StoreFull, match="no room is left on the disk"):
            decide(store, "news", judge.id, turn.assignment, 1, long, now=NOW, lease=LEASE)
        with pytest.raises(StoreFull):
            store.create(make_campaign("large", count=400), author="boss", now=NOW)
        assert [campaign.name for campaign in store.campaigns()] == ["news"]
        assert list(store.decisions("news")) == []
        short = decide(store, "news", judge.id, turn.assignment, 1, {}, now=NOW, lease=LEASE)
        assert short.new
        writer.execute("PRAGMA max_page_count = 1000000")
        second = store.turn("news", judge.id, first, now=NOW, lease=LEASE)
        assert second is not None
        assert decide(store, "news", judge.id, second.assignment, 1, long, now=NOW, lease=LEASE).new


def test_a_locked_file_is_waited_for_and_then_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store.open(str(tmp_path / "a.db")).close()
    monkeypatch.setattr(group_commit, "PATIENCE", 0.2)
    with Store.open(str(tmp_path / "a.db")) as store:
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="another program has been writing"):
            store.create(make_campaign(), author="boss", now=NOW)
        assert store.campaigns() == ()
        other.execute("ROLLBACK")
        other.close()
        store.create(make_campaign(), author="boss", now=NOW)


def test_an_old_sqlite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 30, 0))
    with pytest.raises(StoreFailed, match=r"3\.35 or newer"):
        Store.open(str(tmp_path / "a.db"))


# Servers


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(StoreUnreachable, match=r"jurat at 127\.0\.0\.1 does not answer") as told:
        Store.open("postgresql://user:geheim@127.0.0.1:1/jurat")
    assert "geheim" not in str(told.value)


def test_a_wrong_password(database: str) -> None:
    parts = psycopg.conninfo.conninfo_to_dict(database)
    wrong = database.replace(str(parts["password"]), "geheim")
    with pytest.raises(StoreUnreachable, match="password authentication failed"):
        Store.open(wrong)


def test_an_address_that_is_none() -> None:
    with pytest.raises(StoreFault, match="no address of a database"):
        Store.open("postgresql://localhost/jurat?nonsense=1")


def test_without_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without(
        name: str,
        names: Mapping[str, object] | None = None,
        local: Mapping[str, object] | None = None,
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> Any:
        if name == "jurat.store" and "postgres" in (fromlist or ()):
            raise ImportError("no psycopg")
        return imported(name, names, local, fromlist, level)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(DriverMissing, match=r"pip install 'jurat\[postgres\]'"):
        Store.open("postgresql://localhost/jurat")


def test_acknowledged_means_on_disk(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        name = psycopg.conninfo.conninfo_to_dict(database)["dbname"]
        connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off".encode())
    from jurat.store import postgres

    with postgres.connect(database) as connection:
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)


def test_the_head_is_the_last_migration() -> None:
    folder = Path(connect.__file__).parent / "migrations" / "versions"
    assert sorted(folder.glob("v*.py"))[-1].stem == f"v{HEAD}"
