"""Damaged stores: what is found out, and what can be recovered."""

import io
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from jurat.store import Store, StoreFailed
from jurat.store.backup_archive import Archive
from jurat.store.recovery import recover
from jurat.store.store_check import check_store
from tests.store.samples import NOW
from tests.store.test_backup_archive import fill, prepare

PAGE = 4096


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with campaigns, judges and decisions, closed."""
    path = tmp_path_factory.mktemp("sound") / "jurat.db"
    with Store.open(str(path)) as store:
        fill(store)
        prepare(store)
    return path


def damaged(sound: Path, folder: Path, page: int) -> Path:
    """A copy of the store with one page overwritten; the first has the number 0."""
    data = bytearray(sound.read_bytes())
    data[page * PAGE : (page + 1) * PAGE] = b"\xff" * PAGE
    path = folder / "damaged.db"
    path.write_bytes(data)
    path.chmod(0o600)
    return path


def wrong(path: Path) -> dict[str, str]:
    found = check_store(str(path), NOW + timedelta(days=2))
    return {one.what: one.detail for one in found if one.state == "wrong"}


def root_page(path: Path, table: str) -> int:
    with sqlite3.connect(path) as connection:
        asked = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (found,) = connection.execute(asked, (table,)).fetchone()
    connection.close()
    return int(found) - 1


def test_a_sound_store_has_nothing_wrong(sound: Path) -> None:
    assert wrong(sound) == {}


def test_what_is_wrong_is_found(sound: Path, tmp_path: Path) -> None:
    path = damaged(sound, tmp_path, root_page(sound, "decisions"))
    path.chmod(0o644)
    found = wrong(path)
    assert set(found) >= {"integrity", "permissions"}
    assert "--recover" in found["integrity"]
    assert set(wrong(damaged(sound, tmp_path, 0))) == {"integrity"}
    assert wrong(tmp_path / "none.db") == {"store": f"there is no store at {tmp_path}/none.db"}
    before = check_store(str(sound), NOW - timedelta(days=2))
    assert [one.what for one in before if one.state == "wrong"] == ["clock"]


def test_the_check_reads_decisions(sound: Path, tmp_path: Path) -> None:
    path = damaged(sound, tmp_path, root_page(sound, "decisions"))
    with Store.open(str(path)) as store, pytest.raises(StoreFailed):
        store.note_check(NOW)


def test_whichever_page_is_damaged_the_rest_is_a_good_store(sound: Path, tmp_path: Path) -> None:
    hopeless = 0
    pages = sound.stat().st_size // PAGE
    for page in range(0, pages, 3):
        path, new = damaged(sound, tmp_path, page), tmp_path / "new.db"
        try:
            found = recover(path, new)
        except StoreFailed:
            hopeless += 1
            assert not new.exists()
            continue
        assert sum(one.kept for one in found)
        with Store.open(str(new), create=False) as store:
            file = io.BytesIO()
            store.backup(file, now=NOW)
        Archive.check(file)  # raises if anything does not fit together
        assert wrong(new) == {}
        new.unlink()
    # the schema, and the tables of campaigns and phases, which have a page each
    assert hopeless <= 6


def test_the_log_is_recovered_with_the_main_file(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "jurat.db"
    path.write_bytes(sound.read_bytes())
    store = Store.open(str(path))
    store.note_check(NOW)
    copy = tmp_path / "copy.db"
    for ending in ("", "-wal"):
        Path(f"{copy}{ending}").write_bytes(Path(f"{path}{ending}").read_bytes())
    store.close()
    kept = {one.table: one.kept for one in recover(copy, tmp_path / "new.db")}
    assert kept["settings"] == 1
    assert kept["decisions"]
    with pytest.raises(StoreFailed, match="exists already"):
        recover(copy, tmp_path / "new.db")
