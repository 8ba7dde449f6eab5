"""Seconds of what `make chaos` does for minutes: every kind of fault once, on both databases."""

from pathlib import Path

from tests.chaos.processes import PostgresProcess
from tests.chaos.trial import Trial, run
from tests.conftest import require
from tests.machine import postgres

BRIEF = Trial(workers=1, judges=9, documents=20, reading=0.05, once=True)


def test_nothing_acknowledged_is_lost_with_sqlite(tmp_path: Path) -> None:
    outcome = run(BRIEF, str(tmp_path / "jurat.db"), tmp_path)
    assert outcome.violations == []
    assert {*outcome.faults.values()} == {1}


def test_nothing_acknowledged_is_lost_with_postgresql(tmp_path: Path) -> None:
    # a server of its own: that of the other tests must not fail
    with postgres.running(require(postgres.find)) as address:
        outcome = run(BRIEF, address, tmp_path, PostgresProcess(address))
    assert outcome.violations == []
    assert {*outcome.faults.values()} == {1}
