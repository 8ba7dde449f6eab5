"""Killed at any moment, database restarted: nothing acknowledged is lost, nothing doubled."""

import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from jurat.store import Store
from tests.conftest import require
from tests.machine import postgres
from tests.store.samples import LEASE, NOW, decide, first, launch, make_campaign
from tests.store.test_concurrency import start

KILLS = 3


def read_into(worker: subprocess.Popen[str], acknowledged: list[str]) -> None:
    """Take every whole line."""
    assert worker.stdout is not None
    acknowledged.extend(line[:-1] for line in worker.stdout if line.endswith("\n"))


def verify(url: str, acknowledged: list[str]) -> None:
    with Store.open(url) as store:
        rows = list(store.decisions("news"))
        keys = Counter((row.assignment, row.position) for row in rows)
        assert set(keys.values()) <= {1}
        stored = {f"{assignment} {position}" for assignment, position in keys}
        assert set(acknowledged) <= stored
        for assignment, positions in _positions(keys).items():
            assert positions == list(range(1, len(positions) + 1)), assignment
        assert all(row.answers["by"] == f"{row.assignment} {row.position}" for row in rows)


def _positions(keys: Counter[tuple[str, int]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for assignment, position in sorted(keys):
        found.setdefault(assignment, []).append(position)
    return found


def test_killed_again_and_again(url: str) -> None:
    chance = random.Random(1)
    with Store.open(url) as store:
        judges = launch(store, make_campaign(count=300, wanted=4, size=10), judges=6)
    acknowledged: list[str] = []
    for _ in range(KILLS):
        before = len(acknowledged)
        worker = start(url, [judge.pin for judge in judges])
        reader = Thread(target=read_into, args=(worker, acknowledged))
        reader.start()
        while len(acknowledged) < before + chance.randint(10, 100) and worker.poll() is None:
            time.sleep(0.005)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        reader.join()
        worker.stdout.close()  # type: ignore[union-attr]
        assert len(acknowledged) > before
        verify(url, acknowledged)


@contextmanager
def own_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[str | Path]]]:
    """A server of this test's own, and the command that restarts it."""
    programs = require(postgres.find)
    places: list[Path] = []
    started = postgres.Account.start

    def noted(
        account: postgres.Account, *command: str | Path, place: Path
    ) -> subprocess.Popen[str]:
        places.append(place)
        return started(account, *command, place=place)

    monkeypatch.setattr(postgres.Account, "start", noted)
    with postgres.running(programs) as address:
        folder = next(iter(places[0].glob("server/**/pg_ctl")), programs / "pg_ctl").parent
        yield address, [folder / "pg_ctl", "-D", places[0] / "data"]


def test_the_database_is_restarted(monkeypatch: pytest.MonkeyPatch) -> None:
    with own_server(monkeypatch) as (url, control):
        with Store.open(url) as store:
            judges = launch(store, make_campaign(count=16, wanted=2, size=10), judges=4)
        acknowledged: list[str] = []
        worker = start(url, [judge.pin for judge in judges])
        reader = Thread(target=read_into, args=(worker, acknowledged))
        reader.start()
        with Store.open(url) as idle:  # its connection breaks while nothing is under way
            while len(acknowledged) < 40 and worker.poll() is None:
                time.sleep(0.005)
            restart(control)
            assert idle.campaign("news").name == "news"
        worker.wait()
        reader.join()
        worker.stdout.close()  # type: ignore[union-attr]
        assert worker.returncode == 0
        verify(url, acknowledged)
        assert len(acknowledged) == 16 * 2 * 10


def restart(control: list[str | Path]) -> None:
    """As after a power cut, without time for anybody to finish."""
    place = Path(control[2]).parent
    options = ("--mode=immediate", "--silent", "--wait", "-l", place / "second log")
    postgres.Account.choose().run(*control, "restart", *options, place=place)


def test_a_lost_connection_is_replaced(database: str) -> None:
    with Store.open(database) as store:
        judge = launch(store, make_campaign())[0]
        turn = store.next_step("news", judge.id, first, now=NOW, lease=LEASE)
        assert turn is not None
        with psycopg.connect(database, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )
        decided = decide(store, "news", judge.id, turn.assignment, 1, {}, now=NOW, lease=LEASE)
        assert decided.new
