"""The secret that a store's servers share."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

from jurat.store import Store


def test_made_once_and_kept(url: str) -> None:
    with Store.open(url) as store, Store.open(url) as other:
        with ThreadPoolExecutor(8) as threads:
            found = set(threads.map(lambda n: (store, other)[n % 2].secret(), range(32)))
        assert len(found) == 1
        assert len(found.pop()) >= 32
    with Store.open(url) as again:
        assert again.secret() == store_secret(url)


def store_secret(url: str) -> bytes:
    with Store.open(url) as store:
        return store.secret()


def test_no_archive_has_it(store: Store, tmp_path: Path) -> None:
    secret = store.secret()
    file = tmp_path / "all.zip"
    with file.open("wb") as out:
        store.backup(out, now=datetime(2026, 1, 1, tzinfo=UTC))
    with ZipFile(file) as archive:
        assert not any(secret in archive.read(name) for name in archive.namelist())
