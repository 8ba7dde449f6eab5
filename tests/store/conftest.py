"""Every test of the store runs on both databases."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from jurat.store import Store
from jurat.store.schema import metadata
from tests.machine.postgres import fresh_database
from tests.store.empty_store import empty_store


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that is not there yet."""
    if request.param == "sqlite":
        return str(tmp_path / "jurat.db")
    address: str = request.getfixturevalue("database")
    return address


@pytest.fixture(scope="session", name="_shared_database")
def shared_database(postgres: str) -> Iterator[str]:
    """A database with the tables, for one test after the other: to make one takes a second."""
    with fresh_database(postgres) as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    if request.param == "sqlite":
        with empty_store(tmp_path / "jurat.db") as store:
            yield store
        return
    address = request.getfixturevalue("_shared_database")
    with Store.open(address) as store:
        yield store
    with psycopg.connect(address) as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(f"DELETE FROM {table.name}".encode())
