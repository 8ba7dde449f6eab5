"""Seconds of what `make chaos` does for minutes: every kind of fault once.

Faults of the server and of the clock strike over SQLite, those of a database over PostgreSQL;
`make chaos` tries all of them over both.
"""

from dataclasses import replace
from pathlib import Path

from tests.chaos.processes import PostgresProcess
from tests.chaos.trial import Trial, run
from tests.conftest import require
from tests.machine import postgres

BRIEF = Trial(workers=1, judges=9, documents=20, reading=0.25, once=True)
OF_THE_DATABASE = (
    "connections cut",
    "database process killed",
    "database paused",
    "database cannot grow",
)


def test_nothing_acknowledged_is_lost_with_sqlite(tmp_path: Path) -> None:
    outcome = run(BRIEF, str(tmp_path / "jurat.db"), tmp_path)
    assert outcome.violations == []
    assert {*outcome.faults.values()} == {1}


def test_nothing_acknowledged_is_lost_with_postgresql(tmp_path: Path) -> None:
    # a server of its own: that of the other tests must not fail
    with postgres.running(require(postgres.find)) as address:
        trial = replace(BRIEF, only=OF_THE_DATABASE)
        outcome = run(trial, address, tmp_path, PostgresProcess(address))
    assert outcome.violations == []
    assert {*outcome.faults.values()} == {1}
