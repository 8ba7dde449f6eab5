"""The process beside: it answers, survives what it is asked, and ends with its parent."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jurat.campaigns.watching import beside as module
from jurat.campaigns.watching.beside import Beside, Broken
from jurat.faults import FaultyInput
from jurat.store import Store
from tests import ROOT
from tests.campaigns.setting import NAME, Setting
from tests.campaigns.watching import working


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Beside]:
    path = tmp_path_factory.mktemp("beside") / "jurat.db"
    with Store.open(str(path)) as store:
        Setting(store).create()
        beside = Beside(store.address, nice=3)
        yield beside
        beside.close()


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions of this folder are found by the process, too."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def ask(beside: Beside, work, *arguments, **how):
    return beside.ask(work, *arguments, **how).result(timeout=300)


def test_it_is_another_process_that_knows_the_store(beside: Beside):
    assert ask(beside, working.names) == [NAME]
    pid, nice = ask(beside, working.process)
    assert pid != os.getpid()
    assert nice == min(19, os.nice(0) + 3)
    assert ask(beside, working.process)[0] == pid


def test_what_is_printed_is_no_answer(beside: Beside):
    assert ask(beside, working.echo, 1, "zwei", (3,)) == (1, "zwei", (3,))


def test_faults_are_the_users_own(beside: Beside):
    with pytest.raises(FaultyInput, match="field x: that is wrong; allowed: y") as told:
        ask(beside, working.fault)
    assert told.value.faults[0].field == "x"


def test_mistakes_are_told_and_the_next_is_answered(beside: Beside):
    for wrong in (working.mistake, working.unspeakable):
        with pytest.raises(Broken):
            ask(beside, wrong)
        assert ask(beside, working.echo, 1) == (1,)


def test_a_process_that_dies_is_replaced(beside: Beside):
    before, _ = ask(beside, working.process)
    with pytest.raises(Broken, match="has ended"):
        ask(beside, working.end)
    after, _ = ask(beside, working.process)
    assert after != before


def test_what_can_wait_waits(beside: Beside):
    first = beside.ask(working.slow, 0.3)
    last = beside.ask(working.slow, 0.01, last=True)
    second = beside.ask(working.slow, 0.02)
    ended = []
    for answer in (last, second, first):
        answer.add_done_callback(lambda done: ended.append(done.result()))
    last.result(timeout=300)
    assert ended == [0.3, 0.02, 0.01]


def test_closing_ends_it_whatever_it_does(tmp_path: Path):
    with Store.open(str(tmp_path / "jurat.db")) as store:
        beside = Beside(store.address, nice=0)
        pid, _ = ask(beside, working.process)
        answer, waiting = (beside.ask(working.slow, 60) for _ in range(2))
        start = time.monotonic()
        beside.close()
        assert time.monotonic() - start < 20
        with pytest.raises(Broken):
            answer.result(timeout=1)
        with pytest.raises(Broken):
            waiting.result(timeout=1)
        assert not alive(pid)
        beside.close()
        assert ask(beside, working.echo) == ()
        beside.close()


def test_it_goes_when_nobody_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "IDLE", 0.2)
    with Store.open(str(tmp_path / "jurat.db")) as store:
        beside = Beside(store.address, nice=0)
        pid, _ = ask(beside, working.process)
        until(lambda: not alive(pid))
        assert ask(beside, working.echo, 1) == (1,)
        beside.close()


def test_it_does_not_outlive_its_parent(tmp_path: Path):
    with Store.open(str(tmp_path / "jurat.db")) as store:
        address = store.address
    script = (
        "import os, signal; from jurat.campaigns.watching.beside import Beside;"
        "from tests.campaigns.watching import working;"
        f"b = Beside({address!r}, nice=0); print(b.ask(working.process).result()[0], flush=True);"
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
