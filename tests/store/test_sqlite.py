"""Files of SQLite: their settings, and what goes wrong with them."""

import sqlite3
from pathlib import Path

import pytest

from jurat.store import (
    Store,
    StoreBusy,
    StoreFailed,
    StoreFault,
    StoreFull,
    group_commit,
    sqlite,
)
from tests.store.samples import (
    LEASE,
    NOW,
    decide,
    first,
    launch,
    make_campaign,
)


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
        turn = store.next_step("news", judge.id, first, now=NOW, lease=LEASE)
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
        second = store.next_step("news", judge.id, first, now=NOW, lease=LEASE)
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
