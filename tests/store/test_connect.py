"""Addresses, schemas, and databases that are not what they should be."""

import builtins
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

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
    StoreFailed,
    StoreFault,
    StoreIsNewer,
    connect,
)
from jurat.store.schema import metadata
from jurat.store.upgrade import HEAD, VERSION_TABLE
from tests import ROOT
from tests.store.samples import (
    NOW,
    do_kit,
    launch,
    make_campaign,
)

# What takes a store back to the third schema, which the later ones have added to.
TO_THE_THIRD = (
    "DROP TABLE media_chunks",
    "DROP TABLE media_files",
    "ALTER TABLE decisions DROP COLUMN played_seconds",
    "DROP TABLE questionnaires",
    "DROP TABLE api_tokens",
    "DROP TABLE model_answers",
    "DROP TABLE dismissals",
    "DROP TABLE messages",
    "ALTER TABLE judges DROP COLUMN note",
    "DROP INDEX decisions_flagged",
    "ALTER TABLE decisions DROP COLUMN flag",
    "ALTER TABLE decisions DROP COLUMN comment",
    "ALTER TABLE decisions DROP COLUMN skipped",
    f"UPDATE {VERSION_TABLE} SET version_num = '0003'",
)
# What takes it from there back to the second one.
TO_THE_SECOND = (
    "DROP TABLE editions",
    "DROP TABLE preparation_files",
    "DROP TABLE preparations",
    "DROP TABLE coordinators",
    "DROP TABLE site_log",
    "DROP INDEX assignments_of_campaign",
    "ALTER TABLE judges DROP COLUMN pending",
    "ALTER TABLE judges DROP COLUMN address",
    f"UPDATE {VERSION_TABLE} SET version_num = '0002'",
)
JUDGE_OF_THE_SECOND = """INSERT INTO judges (campaign_id, key, pin, role, password_hash, token_hash,
    "group", site, tags, disabled, created, failures)
    SELECT id, 'k-first-one', 'first', 'judge', '', '', '', '', '{}', false, 0, 0 FROM campaigns"""


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
    check_schema(engine)
    engine.dispose()


def check_schema(engine: sa.Engine) -> None:
    with engine.connect() as connection:
        options = {"version_table": VERSION_TABLE}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []
        made = sa.create_engine("sqlite://")
        if connection.dialect.name == "sqlite":  # to the letter, with the conditions of indexes
            metadata.create_all(made)
            with made.connect() as other:
                assert texts(connection) == texts(other)


def texts(connection: sa.Connection) -> dict[str, set[str]]:
    """Every column and rule as it is written; a column that came later stands at the end."""
    rows = connection.execute(sa.text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
    return {name: written(sql) for name, sql in rows if VERSION_TABLE not in name}


def written(sql: str) -> set[str]:
    start, _, rest = sql.partition("(")
    inside, _, end = rest.rpartition(")")
    parts = re.split(r",(?![^(]*\))", inside)
    return {start, end, *(" ".join(part.split()) for part in parts)}


@pytest.mark.parametrize("version", ["0001", "0002"])
def test_an_older_store_is_migrated_with_all_that_is_in_it(url: str, version: str) -> None:
    with Store.open(url) as store:
        store.create(make_campaign(), author="boss", now=NOW)
    engine = engine_of(url)
    with engine.begin() as connection:
        for text in (*TO_THE_THIRD, *TO_THE_SECOND, JUDGE_OF_THE_SECOND):
            connection.execute(sa.text(text))
        if version == "0001":
            connection.execute(sa.text("DROP TABLE settings"))
            connection.execute(sa.text(f"UPDATE {VERSION_TABLE} SET version_num = '0001'"))
    with Store.open(url) as store:
        (first_judge,) = store.judges("news")
        assert (first_judge.pin, first_judge.pending) == ("first", False)
        assert store.version("news").edition == store.campaign("news").edition == 1
        store.add_judges("news", [NewJudge(pin="late", pending=True)], author="boss", now=NOW)
        store.add_campaign_draft({}, author="boss", now=NOW, files={"a": b"\0"})
        store.send_message("news", "Hello", judge=first_judge.id, author="boss", now=NOW)
        assert [one.text for one in store.unread_messages("news", first_judge.id)] == ["Hello"]
        assert store.secret()
    check_schema(engine)
    engine.dispose()


def test_decisions_of_a_store_without_flags_have_none(url: str) -> None:
    with Store.open(url) as store:
        judge, *_ = launch(store, make_campaign())
        do_kit(store, judge.id)
    engine = engine_of(url)
    with engine.begin() as connection:
        for text in TO_THE_THIRD:
            connection.execute(sa.text(text))
    with Store.open(url) as store:
        for old in store.decisions("news"):
            assert (old.flag, old.comment, old.skipped) == ("", "", False)
        assert store.flagged("news") == []
    check_schema(engine)
    engine.dispose()


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


def test_addresses_of_files(tmp_path: Path) -> None:
    Store.open(f"sqlite:///{tmp_path / 'a.db'}").close()
    assert (tmp_path / "a.db").exists()
    assert (tmp_path / "a.db").stat().st_mode & 0o077 == 0
    (tmp_path / "empty.db").touch()
    Store.open(str(tmp_path / "empty.db")).close()


def test_files_that_are_no_store(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database, " * 100)
    with pytest.raises(NotAStore, match="not an SQLite database"):
        Store.open(str(tmp_path / "text"))
    with pytest.raises(NotAStore, match="is a directory"):
        Store.open(str(tmp_path))
    with pytest.raises(NoSuchStore, match="no directory"):
        Store.open(str(tmp_path / "none" / "jurat.db"))
    with pytest.raises(StoreFault, match="not mysql://"):
        Store.open("mysql://root@localhost/db")


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


def test_the_head_is_the_last_migration() -> None:
    folder = Path(connect.__file__).parent / "migrations" / "versions"
    assert sorted(folder.glob("v*.py"))[-1].stem == f"v{HEAD}"
