"""`python -m tests.chaos`: minutes of faults on both databases, then every write that can fail.

The exit code is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jurat.store import Store
from tests.chaos import failed_writes
from tests.chaos.hosts import run_on_hosts
from tests.chaos.processes import PostgresProcess
from tests.chaos.trial import Outcome, Trial, run
from tests.machine import postgres
from tests.store.samples import launch, make_campaign
from tests.store.test_killing import verify

WRITES = 60
"""How many writes of a process are made to fail, one in each run; all work of it has fewer."""


@contextmanager
def _store(database: str, folder: Path) -> Iterator[tuple[str, PostgresProcess | None]]:
    """The address of an empty store, and the server behind it where there is one."""
    if database == "sqlite":
        yield str(folder / "jurat.db"), None
        return
    with postgres.running() as address:
        yield address, PostgresProcess(address)


def _told(database: str, trial: Trial, outcome: Outcome) -> str:
    history = outcome.history
    statuses = ", ".join(f"{status or 'none'} {n:,}" for status, n in history.statuses.items())
    lines = [
        f"{database}: {trial.seconds:.0f} s, seed {trial.seed}, {trial.judges} judges",
        f"  faults: {', '.join(f'{name} {n}' for name, n in outcome.faults.items())}",
        f"  decisions sent {len(history.sent):,}, acknowledged {len(history.acknowledged):,}",
        f"  responses by status: {statuses}",
        *(f"  WRONG: {one}" for one in outcome.violations),
        f"  {len(outcome.violations)} disagreements between judges and store",
    ]
    return "\n".join(lines)


def main() -> int:
    """Run the trials; 1 if the store and the judges' history disagree anywhere."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=4, help="of faults, for each database")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judges", type=int, default=12)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], action="append")
    parser.add_argument("--hosts", action="store_true", help="only two hosts on one PostgreSQL")
    given = parser.parse_args()
    trial = Trial(
        seconds=given.minutes * 60,
        seed=given.seed,
        judges=given.judges,
        workers=given.workers,
        # more than judges can do, on a quick machine, too: each gets a segment once
        documents=40 + round(200 * given.minutes),
    )
    if given.hosts:
        return int(_hosts(trial))
    wrong = False
    for database in given.database or ["sqlite", "postgresql"]:
        with tempfile.TemporaryDirectory() as name, _store(database, Path(name)) as (url, server):
            outcome = run(trial, url, Path(name), server, report=lambda _: _dot())
            print(f"\n{_told(database, trial, outcome)}")
            wrong = wrong or bool(outcome.violations)
    if "sqlite" in (given.database or ["sqlite"]):
        wrong = _fail_every_write() or wrong
    return int(wrong)


def _hosts(trial: Trial) -> bool:
    """The same with servers on two hosts behind nginx; whether anything is wrong."""
    with tempfile.TemporaryDirectory() as name:
        outcome = run_on_hosts(trial, Path(name), lambda _: _dot())
    print(f"\n{_told('two hosts, postgresql', trial, outcome)}")
    return bool(outcome.violations)


def _fail_every_write() -> bool:
    """Let the first, second, third … write of a process fail; whether that lost anything."""
    wrong = False
    for call, errors in failed_writes.ERRORS.items():
        for error in errors:
            lost = [n for n in range(1, WRITES + 1) if not _survives(call, n, error)]
            print(f"{call} fails with {error}: {WRITES} runs, wrong in {lost or 'none'}")
            wrong = wrong or bool(lost)
    return wrong


def _survives(call: failed_writes.Call, number: int, error: str) -> bool:
    with tempfile.TemporaryDirectory() as name:
        url = str(Path(name) / "jurat.db")
        with Store.open(url) as store:
            people = launch(store, make_campaign(count=6, wanted=2, size=5), judges=3)
        pins = [one.pin for one in people]
        acknowledged = failed_writes.run_failing(url, pins, call, number, error)
        _dot()
        try:
            verify(url, acknowledged)
        except AssertionError:
            return False
        return True


def _dot() -> None:
    """One dot a fault, as a sign of progress."""
    print(".", end="", flush=True, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
