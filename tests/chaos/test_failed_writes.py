"""Writes and syncs that fail, and the order of syncing and acknowledging."""

from pathlib import Path

import pytest

from jurat.store import Store
from tests.chaos.failed_writes import Call, find, run_failing, unsynced
from tests.machine import Missing
from tests.store.samples import launch, make_campaign
from tests.store.test_killing import verify


@pytest.fixture(autouse=True)
def _strace() -> None:
    try:
        find()
    except Missing as missing:
        # no package of Python brings it, and not every machine lets one process trace another
        pytest.skip(str(missing))


def working(path: Path, judges: int) -> tuple[str, list[str]]:
    """A store with a campaign of sixty decisions, and the PINs of its judges."""
    with Store.open(str(path)) as store:
        people = launch(store, make_campaign(count=6, wanted=2, size=5), judges=judges)
    return str(path), [one.pin for one in people]


@pytest.mark.parametrize(
    ("call", "number", "error"),
    [("pwrite64", 20, "EIO"), ("pwrite64", 21, "ENOSPC"), ("fdatasync", 3, "EIO")],
)
def test_nothing_is_lost_or_doubled(tmp_path: Path, call: Call, number: int, error: str) -> None:
    url, pins = working(tmp_path / "jurat.db", judges=3)
    acknowledged = run_failing(url, pins, call, number, error)
    verify(url, acknowledged)
    assert len(acknowledged) == 60


def test_every_decision_is_synced_before_it_is_acknowledged(tmp_path: Path) -> None:
    url, pins = working(tmp_path / "jurat.db", judges=1)
    early, told = unsynced(url, pins, tmp_path)
    assert early == []
    assert told == 30
