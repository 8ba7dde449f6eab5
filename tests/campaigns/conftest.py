"""Tests of the service run on both databases, with a clock that they control."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jurat.store import Store
from tests.campaigns.sample_campaigns import Setting
from tests.store.conftest import shared_database, store
from tests.store.empty_store import empty_store

__all__ = ["quick", "setting", "shared_database", "store"]


@pytest.fixture
def setting(store: Store) -> Setting:
    """A service over an empty store."""
    return Setting(store)


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Setting]:
    """The same over SQLite alone, for what has nothing to do with the database."""
    with empty_store(tmp_path / "jurat.db") as store:
        yield Setting(store)
