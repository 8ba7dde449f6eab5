"""The process worker: it answers, survives what it is asked, and ends with its parent."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from jurat import protocols
from jurat.campaigns.monitoring import worker as module
from jurat.campaigns.monitoring.worker import WorkerFailed, WorkerProcess
from jurat.errors import InputError
from jurat.store import Store
from tests import ROOT
from tests.campaigns.monitoring import working
from tests.campaigns.sample_campaigns import NAME, Setting


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerProcess]:
    path = tmp_path_factory.mktemp("worker") / "jurat.db"
    with Store.open(str(path)) as store:
        Setting(store).create()
        worker = WorkerProcess(store.address, nice=3)
        yield worker
        worker.close()


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions of this folder are found by the process, too."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def test_answers_that_protocols_score_come_first():
    judged = pl.DataFrame({"question": ["errors", "score"] * 2, "value": [-1.0, 90.0, 0.0, 95.0]})
    tables = {"judgments": judged, "spans": judged}
    esa = {"rating": protocols.load("esa")}
    ordered = module.scores_first(tables, esa)["judgments"]
    assert ordered["value"].to_list() == [90.0, 95.0, -1.0, 0.0]
    # where the marked errors are the score, and where the order is right, nothing moves
    assert module.scores_first(tables, {"rating": protocols.load("mqm")}) == tables
    assert module.scores_first({"judgments": ordered}, esa)["judgments"] is ordered
    assert module.scores_first({}, esa) == {}


def ask(worker: WorkerProcess, work, *arguments, **how):
    return worker.submit(work, *arguments, **how).result(timeout=300)


def test_it_is_another_process_that_knows_the_store(worker: WorkerProcess):
    assert ask(worker, working.names) == [NAME]
    pid, nice = ask(worker, working.process)
    assert pid != os.getpid()
    assert nice == min(19, os.nice(0) + 3)
    assert ask(worker, working.process)[0] == pid


def test_what_is_printed_is_no_answer(worker: WorkerProcess):
    assert ask(worker, working.echo, 1, "zwei", (3,)) == (1, "zwei", (3,))


def test_faults_are_the_users_own(worker: WorkerProcess):
    with pytest.raises(InputError, match="field x: that is wrong; allowed: y") as told:
        ask(worker, working.problem)
    assert told.value.problems[0].field == "x"


def test_mistakes_are_told_and_the_next_is_answered(worker: WorkerProcess):
    for wrong in (working.mistake, working.unspeakable):
        with pytest.raises(WorkerFailed):
            ask(worker, wrong)
        assert ask(worker, working.echo, 1) == (1,)


def test_a_process_that_dies_is_replaced(worker: WorkerProcess):
    before, _ = ask(worker, working.process)
    with pytest.raises(WorkerFailed, match="has ended"):
        ask(worker, working.end)
    after, _ = ask(worker, working.process)
    assert after != before


def test_what_can_wait_waits(worker: WorkerProcess):
    first = worker.submit(working.slow, 0.3)
    last = worker.submit(working.slow, 0.01, low_priority=True)
    second = worker.submit(working.slow, 0.02)
    ended = []
    for answer in (last, second, first):
        answer.add_done_callback(lambda done: ended.append(done.result()))
    last.result(timeout=300)
    assert ended == [0.3, 0.02, 0.01]


def test_closing_ends_it_whatever_it_does(tmp_path: Path):
    with Store.open(str(tmp_path / "jurat.db")) as store:
        worker = WorkerProcess(store.address, nice=0)
        pid, _ = ask(worker, working.process)
        answer, waiting = (worker.submit(working.slow, 60) for _ in range(2))
        start = time.monotonic()
        worker.close()
        assert time.monotonic() - start < 20
        with pytest.raises(WorkerFailed):
            answer.result(timeout=1)
        with pytest.raises(WorkerFailed):
            waiting.result(timeout=1)
        assert not alive(pid)
        worker.close()
        assert ask(worker, working.echo) == ()
        worker.close()


def test_it_goes_when_nobody_asks(tmp_path: Path):
    with Store.open(str(tmp_path / "jurat.db")) as store:
        worker = WorkerProcess(store.address, nice=0, idle=0.2)
        pid, _ = ask(worker, working.process)
        until(lambda: not alive(pid))
        assert ask(worker, working.echo, 1) == (1,)
        worker.close()


def test_it_does_not_outlive_its_parent(tmp_path: Path):
    with Store.open(str(tmp_path / "jurat.db")) as store:
        address = store.address
    script = (
        "import os, signal; from jurat.campaigns.monitoring.worker import WorkerProcess;"
        "from tests.campaigns.monitoring import working;"
        f"w = WorkerProcess({address!r}, nice=0);"
        f"print(w.submit(working.process).result()[0], flush=True);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    pid = int(done.stdout)
    until(lambda: not alive(pid))


def alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    try:
        if status.parent.parent.is_dir():
            return status.is_file() and "zombie" not in status.read_text()
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def until(condition) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
